/** The service as started by `npm start`, for tests and benchmarks. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { root } from '../../scripts/wrangler.mjs'

/** Time limit for the service to be ready, in milliseconds: minutes, for slow and busy machines. */
const START_TIMEOUT_MS = 360_000

/** The last line of the welcome begins with it. */
const READY = 'TOKEN='

/** Number of lines to keep for an error message, and maximum characters per line. */
const KEPT_LINES = 40
const KEPT_CHARACTERS = 2000

/** There are thousands of lines about successful requests. */
const isSuccess = (line) => line.includes('"request_id":') && !/"status":5\d\d/.test(line)

/** @returns {Promise<number>} a port on which nothing listens */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

/**
 * Starts the service.
 *
 * @param {string[]} args of `npm start`
 * @param {{ environment?: Record<string, string>, onLine?: (line: string) => void }} [options] `onLine` receives each
 *   line of its output
 * @returns {{ child: import('node:child_process').ChildProcess, ready: Promise<void>, output: () => string, }} `ready`
 *   resolves with the welcome, or rejects with the last output of the service
 */
export function startAsUser(args, { environment = {}, onLine = () => undefined } = {}) {
  const child = spawn(process.execPath, ['scripts/start.mjs', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  })
  const kept = []
  const output = () => kept.join('\n')
  const ready = new Promise((resolve, reject) => {
    const fail = (why) => {
      clearTimeout(timer)
      reject(new Error(`The service ${why}:\n${output()}`))
    }
    const timer = setTimeout(() => fail('did not start in time'), START_TIMEOUT_MS)
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        onLine(line)
        if (!isSuccess(line)) kept.push(line.slice(0, KEPT_CHARACTERS))
        if (kept.length > KEPT_LINES) kept.shift()
        if (!line.startsWith(READY)) return
        clearTimeout(timer)
        resolve(undefined)
      })
    }
    child.once('error', (error) => fail(`could not be started: ${error.message}`))
    child.once('exit', (code) => fail(`ended with code ${code}`))
  })
  return { child, ready, output }
}
