/** The backends of docs/partners.md, as printed there. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

const root = path.join(import.meta.dirname, '../../..')
const guide = readFileSync(path.join(root, 'docs', 'partners.md'), 'utf8')

/** A code block of the guide. */
function example(fence: string): string {
  const [, code] = new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\`$`, 'ms').exec(guide) ?? []
  if (code === undefined) throw new Error(`the guide has no example ${fence}`)
  return code
}

interface Backend {
  files: Record<string, string>
  command: (port: number) => string[]
  /** A command that succeeds if the backend can run on this machine. */
  probe: string[]
}

/** The login of the partner that the guide leaves out: it says who sent a request. */
const BACKENDS: Record<string, Backend> = {
  Node: {
    files: {
      'server.mjs': example('js catalog-token'),
      'partner-token.mjs': example('js partner-token'),
      'login.mjs': "export const userOf = (request) => request.headers['x-user']",
    },
    command: () => [process.execPath, 'server.mjs'],
    probe: [process.execPath, '--version'],
  },
  Python: {
    files: {
      'server.py': example('python catalog-token'),
      'partner_token.py': example('python'),
      'login.py': "def user_of(request):\n    return request.headers.get('x-user')\n",
    },
    command: () => ['python3', 'server.py'],
    probe: ['python3', '-c', 'import cryptography'],
  },
  PHP: {
    files: {
      'catalog-token.php': example('php catalog-token'),
      'login.php': "<?php function user_of() { return $_SERVER['HTTP_X_USER'] ?? null; }",
    },
    command: (port) => ['php', '-S', `localhost:${port}`, 'catalog-token.php'],
    probe: ['php', '-r', "exit(extension_loaded('openssl') ? 0 : 1);"],
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

  async function start({ files, command }: Backend, SECRET = credential.secret): Promise<string> {
    const { kid: KID, issuer: ISSUER, audience: AUDIENCE } = credential
    // Below the project, so that Node finds the libraries.
    mkdirSync(path.join(root, 'dist'), { recursive: true })
    folder = mkdtempSync(path.join(root, 'dist', 'backend-'))
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
    const port = await freePort()
    const [program = '', ...args] = command(port)
    running = spawn(program, args, {
      cwd: folder,
      stdio: 'ignore',
      env: { ...process.env, PORT: String(port), SERVICE: service().origin, KID, SECRET, ISSUER, AUDIENCE },
    })
    return `http://localhost:${port}/`
  }

  const ask = (url: string, headers: Record<string, string>) => fetch(url, { method: 'POST', headers })

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
      const stranger = async () => (await ask(url, {}).catch(() => undefined))?.status
      await expect.poll(stranger, { timeout: 30_000 }).toBe(401)
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

    it(`in ${language} tells a refusal of the service, and goes on`, async () => {
      const url = await start(backend, Buffer.alloc(32).toString('base64url'))
      const refused = async () => (await ask(url, { 'x-user': '+919800000001' }).catch(() => undefined))?.status
      await expect.poll(refused, { timeout: 30_000 }).toBeGreaterThan(400)
      expect(await refused()).toBeGreaterThan(400)
    })
  }
})
