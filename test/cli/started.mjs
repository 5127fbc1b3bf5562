import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { parseEnv } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { run } from '#cli/program'
import { CatalogClient, clientCredentials, ServiceClient } from '../../scripts/client/client.mjs'
import { root } from '../../scripts/wrangler.mjs'
import { demoAccess, demoClient, groupMembers, startService } from '../scripts/support.mjs'
import { freePort } from '../support/npm-start.mjs'
import { serve, startProxy } from '../support/proxy.mjs'

/**
 * One service for all tests of the command line, and the package as it serves it, installed in an empty folder of
 * somebody else.
 */

/** @type {{ folder: string, origin: string, environment: Record<string, string>, service: any, client: any }} */
export const started = {}

export async function start() {
  const scratch = await mkdtemp(path.join(tmpdir(), 'command-line-'))
  const folder = path.join(scratch, 'empty')
  await mkdir(folder)
  const ports = ['--port', String(await freePort()), '--inspector-port', String(await freePort())]
  // All tests are one client, which may get 120 tokens a minute.
  const service = await startService([...ports, '--persist-to', path.join(scratch, 'state'), '--no-rate-limits'])
  const { baseUrl, clientId, clientSecret, apiKey } = demoAccess(service)
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
  Object.assign(started, { folder, origin: baseUrl, environment, service, client: demoClient(service) })
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
  const { child, ended, group } = started.service
  child.kill('SIGTERM')
  expect([await ended, groupMembers(group)], 'npm start ends in order, and nothing of it is left').toEqual([0, []])
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

/** The installed command, as a process of its own: what a shell and the build make of it. */
export const installedDcs = (args, options) =>
  runProgram(path.join(started.folder, 'node_modules', '.bin', 'dcs'), args, options)

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

/**
 * The command in this process, which saves a second for each.
 *
 * @param isTerminal whether a person sits there; `others` are other parts of its shell
 */
export async function dcs(args, { env = {}, input, isTerminal = false, ...others } = {}) {
  const [stdout, stderr] = [new Collected(), Object.assign(new Collected(), { isTTY: isTerminal })]
  const given = input === undefined ? [] : [Buffer.from(input)]
  const stdin = Object.assign(Readable.from(given), { isTTY: isTerminal })
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

/** A proxy that loses the answers of the first writes. @returns its address */
export function losing(answers) {
  let lost = 0
  return inFront((request) => (isWrite(request) && lost++ < answers ? 'lose' : 'pass'))
}

export async function operator() {
  const { PLATFORM_ADMIN_TOKEN: token } = parseEnv(await readFile(path.join(root, '.dev.vars'), 'utf8'))
  return new ServiceClient({ baseUrl: started.origin, tokens: { token: async () => token } })
}

/** A workspace of a nightly job: its client, and the secrets of the job. */
export async function newWorkspace(name) {
  const platform = await operator()
  const { workspace_id } = await platform.post('/platform/v1/workspaces', { body: { name } })
  const params = { workspace_id }
  const body = { client_name: 'nightly' }
  const key = await platform.post('/platform/v1/workspaces/{workspace_id}/api-keys', { params, body })
  const { client_id: clientId, client_secret: clientSecret, api_key: apiKey } = key
  const baseUrl = started.origin
  const client = new CatalogClient({ baseUrl, tokens: clientCredentials({ baseUrl, clientId, clientSecret, apiKey }) })
  return { platform, params, client, secrets: { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, API_KEY: apiKey } }
}

/** Secrets as `dcs` reads them. */
export const forDcs = (secrets) =>
  Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`DCS_${name}`, value]))

export const statusOf = (type) => started.client.get('/admin/catalogs/v1/{type}', { params: { type } })
