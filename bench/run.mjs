/**
 * `npm run bench -- [--quick] [--runs N] [--only PART]…`: measures the service over HTTP, compares it with plain Node
 * and SQLite doing the same work, and reports which limits of the requirements (bars) it meets. Exits with 1 when one
 * is missed. With --quick there are fewer runs and workspaces: to see that it works, not to judge by.
 */
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { measureAttacks } from '../test/attacks/attacks.mjs'
import { dataDirectory, readMedications } from './catalogs.mjs'
import { measureCommandLine } from './command-line.mjs'
import { measureConsole } from './console.mjs'
import { measureMemory } from './memory.mjs'
import { measureNeighbours } from './neighbours.mjs'
import { measureReads } from './reads.mjs'
import { measureSearchQuality } from './search-quality.mjs'
import { resultTable } from './table.mjs'
import { measureWrites } from './writes.mjs'

const PARTS = {
  writes: measureWrites,
  reads: measureReads,
  memory: measureMemory,
  attacks: measureAttacks,
  neighbours: measureNeighbours,
  'search-quality': measureSearchQuality,
  console: measureConsole,
  'command-line': measureCommandLine,
}

const say = (text) => process.stdout.write(`${text}\n`)
const sayProgress = (text) => process.stderr.write(`${text}\n`)

function readOptions() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      runs: { type: 'string' },
      only: { type: 'string', multiple: true, default: Object.keys(PARTS) },
    },
  })
  const runs = Number(values.runs ?? (values.quick ? 2 : 5))
  if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs takes a whole number from 1.')
  const unknown = values.only.find((part) => !(part in PARTS))
  if (unknown !== undefined) throw new Error(`--only takes ${Object.keys(PARTS).join(', ')}, not ${unknown}.`)
  return { ...values, runs }
}

const load = () => `load ${loadavg()[0].toFixed(1)}`

const { only, runs, quick } = readOptions()
const medications = await readMedications()
const machine = `Node ${process.versions.node}, ${cpus().length} x ${cpus()[0].model}`
say(`${medications.rows.length} medications of ${dataDirectory}, ${runs} runs, ${machine}, ${load()} at the start\n`)
const rows = []
const notes = []
for (const part of only) {
  const result = await PARTS[part](medications, { runs, quick, say: sayProgress })
  rows.push(...result.rows)
  notes.push(...result.notes)
}
if (rows.length > 0) say(resultTable(rows))
for (const text of notes) say(`\n${text}`)
const missed = rows.filter(({ met }) => met === false)
const met = rows.filter(({ met }) => met === true)
say(`\n${met.length} bars met, ${missed.length} missed; ${load()} at the end`)
if (runs < 5) say('Fewer than five runs: do not judge by these figures.')
if (missed.length > 0) process.exitCode = 1
