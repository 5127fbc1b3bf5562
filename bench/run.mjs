/**
 * `npm run bench`: measures the service over HTTP, compares it with plain Node and SQLite doing the same work, and
 * reports which limits of the requirements (bars) it meets. Exits with 1 if it misses any.
 */
import { cpus, loadavg } from 'node:os'
import { Option } from 'commander'
import { command, numberFrom, runMain, say } from '../scripts/script.mjs'
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

const sayProgress = (text) => process.stderr.write(`${text}\n`)

const load = () => `load ${loadavg()[0].toFixed(1)}`

async function main({ quick, runs = quick ? 2 : 5, only = Object.keys(PARTS) }) {
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
}

await runMain(
  command('bench', 'Measures the service, and compares it with plain Node and SQLite doing the same work.')
    .option('--quick', 'fewer runs and workspaces: to see that it works, not to judge by')
    .option('--runs <number>', 'how often each thing is measured (default: 5)', numberFrom(1))
    .addOption(new Option('--only <parts...>', 'only these parts').choices(Object.keys(PARTS)))
    .action(main),
)
