import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startGroup, stopGroup } from '../wrangler.mjs'

const SERVER = fileURLToPath(new URL('./server.mjs', import.meta.url))

/** How long the service may take to answer for the first time, in milliseconds: minutes on a slow and busy machine. */
const START_TIMEOUT_MS = 300_000
/** How long a stopped service may take to end by itself, in milliseconds. */
const STOP_TIMEOUT_MS = 5000
/** How long the system may take to end killed processes, in milliseconds. */
const KILL_TIMEOUT_MS = 2000

/** How long everything except the service may take to end, in milliseconds. */
const REST_TIMEOUT_MS = 2000

/**
 * Refuses a port on which something already listens, on either loopback address.
 *
 * @param {number} port
 * @throws {Error} with a message for the user
 */
export async function requireFreePort(port) {
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer()
    const fault = await new Promise((resolve) => {
      server.once('error', resolve)
      server.listen({ port, host }, () => server.close(() => resolve(undefined)))
    })
    if (fault?.code === 'EADDRINUSE') {
      throw new Error(`Port ${port} is in use. Choose another one: npm start -- --port ${port + 1}`)
    }
    if (fault?.code === 'EACCES')
      throw new Error(`Port ${port} needs administrator rights. Choose one above 1023: npm start -- --port 8787`)
    // This check ignores other errors, such as those of a machine without IPv6.
  }
}

/**
 * Starts the service in a separate process. The static files must exist.
 *
 * @param {import('./options.mjs').StartOptions} options
 * @param {number | 'inherit'} log output of the service: an open file, or the output of this process
 * @param {Record<string, string>} vars more variables of the Worker
 */
export function startService(options, log, vars = {}) {
  const { origin, distance, vars: given } = options
  const all = { ...options, vars: { ISSUER: origin, DISTANCE_MS: String(distance), ...vars, ...given } }
  return startGroup(SERVER, [JSON.stringify(all)], ['ignore', log, log])
}

/**
 * Waits until `/health` answers with success.
 *
 * @throws {Error} with a message for the user, when the service ends or does not answer in time
 */
export async function waitForHealth(origin, child) {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error('The service ended before it answered.')
    }
    if (await answers(`${origin}/health`)) return
    await sleep(100)
  }
  throw new Error(`The service did not answer at ${origin}/health within ${START_TIMEOUT_MS / 1000} seconds.`)
}

async function answers(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) })
    await response.body?.cancel()
    return response.ok
  } catch {
    // Not listening yet: the caller asks again.
    return false
  }
}

/** Whether the group of `child` has ended within `ms` milliseconds. */
async function groupEnds(child, ms) {
  const deadline = Date.now() + ms
  while (stopGroup(child, 0)) {
    if (Date.now() >= deadline) return false
    await sleep(20)
  }
  return true
}

/**
 * Ends the service and everything that it started: first with SIGTERM, then with SIGKILL what is still running.
 *
 * @param {number} graceMs how long it may take to end by itself, in milliseconds
 * @returns {Promise<boolean>} whether all of it has ended
 */
export async function stopService(child, graceMs = STOP_TIMEOUT_MS) {
  stopGroup(child)
  if (await groupEnds(child, graceMs)) return true
  stopGroup(child, 'SIGKILL')
  return groupEnds(child, KILL_TIMEOUT_MS)
}

/**
 * Stops the service first, then everything else at the same time. A part that fails or hangs does not keep the others
 * from ending.
 *
 * @param {(() => unknown) | undefined} stop stops the service; undefined when it was not started
 * @param {readonly (() => unknown)[]} rest
 * @param {number} restTimeoutMs how long to wait for the rest, in milliseconds
 * @returns {Promise<Error[]>} the faults
 */
export async function shutDown(stop, rest, restTimeoutMs = REST_TIMEOUT_MS) {
  const faults = []
  const attempt = async (end) => {
    try {
      await end()
    } catch (error) {
      faults.push(error)
    }
  }
  if (stop) await attempt(stop)
  await Promise.race([Promise.all(rest.map(attempt)), sleep(restTimeoutMs, undefined, { ref: false })])
  return faults
}
