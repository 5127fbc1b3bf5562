/** The backends of docs/partners.md, from `samples/partner`. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { callService, filledWorkspace, idOfWorkspace, operator, service } from '../../console/browser/workspaces'
import { freePort } from '../../support/npm-start.mjs'
import { startProxy } from '../../support/proxy.mjs'
import { callFpm, phpFpm, startFpm } from './php-fpm'

const root = path.join(import.meta.dirname, '../../..')
const guide = readFileSync(path.join(root, 'docs', 'partners.md'), 'utf8')
const [, page = ''] = /^```html catalog-page\n(.*?)^```$/ms.exec(guide) ?? []
const program = (file: string): string => readFileSync(path.join(root, 'samples', 'partner', file), 'utf8')

interface Backend {
  file: string
  command: (port: number) => string[]
  /** A command that succeeds if the backend can run on this machine. */
  probe: string
  /** The header that names the logged-in user in the tests. */
  user: string
}

const BACKENDS: Record<string, Backend> = {
  Node: {
    file: 'server.mjs',
    command: () => [process.execPath, 'server.mjs'],
    probe: 'node --version',
    user: "request.headers['x-user']",
  },
  Python: {
    file: 'server.py',
    command: () => ['python3', 'server.py'],
    probe: 'python3 -c "import cryptography"',
    user: 'request.headers.get("x-user")',
  },
  PHP: {
    file: 'catalog-token.php',
    // The location of PHP on a server: nothing may depend on it.
    command: (port) => ['php', '-d', 'allow_url_fopen=0', '-S', `localhost:${port}`, 'catalog-token.php'],
    probe: `php -r "exit(extension_loaded('openssl') && extension_loaded('curl') ? 0 : 1);"`,
    user: "$_SERVER['HTTP_X_USER'] ?? null",
  },
  Java: {
    file: 'CatalogToken.java',
    // Compiling for speed costs more than it gains here.
    command: () => ['java', '-XX:TieredStopAtLevel=1', 'CatalogToken.java'],
    probe: 'javac --version',
    user: 'exchange.getRequestHeaders().getFirst("x-user")',
  },
}

const USER = { 'x-user': '+919800000001' }

/** Initially empty. */
const SOON = { timeout: 30_000 }

describe.skipIf(inject('service') === undefined)('the backends of the partner guide', () => {
  let settings: Record<string, string>
  let folder: string
  let running: ChildProcess | undefined
  let log: string
  let proxy: Awaited<ReturnType<typeof startProxy>>
  /** Makes the service reject the backends' tokens. */
  let isRefused = false

  beforeAll(async () => {
    const token = await filledWorkspace('Backends', 'symptom', [{ symptom_id: 'S1', name: 'Cough' }])
    await callService(token, '/admin/datasets/v1/search-status/?type=symptom', { enabled: true })
    const { kid, secret, issuer, audience } = await operator().post(
      '/platform/v1/workspaces/{workspace_id}/partner-credentials',
      { params: { workspace_id: idOfWorkspace('Backends') }, body: { issuer: 'https://partner.example/path' } },
    )
    proxy = await startProxy(service().origin, ({ headers }) => {
      if (isRefused) headers['x-auth-token'] = 'no token'
      return 'pass'
    })
    settings = { SERVICE: proxy.origin, KID: kid, SECRET: secret, ISSUER: issuer, AUDIENCE: audience }
  })
  afterAll(() => proxy.close())
  afterEach(() => {
    isRefused = false
    running?.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Starts a backend. @returns its address */
  async function start({ file, command, user }: Backend): Promise<string> {
    writeFileSync(path.join(folder, file), program(file).replace(/["']user-1["']/, user))
    writeFileSync(path.join(folder, 'index.html'), page)
    const port = await freePort()
    const [name = '', ...args] = command(port)
    log = ''
    const env = { ...process.env, PORT: String(port), ...settings }
    running = spawn(name, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [running.stdout, running.stderr])
      stream?.on('data', (data: Buffer) => {
        log += data.toString()
      })
    return `http://localhost:${port}/`
  }

  const ask = (url: string, headers: Record<string, string>) =>
    fetch(`${url}catalog-token`, { method: 'POST', headers })
  const statusFor = async (url: string, headers: Record<string, string>) =>
    (await ask(url, headers).catch(() => undefined))?.status

  /** Reports what is not tested on a machine without the language or its server. */
  function canTest(name: string, isInstalled: boolean): boolean {
    if (!isInstalled && inject('service') !== undefined)
      process.stderr.write(`!! ${name} is not installed: its example in docs/partners.md was not tested.\n`)
    return isInstalled
  }

  for (const [language, backend] of Object.entries(BACKENDS)) {
    if (!canTest(language, spawnSync(backend.probe, { shell: true }).status === 0)) continue
    it(`in ${language} issue sessions that can only search, none to strangers, and log failures`, async () => {
      // Below the project, so that Node finds the libraries.
      mkdirSync(path.join(root, 'dist'), { recursive: true })
      folder = mkdtempSync(path.join(root, 'dist', 'backend-'))
      const url = await start(backend)
      await expect.poll(() => statusFor(url, {}), SOON).toBe(401)
      expect(await (await fetch(url)).text()).toBe(page)
      const answer = await ask(url, USER)
      const grant = (await answer.json()) as Record<string, unknown>
      expect(grant).toMatchObject({ scope: 'search', expires_in: 900 })
      expect(answer.headers.get('Cache-Control')).toBe('no-store')
      const token = String(grant.access_token)
      const found = await callService(token, '/medical-db/v1/search/', { type: 'symptom', q: 'cou' })
      expect(await found.json()).toMatchObject({ data: { count: 1 } })
      expect((await callService(token, '/admin/datasets/v1/?type=symptom')).status).toBe(403)

      isRefused = true
      // It continues to work.
      for (let times = 0; times < 2; times++) expect(await statusFor(url, USER)).toBe(502)
      await expect.poll(() => log).toMatch(/catalog-token: 401 .*"message".* [\w-]{36}/)
    })
  }

  if (!canTest('PHP-FPM', phpFpm !== undefined)) return
  it('in PHP under FPM name missing settings, and work with parameters', async () => {
    folder = mkdtempSync('/tmp/fpm-')
    chmodSync(folder, 0o755)
    const file = path.join(folder, 'catalog-token.php')
    writeFileSync(file, program('catalog-token.php'))
    running = startFpm(String(phpFpm), folder)
    const request = { REQUEST_METHOD: 'POST', REQUEST_URI: '/catalog-token', CONTENT_LENGTH: '0' }
    const call = (more: Record<string, string>) =>
      callFpm(folder, { SCRIPT_FILENAME: file, ...request, ...more }).catch(() => '')
    const missing = 'catalog-token: not set: SERVICE, KID, SECRET, ISSUER, AUDIENCE'
    await expect.poll(() => call({}), SOON).toContain(missing)
    expect(await call(settings)).toContain('"access_token"')
  })
})
