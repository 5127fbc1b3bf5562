/** The examples of the documents, as bash and curl run them. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { root } from '../../scripts/wrangler.mjs'

/** Some examples read answers and the log with `jq`. Without it they are left out. */
export const HAS_JQ = spawnSync('jq', ['--version']).status === 0

const shellBlocks = (document) => Array.from(document.matchAll(/^```sh\n(.*?)^```$/gms), ([, script]) => script)

/** The commands of a document that read a file of log lines. */
export const logCommandsOf = (name) =>
  shellBlocks(readFileSync(path.join(root, name), 'utf8')).filter((script) => /^jq .*lines\.json/ms.test(script))

/**
 * The shell examples of a document that call the service, in its order, each with the answer that the document shows.
 */
const examplesIn = (document) =>
  Array.from(document.matchAll(/^```sh\n(.*?)^```$(?:\s*^```json\n(.*?)^```$)?/gms), ([, script, answer]) => ({
    script,
    answer: answer === undefined ? undefined : JSON.parse(answer),
  })).filter(({ script }) => /\bcurl\b/.test(script) && (HAS_JQ || !/\bjq\b/.test(script)))

/** By the name of their document. */
export const EXAMPLES = ['README.md', ...readdirSync(path.join(root, 'docs')).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md'))
  .map((name) => [name, examplesIn(readFileSync(path.join(root, name), 'utf8'))])
  .filter(([, examples]) => examples.length > 0)

/** `…` in a document stands for any value; members that it leaves out are not compared. */
export function shown(value) {
  if (value === '…') return expect.anything()
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)])),
  )
}

/**
 * Calls the service of the test, whichever the example names. Ends each answer with a line end, and tells each status.
 */
const CURL = `curl() {
  # An erasure ends 90 seconds after the suspension: the clock of the service is set ahead.
  if [[ "$*" == *'?confirm='* ]]; then
    command curl -s -X POST -H 'Sec-Local-Control: 1' "$ORIGIN/cdn-cgi/handler/clock?ahead=120000" > /dev/null
  fi
  local args=("\${@//https:\\/\\/catalog.example.com/$ORIGIN}")
  command curl -w '\\n%{stderr}status %{http_code}\\n' "\${args[@]//http:\\/\\/localhost:8787/$ORIGIN}"
}
set -eu
`

/**
 * Runs the examples of a document one after another in one shell, each with the variables that those before it have
 * set.
 *
 * @param {{ script: string }[]} examples
 * @param {Record<string, string>} variables what the document asks its reader to set
 * @returns {Promise<{ output: string, statuses: number[] }[]>} of each; the output is its last line, which is the
 * last answer
 */
export async function runExamples(examples, variables) {
  const END = 'end of the example'
  const script = [CURL, ...examples.map((each) => `${each.script}\necho; echo '${END}'; echo '${END}' >&2`)].join('\n')
  const child = spawn('bash', ['-c', script], {
    cwd: root,
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new Error(`An example ended with ${code}:\n${output}\n${errors}`)
  const told = errors.split(END)
  return output
    .split(END)
    .slice(0, -1)
    .map((each, place) => ({
      output: each.trim().split('\n').at(-1),
      statuses: Array.from(told[place].matchAll(/^status (\d+)$/gm), ([, status]) => Number(status)),
    }))
}
