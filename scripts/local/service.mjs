/** The process of the local service: starting and ending it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const SERVER = fileURLToPath(new URL('./server.mjs', import.meta.url))

/** Time limit for a stopped service to end by itself, in milliseconds: longer than it needs to end its runtime. */
const STOP_TIMEOUT_MS = 8000

/** Rejects a port on which something already listens, on either loopback address. @param {number} port */
export async function requireFreePort(port) {
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer().listen(port, host)
    // Other errors are ignored, such as those of a machine without IPv6.
    const code = await once(server, 'listening').then(
      () => undefined,
      (error) => error.code,
    )
    server.close()
    if (code === 'EADDRINUSE')
      throw new Error(`Port ${port} is in use. Choose another one: npm start -- --port ${port + 1}`)
    if (code === 'EACCES')
      throw new Error(`Port ${port} needs administrator rights. Choose one above 1023: npm start -- --port 8787`)
  }
}

/**
 * Starts the service in a separate process group, which signals of the terminal do not reach. It ends when its channel
 * to this process closes: by `stopService`, or because this process ended in any way. The static files must exist.
 *
 * @param {import('./options.mjs').StartOptions} options
 * @param {number | 'inherit'} log output of the service: an open file, or the output of this process
 * @param {Record<string, string>} vars additional variables of the Worker
 */
export function startService(options, log, vars = {}) {
  const { origin, distance, isLimited } = options
  // The runtime does not support jurisdictions.
  const local = { ISSUER: origin, JURISDICTION: '', DISTANCE_MS: String(distance), HAS_RATE_LIMITS: String(isLimited) }
  const all = { ...options, vars: { ...local, ...vars } }
  return fork(SERVER, [JSON.stringify(all)], { detached: true, stdio: ['ignore', log, log, 'ipc'] })
}

const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null

/**
 * Waits until the service listens and is healthy.
 *
 * @throws {Error} with a message for the user, if it ends first or its configuration is wrong
 */
export async function waitForService(origin, child) {
  const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (answer?.fault !== undefined) throw new Error(answer.fault)
  if (hasEnded(child)) throw new Error('The service ended before it responded.')
  const response = await fetch(`${origin}/health`)
  const text = await response.text()
  if (!response.ok) throw new Error(`${origin}/health returns ${response.status}: ${text}`)
}

/** Ends the service and all of its child processes. */
export async function stopService(child) {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.disconnect()
  await Promise.race([ended, sleep(STOP_TIMEOUT_MS)])
  if (!hasEnded(child)) process.kill(-child.pid, 'SIGKILL')
}
