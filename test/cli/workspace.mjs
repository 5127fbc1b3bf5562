/**
 * A workspace for the tests of one file, with the sample catalogs, and `dcs` in an empty folder outside the project.
 */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest'
import { run } from '#cli/program'
import { CatalogClient, clientCredentials, ServiceClient } from '../../scripts/client/client.mjs'
import { loadSamples } from '../../scripts/local/demo.mjs'
import { root } from '../../scripts/wrangler.mjs'
import { serve, startProxy } from '../support/proxy.mjs'
import { runToEnd, withoutRegistry } from './programs.mjs'

/**
 * The workspace that the tests of this file use.
 *
 * @type {{ id: string, folder: string, origin: string, environment: Record<string, string>, client: CatalogClient }}
 */
export const workspace = {}

export const operatorToken = async () =>
  parseEnv(await readFile(path.join(root, '.dev.vars'), 'utf8')).PLATFORM_ADMIN_TOKEN

export const operator = () => new ServiceClient({ baseUrl: workspace.origin, tokens: { token: operatorToken } })

/** Creates a workspace with the sample catalogs, and a client with an API key for it. */
async function makeWorkspace(isEmpty) {
  const platform = operator()
  const { workspace_id } = await platform.post('/platform/v1/workspaces', { body: { name: 'Command line' } })
  const made = { params: { workspace_id }, body: { client_name: 'nightly' } }
  const key = await platform.post('/platform/v1/workspaces/{workspace_id}/api-keys', made)
  const readSample = (name) => readFile(path.join(root, 'samples', name))
  if (!isEmpty) await loadSamples({ fetch, origin: workspace.origin }, key, readSample)
  return { workspace_id, ...key }
}

/** Installs the package into a folder as `npm install` without `--global` does. */
async function installPackage(folder) {
  const modules = path.join(folder, 'node_modules')
  await cp(inject('cli').packageFolder, path.join(modules, 'dataset-catalog'), { recursive: true })
  await mkdir(path.join(modules, '.bin'))
  await symlink('../dataset-catalog/dcs.js', path.join(modules, '.bin', 'dcs'))
}

async function enter(service, isEmpty) {
  const folder = path.join(await mkdtemp(path.join(tmpdir(), 'command-line-')), 'empty')
  const home = path.join(folder, '..', 'home')
  await Promise.all([mkdir(folder), mkdir(home)])
  const { origin } = await service()
  Object.assign(workspace, { folder, origin })
  const { workspace_id, client_id, client_secret, api_key } = await makeWorkspace(isEmpty)
  const access = { baseUrl: origin, clientId: client_id, clientSecret: client_secret, apiKey: api_key }
  const environment = {
    ...withoutRegistry(home),
    DCS_URL: origin,
    DCS_CLIENT_ID: client_id,
    DCS_CLIENT_SECRET: client_secret,
    DCS_API_KEY: api_key,
  }
  const client = new CatalogClient({ ...access, tokens: clientCredentials(access) })
  Object.assign(workspace, { id: workspace_id, environment, client })
  await put('package.json', '{"private": true, "type": "module"}')
  await installPackage(folder)
  // Commands that run in this process find their files there.
  process.chdir(folder)
}

async function leave() {
  process.chdir(root)
  await rm(path.dirname(workspace.folder), { recursive: true, force: true })
}

/**
 * Creates a workspace for the tests of a file.
 *
 * @param {{ service?: () => Promise<{ origin: string }>, isEmpty?: boolean }} [options] service: instead of that of
 *   `setup.mjs`; isEmpty: whether the catalogs stay empty
 */
export function withWorkspace({ service = async () => inject('cli'), isEmpty = false } = {}) {
  beforeAll(() => enter(service, isEmpty))
  afterAll(leave)
}

export const runProgram = (file, args, { env = {}, input } = {}) =>
  runToEnd(file, args, { cwd: workspace.folder, env: { ...workspace.environment, ...env }, input })

/** Collects everything that is written to it. */
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

/** A terminal at which a user types these lines. */
export const terminal = (...lines) => Object.assign(Readable.from(lines.map((line) => `${line}\n`)), { isTTY: true })

/** The command in this process, which saves a second per run. @param options `others` are other parts of its shell */
export async function dcs(args, { env = {}, input, ...others } = {}) {
  const [stdout, stderr] = [new Collected(), new Collected()]
  const stdin = Readable.from(input === undefined ? [] : [Buffer.from(input)])
  const shell = { env: { ...workspace.environment, ...env }, stdin, stdout, stderr, ...others }
  const code = await run(args, shell)
  return { code, stdout: String(stdout.bytes), stderr: String(stderr.bytes), bytes: stdout.bytes }
}

const containing = (text) => (text instanceof RegExp ? expect.stringMatching(text) : expect.stringContaining(text))

/** Matches a command with this exit code and this text, on stdout or in its messages. */
export const said = (code, text) => ({ code, stdout: containing(text) })
export const warned = (code, text) => ({ code, stderr: containing(text) })

/** The object that a command prints with `--json`. */
export async function dcsJson(args, options) {
  const { code, stdout } = await dcs([...args, '--json'], options)
  return { code, ...JSON.parse(stdout) }
}

/** The objects that a command prints, one per line. */
export async function dcsLines(args) {
  const { stdout } = await dcs(args)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Writes a file to the folder of the test. @returns its name */
export async function put(name, content) {
  await writeFile(path.join(workspace.folder, name), content)
  return name
}

const HOUR_MS = 3_600_000

/** Writes a file whose time is some hours in the past. */
export async function putAgo(hours, name, content) {
  await put(name, content)
  const at = new Date(Date.now() - hours * HOUR_MS)
  await utimes(path.join(workspace.folder, name), at, at)
}

export const csv = (...rows) => `medication_id,name,aliases\n${rows.map((row) => `${row}\n`).join('')}`

const originUntilTestEnds = ({ origin, close }) => {
  onTestFinished(close)
  return origin
}

/** A server that responds in place of the service. @returns its address */
export const inPlace = async (answer) => originUntilTestEnds(await serve(answer))

/** A proxy in front of the service. @returns its address */
export const inFront = async (handle) => originUntilTestEnds(await startProxy(workspace.origin, handle))

/** Whether a request is a write, and not a dry run. */
export const isWrite = ({ method, url }) =>
  method === 'POST' && /^\/admin\/(?:datasets\/|catalogs\/.*\/write)/.test(url) && !url.includes('dry_run')

export const statusOf = (type) => workspace.client.get('/admin/catalogs/v1/{type}', { params: { type } })
