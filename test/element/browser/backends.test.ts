/** The backends of docs/partners.md, as they are in `samples/partner`. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  callService,
  newWorkspace,
  operator,
  programToken,
  service,
  writeRecords,
} from '../../console/browser/workspaces'
import { freePort } from '../../support/npm-start.mjs'
import { callFpm, phpFpm, startFpm } from './php-fpm'

const root = path.join(import.meta.dirname, '../../..')
const guide = readFileSync(path.join(root, 'docs', 'partners.md'), 'utf8')

const [, page = ''] = /^```html catalog-page\n(.*?)^```$/ms.exec(guide) ?? []
const program = (file: string): string => readFileSync(path.join(root, 'samples', 'partner', file), 'utf8')

interface Backend {
  file: string
  command: (port: number) => string[]
  /** A command that succeeds if the backend can run on this machine. */
  probe: string[]
  /** What says who is logged in, for the tests: a header. */
  user: string
}

const BACKENDS: Record<string, Backend> = {
  Node: {
    file: 'server.mjs',
    command: () => [process.execPath, 'server.mjs'],
    probe: [process.execPath, '--version'],
    user: "request.headers['x-user']",
  },
  Python: {
    file: 'server.py',
    command: () => ['python3', 'server.py'],
    probe: ['python3', '-c', 'import cryptography'],
    user: 'request.headers.get("x-user")',
  },
  PHP: {
    file: 'catalog-token.php',
    // Where PHP on a server may be: nothing may depend on it.
    command: (port) => ['php', '-d', 'allow_url_fopen=0', '-S', `localhost:${port}`, 'catalog-token.php'],
    probe: ['php', '-r', "exit(extension_loaded('openssl') && extension_loaded('curl') ? 0 : 1);"],
    user: "$_SERVER['HTTP_X_USER'] ?? null",
  },
  Java: {
    file: 'CatalogToken.java',
    command: () => ['java', 'CatalogToken.java'],
    probe: ['javac', '--version'],
    user: 'exchange.getRequestHeaders().getFirst("x-user")',
  },
}

const canRun = ([program = '', ...args]: string[]): boolean => spawnSync(program, args).status === 0

describe.skipIf(inject('service') === undefined)('the backends of the partner guide', () => {
  let credential: Record<'kid' | 'secret' | 'issuer' | 'audience', string>
  let folder: string
  let running: ChildProcess | undefined

  beforeAll(async () => {
    const workspaceId = await newWorkspace('Backends')
    const token = await programToken(workspaceId)
    await writeRecords(token, 'symptom', [{ symptom_id: 'S1', name: 'Cough' }])
    await callService(token, '/admin/datasets/v1/search-status/?type=symptom', { enabled: true })
    credential = await operator().post('/platform/v1/workspaces/{workspace_id}/partner-credentials', {
      params: { workspace_id: workspaceId },
      body: { issuer: 'https://partner.example/path' },
    })
  })
  afterEach(() => {
    running?.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  let log: string

  async function start({ file, command, user }: Backend, settings: Record<string, string> = {}): Promise<string> {
    const { kid: KID, secret: SECRET, issuer: ISSUER, audience: AUDIENCE } = credential
    // Below the project, so that Node finds the libraries.
    mkdirSync(path.join(root, 'dist'), { recursive: true })
    folder = mkdtempSync(path.join(root, 'dist', 'backend-'))
    writeFileSync(path.join(folder, file), program(file).replace(/["']user-1["']/, user))
    writeFileSync(path.join(folder, 'index.html'), page)
    const port = await freePort()
    const [name = '', ...args] = command(port)
    const env = { PORT: String(port), SERVICE: service().origin, KID, SECRET, ISSUER, AUDIENCE, ...settings }
    const child = spawn(name, args, { cwd: folder, env: { ...process.env, ...env } })
    running = child
    log = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        log += data.toString()
      })
    return `http://localhost:${port}/`
  }

  const ask = (url: string, headers: Record<string, string>) =>
    fetch(`${url}catalog-token`, { method: 'POST', headers })
  const statusFor = async (url: string, headers: Record<string, string>) =>
    (await ask(url, headers).catch(() => undefined))?.status

  for (const [language, backend] of Object.entries(BACKENDS)) {
    const isThere = canRun(backend.probe)
    if (!isThere && inject('service') !== undefined) {
      process.stderr.write(
        `!! The ${language} backend of docs/partners.md was not tested: \`${backend.probe.join(' ')}\` fails on this machine.\n`,
      )
      continue
    }
    it(`in ${language} hands out sessions that can only search, and none to strangers`, async () => {
      const url = await start(backend)
      await expect.poll(() => statusFor(url, {}), { timeout: 30_000 }).toBe(401)
      expect(await (await fetch(url)).text()).toBe(page)
      const answer = await ask(url, { 'x-user': '+919800000001' })
      const grant = (await answer.json()) as Record<string, unknown>
      expect(grant).toMatchObject({ scope: 'search', expires_in: 900 })
      expect(answer.headers.get('Cache-Control')).toBe('no-store')
      const token = String(grant.access_token)
      const found = await callService(token, '/medical-db/v1/search/', { type: 'symptom', q: 'cou' })
      expect(await found.json()).toMatchObject({ data: { count: 1 } })
      const list = await callService(token, '/admin/datasets/v1/?type=symptom')
      expect(list.status).toBe(403)
    })

    it(`in ${language} answers a bad credential by 502, tells the log why, and goes on`, async () => {
      const url = await start(backend, { SECRET: Buffer.alloc(32).toString('base64url') })
      const refused = () => statusFor(url, { 'x-user': '+919800000001' })
      await expect.poll(refused, { timeout: 30_000 }).toBe(502)
      expect(await refused()).toBe(502)
      expect(log).toMatch(/catalog-token: 401 .*"message".* [\w-]{36}/)
    })

    it(`in ${language} says in the log which setting is missing`, async () => {
      const url = await start(backend, { KID: '' })
      // PHP begins with each request.
      await expect.poll(() => statusFor(url, {}).then(() => log), { timeout: 30_000 }).toContain('not set: KID')
    })
  }

  it.skipIf(phpFpm === undefined)(
    'in PHP under FPM says in the log what is missing, and works with parameters',
    async () => {
      folder = mkdtempSync('/tmp/fpm-')
      chmodSync(folder, 0o755)
      const file = path.join(folder, 'catalog-token.php')
      writeFileSync(file, program('catalog-token.php'))
      running = startFpm(String(phpFpm), folder)
      const request = {
        SCRIPT_FILENAME: file,
        REQUEST_METHOD: 'POST',
        REQUEST_URI: '/catalog-token',
        CONTENT_LENGTH: '0',
      }
      const ask = (settings: Record<string, string>) => callFpm(folder, { ...request, ...settings }).catch(() => '')
      const missing = 'catalog-token: not set: SERVICE, KID, SECRET, ISSUER, AUDIENCE'
      await expect.poll(() => ask({}), { timeout: 30_000 }).toContain(missing)
      const { kid: KID, secret: SECRET, issuer: ISSUER, audience: AUDIENCE } = credential
      expect(await ask({ SERVICE: service().origin, KID, SECRET, ISSUER, AUDIENCE })).toContain('"access_token"')
    },
  )
})
