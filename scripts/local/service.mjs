import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ASSETS_ARE_BUILT } from '../assets.mjs'
import { startWrangler, stopGroup } from '../wrangler.mjs'

/** How long the service may take to answer for the first time, in milliseconds: minutes on a slow and busy machine. */
const START_TIMEOUT_MS = 300_000
/** How long a stopped service may take to end by itself, in milliseconds. */
const STOP_TIMEOUT_MS = 5000
/** How long the system may take to end killed processes, in milliseconds. */
const KILL_TIMEOUT_MS = 2000

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
      throw new Error(
        `Port ${port} needs administrator rights. Choose one above 1023: npm start -- --port 8787`,
      )
    // This check ignores other errors, such as those of a machine without IPv6.
  }
}

/**
 * Wrangler's end of a debugger receives every request and answer with its body, and writes them all into a log in the home
 * directory, even when nobody debugs: more than half of the CPU of a local service. A terminal for debugging brings its
 * own end, and this variable tells wrangler that it runs in one.
 */
const NO_DEBUGGER = { VSCODE_INSPECTOR_OPTIONS: '{}' }

/** Stands between the Worker and databases that are to be far away. */
const DISTANT_WORKER = 'scripts/local/distant-worker.mjs'

/**
 * Starts `wrangler dev`. The static files must exist. Debuggers are let in only at a port that the arguments name.
 *
 * @param {import('./options.mjs').StartOptions} options
 * @param {number | 'inherit'} log output of wrangler and the service: an open file, or the output of this process
 * @param {Record<string, string>} vars variables of the Worker, which override those of `wrangler.toml`
 */
export function startService({ port, stateDirectory, origin, distance, wranglerArgs }, log, vars = {}) {
  const given = (name) => wranglerArgs.some((arg) => arg === name || arg.startsWith(`${name}=`))
  const debugged = given('--inspector-port')
  return startWrangler(
    [
      'dev',
      ...(distance > 0 ? [DISTANT_WORKER, '--var', `DISTANCE_MS:${distance}`] : []),
      ...(given('--port') ? [] : ['--port', String(port)]),
      ...(given('--persist-to') ? [] : ['--persist-to', stateDirectory]),
      // Any free port. By itself wrangler looks for one, and two services that start together find the same.
      ...(debugged ? [] : ['--inspector-port', '0']),
      ...Object.entries({ ISSUER: origin, ...vars }).flatMap(([name, value]) => [
        '--var',
        `${name}:${value}`,
      ]),
      ...wranglerArgs,
    ],
    ['ignore', log, log],
    { [ASSETS_ARE_BUILT]: '1', ...(debugged ? {} : NO_DEBUGGER) },
  )
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
      throw new Error('wrangler ended before the service answered.')
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
