/** The service with its processes, started as by a user. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CLOCK_PATH, CONTROL } from '../../scripts/local/control.mjs'
import { freePort, startAsUser } from '../support/npm-start.mjs'

/** Time limit for the processes of a service to end, in milliseconds. */
const END_TIMEOUT_MS = 60_000

/** Running processes: zombies have ended. */
const processes = () =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,pgid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, group, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+[^Z]\S*\s+(.*)$/.exec(line) ?? []
      return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), group: Number(group), command }]
    })

export const groupMembers = (group) => processes().filter((each) => each.group === group)

/** Checks until `holds` is true. */
export async function eventually(holds) {
  for (const deadline = Date.now() + END_TIMEOUT_MS; Date.now() < deadline; await sleep(50)) if (await holds()) return
  throw new Error(`not so within ${END_TIMEOUT_MS} ms: ${holds}`)
}

/**
 * Starts a service. Builds its static files unless the environment says that they exist.
 *
 * @param {string} state the folder of its data
 * @param {number} [port] a free one if omitted
 * @param {Record<string, string>} [environment]
 */
export async function startService(state, port, environment = {}) {
  const usedPort = port ?? (await freePort())
  // All tests are one client, which is limited to 120 token requests per minute.
  const args = ['--port', String(usedPort), '--persist-to', state, '--no-rate-limits']
  const { child, ready, output } = startAsUser(args, { environment })
  const ended = once(child, 'close').then(([code]) => code)
  await ready
  // It leads its own process group.
  const { group } = processes().find(({ pid, parent, group }) => parent === child.pid && pid === group)
  const kill = () => {
    child.kill('SIGKILL')
    if (groupMembers(group).length > 0) process.kill(-group, 'SIGKILL')
  }
  return { origin: `http://localhost:${usedPort}`, port: usedPort, state, child, group, ended, output, kill }
}

/** For services in addition to that of `setup.mjs`, which has built the files. */
export const FILES_ARE_BUILT = { ASSETS_ARE_BUILT: '1' }

export const logOf = ({ state }) => readFile(path.join(state, 'service.log'), 'utf8')

/** Sets the clock of a service ahead. */
export const setClock = ({ origin }, ms) => fetch(`${origin}${CLOCK_PATH}?ahead=${ms}`, CONTROL)
