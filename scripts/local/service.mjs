import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startWrangler, stopGroup } from '../wrangler.mjs'

/** How long the service may take to answer for the first time, in milliseconds. */
const START_TIMEOUT_MS = 90_000
/** How long a stopped service may take to end by itself, in milliseconds. */
const STOP_TIMEOUT_MS = 5000

/**
 * Refuses a port on which something listens already, on either loopback address.
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
    if (fault?.code === 'EACCES') throw new Error(`Port ${port} may not be used without further rights.`)
    // Anything else, such as a machine without IPv6, is not for this check to judge.
  }
}

/**
 * Starts `wrangler dev`.
 *
 * @param {import('./options.mjs').StartOptions} options
 * @param {string[]} args the user's own arguments
 * @param {Record<string, string>} vars variables of the Worker, over those of `wrangler.toml`
 */
export function startService({ port, stateDirectory, origin }, args, vars = {}) {
  const given = (name) => args.some((arg) => arg === name || arg.startsWith(`${name}=`))
  return startWrangler(
    [
      'dev',
      ...(given('--port') ? [] : ['--port', String(port)]),
      ...(given('--persist-to') ? [] : ['--persist-to', stateDirectory]),
      ...Object.entries({ ISSUER: origin, ...vars }).flatMap(([name, value]) => [
        '--var',
        `${name}:${value}`,
      ]),
      ...args,
    ],
    ['ignore', 'inherit', 'inherit'],
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
      throw new Error('wrangler dev ended before the service answered; it says why above.')
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

/** Ends the service and everything that it started. */
export async function stopService(child) {
  const ended = child.exitCode !== null || child.signalCode !== null || once(child, 'exit')
  stopGroup(child)
  await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
  // What wrangler may have left behind; a process that has ended is not there to be signalled.
  stopGroup(child, 'SIGKILL')
}
