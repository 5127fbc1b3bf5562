/**
 * `npm run scheduled -- [--at TIME] [--port PORT]`: has the local service do its scheduled run now, as if it were TIME.
 * Without it, `npm start` does one every ten minutes. What is expired at TIME is deleted.
 */
import './require-node.mjs'
import { parseArgs } from 'node:util'
import { CONTROL, SCHEDULED_PATH } from './local/control.mjs'

function readOptions() {
  try {
    return parseArgs({ options: { at: { type: 'string' }, port: { type: 'string', default: '8787' } } }).values
  } catch ({ message }) {
    process.stderr.write(`${message}\n`)
    process.exit(2)
  }
}

const values = readOptions()
const time = values.at === undefined ? new Date() : new Date(values.at)
if (Number.isNaN(time.getTime())) {
  process.stderr.write(`--at takes a time such as 2026-12-01T02:00:00Z, not "${values.at}".\n`)
  process.exit(2)
}
const address = `http://localhost:${values.port}${SCHEDULED_PATH}?time=${time.getTime()}`
const answer = await fetch(address, CONTROL).catch(() => undefined)
if (answer === undefined) {
  process.stderr.write(`No service answers on port ${values.port}. Start it with npm start.\n`)
  process.exit(1)
}
const outcome = await answer.text()
if (!answer.ok) {
  process.stderr.write(`The scheduled run failed (${outcome}). The log of the service says why.\n`)
  process.exit(1)
}
process.stdout.write(`The scheduled run for ${time.toISOString()} is done.\n`)
