import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { run } from '#cli/program'
import { CatalogClient, clientCredentials, ServiceClient } from '../../scripts/client/client.mjs'
import { CLOCK_PATH, CONTROL } from '../../scripts/local/control.mjs'
import { root } from '../../scripts/wrangler.mjs'
import { freePort, startAsUser } from '../support/npm-start.mjs'
import { serve, startProxy } from '../support/proxy.mjs'

/** How long the processes of a service may take to be gone, in milliseconds. */
const END_TIMEOUT_MS = 60_000

/**
 * One service for all tests of this folder, as a user starts it, and the package as it serves it, installed in an empty
 * folder of somebody else.
 *
 * @type {{ folder: string, state: string, port: number, origin: string, environment: Record<string, string>,
 *   service: any, client: any }}
 */
export const started = {}

/** Processes that run: zombies have ended. */
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

/** Starts the service on the port and the state that the tests share. */
export async function startService() {
  const { port, state } = started
  // All tests are one client, which may get 120 tokens a minute.
  const args = ['--port', String(port), '--persist-to', state, '--no-rate-limits']
  const { child, ready, output } = startAsUser(args, { environment: { ASSETS_ARE_BUILT: '1' } })
  const ended = once(child, 'close').then(([code]) => code)
  await ready
  // It leads a group of its own.
  const { group } = processes().find(({ pid, parent, group }) => parent === child.pid && pid === group)
  started.service = { child, ended, output, group }
}

/** What the service has printed of its demo workspace, as the client takes it. */
export function demoAccess() {
  const output = started.service.output()
  const [, clientId, clientSecret, apiKey] = /client_id +(\S+)\s+client_secret +(\S+)\s+X-API-KEY +(\S+)/.exec(output)
  return { baseUrl: started.origin, clientId, clientSecret, apiKey }
}

export function demoClient() {
  const access = demoAccess()
  return new CatalogClient({ ...access, tokens: clientCredentials(access) })
}

export const log = () => readFile(path.join(started.state, 'service.log'), 'utf8')

/** Sets the clock of the service so far ahead. */
export const setClock = (ms) => fetch(`${started.origin}${CLOCK_PATH}?ahead=${ms}`, CONTROL)

export async function start() {
  const scratch = await mkdtemp(path.join(tmpdir(), 'command-line-'))
  const [folder, state] = [path.join(scratch, 'empty'), path.join(scratch, 'state')]
  await mkdir(folder)
  const port = await freePort()
  Object.assign(started, { folder, state, port, origin: `http://localhost:${port}` })
  await startService()
  const { baseUrl, clientId, clientSecret, apiKey } = demoAccess()
  const environment = {
    PATH: process.env.PATH,
    HOME: path.join(scratch, 'home'),
    // Nothing listens there: npm must not need a registry.
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    DCS_URL: baseUrl,
    DCS_CLIENT_ID: clientId,
    DCS_CLIENT_SECRET: clientSecret,
    DCS_API_KEY: apiKey,
  }
  Object.assign(started, { environment, client: demoClient() })
  await mkdir(environment.HOME)
  await put('package.json', '{"private": true, "type": "module"}')
  const guide = await readFile(path.join(root, 'docs', 'cli.md'), 'utf8')
  const command = /^npm install --global .*$/m.exec(guide)[0].replace('https://catalog.example', baseUrl)
  const prefix = path.join(folder, 'global')
  const installed = await runProgram('sh', ['-c', command], { env: { npm_config_prefix: prefix } })
  if (installed.code !== 0) throw new Error(installed.stderr)
  // As `npm install` without `--global` has it.
  const modules = path.join(folder, 'node_modules')
  await cp(path.join(prefix, 'lib', 'node_modules'), modules, { recursive: true })
  await mkdir(path.join(modules, '.bin'))
  await symlink('../dataset-catalog/dcs.js', path.join(modules, '.bin', 'dcs'))
  // Commands that run in this process find their files there.
  process.chdir(folder)
}

export async function stop() {
  process.chdir(root)
  const { child, group } = started.service
  child.kill('SIGKILL')
  if (groupMembers(group).length > 0) process.kill(-group, 'SIGKILL')
  await rm(path.dirname(started.folder), { recursive: true, force: true })
}

export async function runProgram(file, args, { env = {}, input } = {}) {
  const { folder, environment } = started
  const child = spawn(file, args, {
    cwd: folder,
    env: { ...environment, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

/** Keeps what is written to it. */
class Collected extends Writable {
  #chunks = []

  get bytes() {
    return Buffer.concat(this.#chunks)
  }

  _write(chunk, _, done) {
    this.#chunks.push(Buffer.from(chunk))
    done()
  }
}

/** The command in this process, which saves a second for each. @param options `others` are other parts of its shell */
export async function dcs(args, { env = {}, input, ...others } = {}) {
  const [stdout, stderr] = [new Collected(), new Collected()]
  const stdin = Readable.from(input === undefined ? [] : [Buffer.from(input)])
  const shell = { env: { ...started.environment, ...env }, stdin, stdout, stderr, ...others }
  const code = await run(args, shell)
  return { code, stdout: String(stdout.bytes), stderr: String(stderr.bytes), bytes: stdout.bytes }
}

const containing = (text) => (text instanceof RegExp ? expect.stringMatching(text) : expect.stringContaining(text))

/** A command that ends with this code and says this, on stdout or in its messages. */
export const said = (code, text) => ({ code, stdout: containing(text) })
export const warned = (code, text) => ({ code, stderr: containing(text) })

/** The object that a command prints with `--json`. */
export async function dcsJson(args, options) {
  const { code, stdout } = await dcs([...args, '--json'], options)
  return { code, ...JSON.parse(stdout) }
}

/** The objects that a command prints, one on each line. */
export async function dcsLines(args) {
  const { stdout } = await dcs(args)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Writes a file into the folder of the test. @returns its name */
export async function put(name, content) {
  await writeFile(path.join(started.folder, name), content)
  return name
}

const HOUR_MS = 3_600_000

/** Writes a file some hours ago. */
export async function putAgo(hours, name, content) {
  await put(name, content)
  const at = new Date(Date.now() - hours * HOUR_MS)
  await utimes(path.join(started.folder, name), at, at)
}

export const csv = (...rows) => `medication_id,name,aliases\n${rows.map((row) => `${row}\n`).join('')}`

const originUntilTestEnds = ({ origin, close }) => {
  onTestFinished(close)
  return origin
}

/** A server that answers for the service. @returns its address */
export const inPlace = async (answer) => originUntilTestEnds(await serve(answer))

/** A proxy in front of the service. @returns its address */
export const inFront = async (handle) => originUntilTestEnds(await startProxy(started.origin, handle))

/** Whether a request writes, and is no dry run. */
export const isWrite = ({ method, url }) =>
  method === 'POST' && /^\/admin\/(?:datasets\/|catalogs\/.*\/write)/.test(url) && !url.includes('dry_run')

export const operatorToken = async () =>
  parseEnv(await readFile(path.join(root, '.dev.vars'), 'utf8')).PLATFORM_ADMIN_TOKEN

export const operator = () => new ServiceClient({ baseUrl: started.origin, tokens: { token: operatorToken } })

export const statusOf = (type) => started.client.get('/admin/catalogs/v1/{type}', { params: { type } })
