/**
 * `npm run verify`: tests the code's assumptions about the platform on a running service, with a workspace of its own,
 * and writes a table of the findings. Exits with 1 if an assumption is false. If it is interrupted, it stops testing
 * and erases its workspace.
 *
 * On a deployed service it temporarily creates two databases and a bucket, so it is meant for a sandbox.
 */
import { writeFile } from 'node:fs/promises'
import { version } from './configuration.mjs'
import { command, runMain, say } from './script.mjs'
import { withPort } from './service.mjs'
import { IN_THE_ACCOUNT } from './verify/in-the-account.mjs'
import { ON_THE_SERVICE } from './verify/on-the-service.mjs'
import { withPlace } from './verify/place.mjs'
import { THROUGH_THE_EDGE } from './verify/through-the-edge.mjs'
import { finding, notTried } from './verify/verdicts.mjs'

/** @type {import('./verify/verdicts.mjs').Assumption[]} */
const ASSUMPTIONS = [...ON_THE_SERVICE, ...THROUGH_THE_EDGE, ...IN_THE_ACCOUNT]

const NEEDS = {
  edge: "Cloudflare's edge is not in front of this service: --env sandbox tests it",
  account: 'this service is in no account: --env sandbox tests it',
}

const stop = new AbortController()

/** @param {import('./verify/place.mjs').Place} place @param {import('./verify/verdicts.mjs').Assumption} assumption */
async function findingOf(place, { needs, measure }) {
  if (stop.signal.aborted) return notTried('the command was interrupted')
  if (needs !== undefined && place.env === undefined) return notTried(NEEDS[needs])
  try {
    return await measure(place)
  } catch (error) {
    return finding(false, `${error.message}${error.cause ? ` (${error.cause.message ?? error.cause})` : ''}`)
  }
}

const cell = (text) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')

/**
 * Tests one assumption after another.
 *
 * @param {Parameters<typeof withPlace>[0]} options
 * @param {(text: string) => void} say
 * @param {import('./verify/verdicts.mjs').Assumption[]} [assumptions]
 * @returns {Promise<{ table: string, isTrue: boolean }>} the table as Markdown, and `isTrue`: whether no assumption is
 *   false
 */
export async function verify(options, say, assumptions = ASSUMPTIONS) {
  const rows = []
  const add = (sentence, { measured, verdict }) => {
    rows.push({ sentence, measured, verdict })
    say(`${verdict.padEnd(15)} ${sentence}\n${' '.repeat(16)}${measured}`)
  }
  const own = 'The workspace of this command, and what it made in the account, is erased'
  await withPlace(options, async (place) => {
    for (const each of assumptions) add(each.sentence, await findingOf(place, each))
  }).then(
    () => add(own, finding(true, 'nothing is left')),
    (error) => add(own, finding(false, error.message)),
  )
  const count = (verdict) => rows.filter((row) => row.verdict === verdict).length
  const { env } = options
  const where = env === undefined ? 'the service of `npm start`' : `the environment ${env}`
  const table = [
    `Release ${version}, ${where}, ${new Date().toISOString()}: ${count('holds')} assumptions hold, ` +
      `${count('FALSE')} are false, ${count('not tried here')} were not tried here.`,
    '',
    '| assumption | measured | verdict |',
    '|---|---|---|',
    ...rows.map(({ sentence, measured, verdict }) => `| ${cell(sentence)} | ${cell(measured)} | ${verdict} |`),
  ].join('\n')
  return { table, isTrue: count('FALSE') === 0 }
}

async function main({ env, port, file = `verified-${env ?? 'local'}.md` }) {
  const { table, isTrue } = await verify({ env, port }, say)
  await writeFile(file, `# What was verified\n\n${table}\n`)
  say(`\n${table.split('\n', 1)[0]}\nWrote ${file}.`)
  if (!isTrue) process.exitCode = 1
}

if (process.argv[1] === import.meta.filename)
  await runMain(
    withPort(command('verify', 'Tries on a running service what only its platform can show, and writes a table of it.'))
      .option('-e, --env <name>', 'a deployed service, such as sandbox (default: that of npm start)')
      .option('--file <file>', 'file of the table (default: verified-sandbox.md or verified-local.md)')
      .action(main),
    () => stop.abort(),
  )
