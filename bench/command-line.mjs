/** `dcs` with a workbook of the whole catalog: how long a user waits, and how much memory it uses. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { resized, workbookOf } from './catalogs.mjs'
import { owned, scratchDirectory } from './processes.mjs'
import { Service } from './service.mjs'
import { limitRow } from './table.mjs'

/** The medications of a large hospital. */
const RECORDS = 44_328
const BARS = { ms: 10_000, megabytes: 250 }
/** Some cells look damaged (`N/A`), so the command asks about them. */
const CELLS = ['--cells', 'shown']
/** Interval at which the memory of a command is read, in milliseconds. */
const LOOK_MS = 20

/** The package as the service serves it, unpacked. @returns {Promise<string>} the file of the command */
async function unpackedCommand({ origin }) {
  const folder = scratchDirectory('package')
  const file = path.join(folder, 'package.tgz')
  const answer = await fetch(`${origin}/client/latest.tgz`)
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()))
  execFileSync('tar', ['xzf', file, '-C', folder])
  return path.join(folder, 'package', 'dcs.js')
}

/** Peak memory of a process so far, in megabytes; undefined if it has ended or the system does not report it. */
function mostMemory(pid) {
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1000
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error
    return undefined
  }
}

/** Runs the command until it ends. */
async function measured(command, args, environment) {
  const startedAt = performance.now()
  const child = owned(spawn(process.execPath, [command, ...args], { env: environment }))
  let megabytes
  const timer = setInterval(() => {
    megabytes = mostMemory(child.pid) ?? megabytes
  }, LOOK_MS)
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  clearInterval(timer)
  if (code !== 0) throw new Error(`dcs ${args.join(' ')} ended with ${code}: ${errors}`)
  return { ms: performance.now() - startedAt, megabytes }
}

/** @type {import('./table.mjs').Measure} */
export const measureCommandLine = async (medications, { runs, say }) => {
  const service = await Service.start()
  try {
    const command = await unpackedCommand(service)
    const folder = scratchDirectory('command-line')
    const file = path.join(folder, 'formulary.xlsx')
    writeFileSync(file, workbookOf(resized(medications, RECORDS)))
    const results = { validate: [], push: [] }
    for (let run = 0; run < runs; run++) {
      say(`command line, run ${run + 1}`)
      const workspace = await service.newWorkspace()
      const { client_id, client_secret, api_key } = await service.operator.newCredentials(workspace.id)
      const environment = {
        HOME: folder,
        DCS_URL: service.origin,
        DCS_CLIENT_ID: client_id,
        DCS_CLIENT_SECRET: client_secret,
        DCS_API_KEY: api_key,
      }
      results.validate.push(await measured(command, ['validate', 'medication', file, ...CELLS], environment))
      results.push.push(await measured(command, ['push', 'medication', file, ...CELLS], environment))
    }
    const rows = Object.entries(results).flatMap(([name, samples]) => {
      const work = `dcs ${name}, workbook of ${RECORDS} rows`
      const times = samples.map(({ ms }) => ms)
      const memory = samples.flatMap(({ megabytes }) => megabytes ?? [])
      const rowOfTime = limitRow(work, times, BARS.ms, 'ms')
      return memory.length === 0 ? [rowOfTime] : [rowOfTime, limitRow(`${work}, memory`, memory, BARS.megabytes, 'MB')]
    })
    return { rows, notes: [] }
  } finally {
    await service.stop()
  }
}
