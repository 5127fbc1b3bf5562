/**
 * `npm run soak`: sixteen clients work on four workspaces at the same time. Some leave while sending or reading, stall
 * or vanish, two decide about one pending upload, and the service is killed and restarted. Each round ends with a
 * comparison of every counter, revision, record and search with a model. The last one also restores earlier revisions.
 * Exits with 1 if anything differs.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Service } from '../../bench/service.mjs'
import { CatalogClient } from '../../scripts/client/client.mjs'
import { command, numberFrom, runMain, say } from '../../scripts/script.mjs'
import { TYPES } from './bodies.mjs'
import { checkCatalog } from './check.mjs'
import { work } from './clients.mjs'
import { Ledger } from './ledger.mjs'
import { Random } from './random.mjs'

const WORKSPACES = 4
const CLIENTS = 16
/** Number of differences to print. Others are only counted. */
const PRINTED = 40
/** Duration of one round of work, in seconds. */
const ROUND_SECONDS = [15, 35]
/** Share of the rounds that end with a kill. The others end gracefully. */
const KILLED = 0.7
/** Earlier revisions of each catalog to restore at the end. */
const RESTORED = 3
/**
 * Writes of clients that have left are considered finished if the lists do not change for this long, in milliseconds.
 */
const QUIET_MS = 3000
/** Retries of a read, which may be queued even without other load. */
const PATIENT = { attempts: 8, firstWaitMs: 1000 }

let seed = 0
/** @type {Service} */
let service
const counts = new Map()
const count = (what) => counts.set(what, (counts.get(what) ?? 0) + 1)
let differences = 0
const report = (text) => {
  if (++differences <= PRINTED) say(`DIFFERENCE  ${text}`)
}
/** @type {any[]} */
const workspaces = []
const allLedgers = () => workspaces.flatMap(({ ledgers }) => ledgers)

/** Creates the workspaces. Each has records with the same IDs. */
async function prepare() {
  for (let index = 0; index < WORKSPACES; index++) {
    const workspace = await service.newWorkspace()
    for (const type of Object.keys(TYPES)) await workspace.enableSearch(type)
    const { id, headers, token } = workspace
    const api = new CatalogClient({ baseUrl: service.origin, tokens: { token: async () => token }, retry: PATIENT })
    const others = Array.from({ length: WORKSPACES }, (_, other) => other).filter((other) => other !== index)
    const ledgers = Object.keys(TYPES).map((type) => new Ledger({ id, api, index }, type, report))
    workspaces.push({ id, headers, api, index, others, ledgers })
  }
}

/** Waits until no write is running. */
async function untilQuiet() {
  let known
  for (let since = Date.now(); Date.now() - since < QUIET_MS; await sleep(500)) {
    const now = []
    for (const ledger of allLedgers()) now.push((await ledger.get('/writes', { limit: 1 })).total)
    if (!isDeepStrictEqual(now, known)) since = Date.now()
    known = now
  }
}

/** Lets all clients work, and compares everything after they have ended. */
async function doRound(round, seconds, isKilled) {
  let isStopping = false
  const clients = Array.from({ length: CLIENTS }, (_, number) =>
    work({
      ...{ random: new Random(seed, round, number + 100), origin: service.origin, report, count },
      ...{ workspace: workspaces[number % WORKSPACES], number: round * 100 + number, isStopping: () => isStopping },
    }),
  )
  await Promise.race([sleep(seconds * 1000), Promise.all(clients)])
  isStopping = true
  if (isKilled) await service.kill()
  await Promise.all(clients)
  if (isKilled) await service.start()
  else await untilQuiet()
  const random = new Random(seed, round, 7)
  for (const ledger of allLedgers()) {
    await ledger.settle()
    await checkCatalog(ledger, random, report)
  }
}

/** Restores some earlier revisions of each catalog, and compares everything each time. */
async function restoreEarlier() {
  const random = new Random(seed, 8)
  for (const ledger of allLedgers()) {
    for (let n = 0; n < RESTORED; n++) {
      const target = random.between(0, ledger.model.revision)
      const attempt = ledger.open({ mode: 'restore', target, confirmed: true })
      const path = '/admin/catalogs/v1/{type}/restore'
      const query = { revision: target, confirm_shrink: true }
      attempt.answer = await ledger.workspace.api.post(path, { params: { type: ledger.type }, query })
      await ledger.settle()
      await checkCatalog(ledger, random, report)
    }
  }
}

async function main({ minutes, distance, ...options }) {
  seed = options.seed
  service = new Service({ distance })
  say(`seed ${seed}`)
  try {
    await service.start()
    await prepare()
    const random = new Random(seed, 1)
    const until = Date.now() + minutes * 60_000
    for (let round = 1; Date.now() < until; round++) {
      const seconds = Math.min(random.between(...ROUND_SECONDS), Math.max(5, (until - Date.now()) / 1000))
      const isKilled = random.chance(KILLED)
      say(`round ${round}: ${seconds.toFixed(0)} s of work, then ${isKilled ? 'the service is killed' : 'quiet'}`)
      await doRound(round, seconds, isKilled)
    }
    say('the end: restoring earlier revisions')
    await restoreEarlier()
  } catch (error) {
    report(`the run ended early: ${error.stack}\n${service.output}`)
  } finally {
    await service.stop()
  }
  for (const [what, number] of [...counts].sort(([a], [b]) => a.localeCompare(b))) say(`  ${what}: ${number}`)
  const sum = (figure) => allLedgers().reduce((total, ledger) => total + figure(ledger), 0)
  say(
    `${sum(({ writes }) => writes)} writes, ${sum(({ model }) => model.revision)} revisions; of those without an answer ` +
      `${sum(({ outcomes }) => outcomes['carried out'])} were carried out and ${sum(({ outcomes }) => outcomes.lost)} were not`,
  )
  say(differences === 0 ? 'No difference.' : `${differences} differences.`)
  process.exitCode = differences === 0 ? 0 : 1
  process.exit()
}

await runMain(
  command('soak', 'Lets sixteen clients work, kills the service, and compares everything with a model.')
    .option('--minutes <number>', 'for how long the clients work, in all', numberFrom(1), 3)
    .option(
      '--seed <number>',
      'decides what they do (default: another one each time)',
      numberFrom(0),
      Date.now() % 2 ** 31,
    )
    .option('--distance <ms>', 'milliseconds of a round trip to a database', numberFrom(0), 0)
    .action(main),
)
