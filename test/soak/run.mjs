/**
 * `npm run soak -- [--minutes N] [--seed N] [--distance N]`: sixteen clients work on four workspaces at once. Some leave
 * in the middle of what they send or read, stall or vanish, two decide about one file that waits, and the service is
 * killed and started again. Each round ends with a comparison of every counter, revision, record and search with a
 * model; the last one restores earlier revisions too. Ends with 1 if anything differs.
 *
 * Minutes are those that the clients work, in all. The seed decides what they do. The distance is the milliseconds of
 * a trip to a database, beside its work.
 */
import '../../scripts/require-node.mjs'
import { parseArgs } from 'node:util'
import { Service } from '../../bench/service.mjs'
import { Random } from './random.mjs'
import { Soak } from './soak.mjs'

/** Differences that are printed; the rest is counted. */
const PRINTED = 40
/** How long one round of work takes, in seconds. */
const ROUND_SECONDS = [15, 35]
/** Share of the rounds that end with a kill; the others end quietly. */
const KILLED = 0.7

const say = (text) => process.stdout.write(`${text}\n`)

function readOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '3' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      distance: { type: 'string', default: '0' },
    },
  })
  const [minutes, seed, distance] = [values.minutes, values.seed, values.distance].map(Number)
  if (!(minutes > 0)) throw new Error('--minutes takes a number above 0.')
  if (![seed, distance].every(Number.isInteger)) throw new Error('--seed and --distance take whole numbers.')
  return { minutes, seed, distance }
}

async function rounds(soak, service, { minutes, seed }) {
  const random = new Random(seed, 1)
  const until = Date.now() + minutes * 60_000
  for (let round = 1; Date.now() < until; round++) {
    const seconds = Math.min(random.between(...ROUND_SECONDS), Math.max(5, (until - Date.now()) / 1000))
    const killed = random.chance(KILLED)
    say(`round ${round}: ${seconds.toFixed(0)} s of work, then ${killed ? 'the service is killed' : 'quiet'}`)
    await soak.work(round, seconds * 1000, killed ? () => service.kill() : undefined)
    if (killed) await service.start()
    await soak.compare(round)
  }
}

const options = readOptions()
say(`seed ${options.seed}`)
let differences = 0
const report = (text) => {
  if (++differences <= PRINTED) say(`DIFFERENCE  ${text}`)
}
const service = new Service(options)
const soak = new Soak(service, options.seed, report)
try {
  await service.start()
  await soak.prepare()
  await rounds(soak, service, options)
  say('the end: restoring earlier revisions, and large requests of all at once')
  await soak.restoreEarlier()
  await soak.compare(0)
  await soak.orphans()
  await soak.pressAll()
} catch (error) {
  report(`the run ended early: ${error.stack}\n${service.output}`)
} finally {
  await service.stop()
}
for (const [what, count] of [...soak.counts].sort(([a], [b]) => a.localeCompare(b))) say(`  ${what}: ${count}`)
say(soak.figures)
say(differences === 0 ? 'No difference.' : `${differences} differences.`)
process.exitCode = differences === 0 ? 0 : 1
process.exit()
