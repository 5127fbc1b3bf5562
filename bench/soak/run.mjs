/**
 * `npm run soak -- [--minutes N] [--seed N] [--port N] [--distance N] [--jumps]`: sixteen clients work on four
 * workspaces at once. Some leave in the middle of what they send or read, stall or vanish, two decide about one file
 * that waits, and the service is killed and started again. Each round ends with a comparison of every counter,
 * revision, record and search with a model; the last one restores earlier revisions too. Ends with 1 if anything
 * differs.
 */
import '../../scripts/require-node.mjs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Random } from '../random.mjs'
import { Instance } from './instance.mjs'
import { Soak } from './soak.mjs'

const USAGE = `npm run soak -- [options]
  --minutes N   how long the clients work, in all (3)
  --seed N      what they do (the time, else)
  --port N      where the service listens (9797)
  --distance N  milliseconds of a trip to a database, beside its work (0)
  --jumps       the clock of the service jumps back and forth meanwhile
`

/** Differences that are printed; the rest is counted. */
const PRINTED = 40
/** How long one round of work takes, in seconds. */
const ROUND_SECONDS = [15, 35]
/** Share of the rounds that end with a kill; the others end quietly. */
const KILLED = 0.7
/** How far the clock of the service is from the real one, in milliseconds: no farther than a token of an hour goes. */
const CLOCK_MS = [-25 * 60_000, 25 * 60_000]
/** Time between two jumps, in milliseconds. */
const BETWEEN_JUMPS_MS = [300, 4000]

const say = (text) => process.stdout.write(`${text}\n`)

function readOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '3' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      port: { type: 'string', default: '9797' },
      distance: { type: 'string', default: '0' },
      jumps: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { help, jumps, ...given } = values
  const [minutes, seed, port, distance] = ['minutes', 'seed', 'port', 'distance'].map((name) => Number(given[name]))
  if (!(minutes > 0)) throw new Error('--minutes takes a number above 0.')
  if (![seed, port, distance].every(Number.isInteger))
    throw new Error('--seed, --port and --distance take whole numbers.')
  return { minutes, seed, port, distance, jumps, help }
}

/** Lets the clock of the service jump. @returns a function that ends this, with the clock where it is then */
function jumping(instance, random, count) {
  const ended = new AbortController()
  const jump = async () => {
    while (!ended.signal.aborted) {
      if (await instance.setClock(random.between(...CLOCK_MS))) count('jump of the clock')
      await sleep(random.between(...BETWEEN_JUMPS_MS), undefined, ended).catch(() => undefined)
    }
  }
  const done = jump()
  return () => {
    ended.abort()
    return done
  }
}

async function rounds(soak, instance, { minutes, seed, jumps }) {
  const random = new Random(seed, 1)
  const until = Date.now() + minutes * 60_000
  for (let round = 1; Date.now() < until; round++) {
    const seconds = Math.min(random.between(...ROUND_SECONDS), Math.max(5, (until - Date.now()) / 1000))
    const killed = random.chance(KILLED)
    say(`round ${round}: ${seconds.toFixed(0)} s of work, then ${killed ? 'the service is killed' : 'quiet'}`)
    const stand = jumps ? jumping(instance, random, soak.count) : async () => undefined
    await soak.work(round, seconds * 1000, killed ? () => instance.kill() : undefined)
    await stand()
    if (killed) await instance.start()
    await soak.compare(round)
  }
}

function summary(soak, differences) {
  for (const [what, count] of [...soak.counts].sort(([a], [b]) => a.localeCompare(b))) say(`  ${what}: ${count}`)
  say(soak.figures)
  for (const text of differences.slice(0, PRINTED)) say(`DIFFERENCE  ${text}`)
  if (differences.length > PRINTED) say(`... and ${differences.length - PRINTED} more`)
  say(differences.length === 0 ? 'No difference.' : `${differences.length} differences.`)
}

async function main() {
  const options = readOptions()
  if (options.help) return say(USAGE)
  say(`seed ${options.seed}`)
  const differences = []
  const instance = new Instance(options)
  const soak = new Soak(instance, options.seed, (text) => {
    if (differences.length < PRINTED) say(`! ${text}`)
    differences.push(text)
  })
  try {
    await instance.start()
    // Its tokens are then valid from the earliest of its times on.
    if (options.jumps) await instance.setClock(CLOCK_MS[0])
    await soak.prepare()
    await rounds(soak, instance, options)
    say('the end: restoring earlier revisions, and asking for what a stuck lease would withhold')
    await soak.restoreEarlier()
    await soak.compare(0)
    await soak.orphans()
    await soak.pressAll()
  } catch (error) {
    differences.push(`the run ended early: ${error.stack}\n${instance.output}`)
  } finally {
    await instance.stop()
  }
  summary(soak, differences)
  process.exitCode = differences.length === 0 ? 0 : 1
}

await main()
process.exit()
