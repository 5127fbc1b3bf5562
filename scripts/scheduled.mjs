/**
 * `npm run scheduled -- [--at TIME] [--port PORT]`: has the local service do its scheduled run now, as if it were TIME.
 * Without it, `npm start` does one every ten minutes. What is expired at TIME is deleted.
 */
import './require-node.mjs'
import { parseArgs } from 'node:util'
import { CONTROL, SCHEDULED_PATH } from './local/control.mjs'

async function main(args) {
  const { at, port } = parseArgs({
    args,
    options: { at: { type: 'string' }, port: { type: 'string', default: '8787' } },
  }).values
  const time = at === undefined ? new Date() : new Date(at)
  if (Number.isNaN(time.getTime())) throw new Error(`--at takes a time such as 2026-12-01T02:00:00Z, not "${at}".`)
  const address = `http://localhost:${port}${SCHEDULED_PATH}?time=${time.getTime()}`
  const answer = await fetch(address, CONTROL).catch(() => undefined)
  if (answer === undefined) throw new Error(`No service answers on port ${port}. Start it with npm start.`)
  const outcome = await answer.text()
  if (!answer.ok) throw new Error(`The scheduled run failed (${outcome}). The log of the service says why.`)
  process.stdout.write(`The scheduled run for ${time.toISOString()} is done.\n`)
}

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
