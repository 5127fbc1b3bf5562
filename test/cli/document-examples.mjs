/** The examples of the documents, run with bash and curl. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { root } from '../../scripts/wrangler.mjs'

/** Some examples parse responses and the log with `jq`. Without `jq`, they are skipped. */
export const HAS_JQ = spawnSync('jq', ['--version']).status === 0

const shellBlocks = (document) => Array.from(document.matchAll(/^```sh\n(.*?)^```$/gms), ([, script]) => script)

/** The commands of a document that read a log file. */
export const logCommandsOf = (name) =>
  shellBlocks(readFileSync(path.join(root, name), 'utf8')).filter((script) => /^jq .*lines\.json/ms.test(script))

/** The shell examples of a document that call the service, in order, each with the response that the document shows. */
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

/** `…` in a document matches any value. Properties that the document omits are not compared. */
export function shown(value) {
  if (value === '…') return expect.anything()
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)])),
  )
}

/**
 * Calls the service under test, whatever host the example names. Ends each response with a line break, and reports each
 * status.
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
 * Runs the examples of a document one after another in one shell, so that variables of earlier examples stay set.
 *
 * @param {{ script: string }[]} examples
 * @param {Record<string, string>} variables variables that the document tells its readers to set
 * @returns {Promise<{ output: string, statuses: number[] }[]>} for each example; the output is its last line, the last
 *   response
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
