/**
 * `npm run bench`: measures the service over HTTP, compares it with plain Node and SQLite doing the same work, and
 * reports which limits of the requirements (bars) it meets. Exits with 1 when one is missed.
 */
import '../scripts/require-node.mjs'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { defaultDataDirectory, readMedications } from './catalogs.mjs'
import { measureCommandLine } from './command-line.mjs'
import { measureConsole } from './console.mjs'
import { measureDistance } from './distance.mjs'
import { measureIsolation } from './isolation.mjs'
import { measureMemory } from './memory.mjs'
import { measureReads } from './reads.mjs'
import { measureScale } from './scale.mjs'
import { measureSearchQuality } from './search-quality.mjs'
import { resultTable } from './table.mjs'
import { measureWrites } from './writes.mjs'

const USAGE = `npm run bench -- [options]
  --quick        fewer runs and workspaces: to see that it works, not to judge by
  --runs N       runs of each measurement (5)
  --data DIR     folder of medications.csv (the shared data folder where there is one, else samples)
  --only PART    writes, reads, distance, memory, isolation, search-quality, console,
                 scale or command-line; may be repeated
  --distance N   with --only reads, writes or isolation: milliseconds of a trip to a database (0)
  --work NAME    with --only distance: requests whose name holds this; may be repeated
  --no-fail      end with 0 although a bar is missed
`

const PARTS = {
  writes: measureWrites,
  reads: measureReads,
  distance: measureDistance,
  memory: measureMemory,
  isolation: measureIsolation,
  'search-quality': measureSearchQuality,
  console: measureConsole,
  scale: measureScale,
  'command-line': measureCommandLine,
}

const say = (text) => process.stdout.write(`${text}\n`)
const sayProgress = (text) => process.stderr.write(`${text}\n`)

function readOptions() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      runs: { type: 'string' },
      data: { type: 'string', default: defaultDataDirectory() },
      distance: { type: 'string', default: '0' },
      work: { type: 'string', multiple: true },
      only: { type: 'string', multiple: true, default: Object.keys(PARTS) },
      'no-fail': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const runs = Number(values.runs ?? (values.quick ? 2 : 5))
  if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs takes a whole number from 1.')
  const distance = Number(values.distance)
  if (!Number.isInteger(distance) || distance < 0) throw new Error('--distance takes whole milliseconds.')
  const unknown = values.only.find((part) => !(part in PARTS))
  if (unknown !== undefined) throw new Error(`--only takes ${Object.keys(PARTS).join(', ')}, not ${unknown}.`)
  return { ...values, runs, distance, workspaces: values.quick ? 3 : 20 }
}

const load = () => `load ${loadavg()[0].toFixed(1)}`

async function main() {
  const options = readOptions()
  if (options.help) return say(USAGE)
  const medications = await readMedications(options.data)
  const machine = `Node ${process.versions.node}, ${cpus().length} x ${cpus()[0].model}`
  say(`${medications.rows.length} medications, ${options.runs} runs, ${machine}, ${load()} at the start\n`)
  const rows = []
  const rest = []
  for (const part of options.only) {
    const result = await PARTS[part](medications, { ...options, say: sayProgress })
    rows.push(...result.rows)
    rest.push(...result.notes)
  }
  if (rows.length > 0) say(resultTable(rows))
  for (const text of rest) say(`\n${text}`)
  const missed = rows.filter(({ met }) => met === false)
  const met = rows.filter(({ met }) => met === true)
  const bars = rows.length > 0 ? `${met.length} bars met, ${missed.length} missed; ` : ''
  say(`\n${bars}${load()} at the end`)
  if (options.runs < 5) say('Fewer than five runs: do not judge by these figures.')
  if (missed.length > 0 && !options['no-fail']) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error.stack ?? error}\n`)
  process.exitCode = 1
}
