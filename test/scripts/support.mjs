import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { CatalogClient, clientCredentials } from '../../scripts/client/client.mjs'
import { root } from '../../scripts/wrangler.mjs'
import { startAsUser } from '../support/npm-start.mjs'

/** A new directory, which is removed after the test. */
export async function scratch() {
  const directory = await mkdtemp(path.join(tmpdir(), 'scripts-test-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Processes of a group that still run: `{ pid, command }`. Zombies have ended. */
export function groupMembers(group) {
  return execFileSync('ps', ['-eo', 'pid=,pgid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((match) => match && Number(match[2]) === group && !match[3].startsWith('Z'))
    .map(([, pid, , , command]) => ({ pid: Number(pid), command }))
}

/** Checks until `holds` is true; fails after `ms` milliseconds. */
export async function eventually(holds, ms) {
  for (const deadline = Date.now() + ms; Date.now() < deadline; ) {
    if (await holds()) return
    await sleep(50)
  }
  throw new Error(`not so within ${ms} ms: ${holds}`)
}

/** The process group of a direct child of `pid`, which leads it. */
function groupOfChild(pid) {
  const children = execFileSync('ps', ['-eo', 'pid=,ppid=,pgid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  return children.find(([child, parent, group]) => parent === pid && child === group)?.[0]
}

/**
 * Runs the start script until its welcome is printed. Who calls it ends the service.
 *
 * @returns its output, its process, the group of its service, and a promise for its end
 */
export async function startService(args) {
  const lines = []
  const { child, ready } = startAsUser(args, {
    environment: { ASSETS_ARE_BUILT: '1' },
    onLine: (line) => lines.push(line),
  })
  const ended = once(child, 'close').then(([code]) => code)
  await ready
  return { child, ended, output: () => lines.join('\n'), group: groupOfChild(child.pid) }
}

/** What a started service has printed of its demo workspace, as the client takes it. */
export function demoAccess({ output }) {
  const text = output()
  const [, baseUrl] = /^Dataset Catalog Service +(\S+)/m.exec(text)
  const [, clientId, clientSecret, apiKey] = /client_id +(\S+)\s+client_secret +(\S+)\s+X-API-KEY +(\S+)/.exec(text)
  return { baseUrl, clientId, clientSecret, apiKey }
}

/** A client of the demo workspace of a started service. */
export function demoClient(service, options = {}) {
  const access = demoAccess(service)
  return new CatalogClient({ ...access, tokens: clientCredentials(access), ...options })
}

/** Ends a service that still runs. */
export function endGroup({ child, group }) {
  child.kill('SIGKILL')
  if (groupMembers(group).length > 0) process.kill(-group, 'SIGKILL')
}

/** Runs a script of `scripts/`, with the static files that are there; it is killed after the test. */
export function runScript(script, args, environment = {}) {
  const child = spawn(process.execPath, [path.join('scripts', script), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ASSETS_ARE_BUILT: '1', ...environment },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const ended = once(child, 'close').then(([code]) => code)
  return { child, output: () => output, ended }
}
