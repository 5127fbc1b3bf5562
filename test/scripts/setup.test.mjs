import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfiguration } from '../../scripts/configuration.mjs'
import { MIGRATIONS } from '../../scripts/database/migrate.mjs'
import { planOf } from '../../scripts/deploy/setup/plan.mjs'
import { resourcesOf } from '../../scripts/deploy/setup/resources.mjs'
import { Project, TOKEN } from './platform/project.mjs'
import { Platform } from './platform/stand-in.mjs'

const ISSUER = 'https://catalog.clinic.example'
const PRODUCTION = ['--issuer', ISSUER, '--location', 'apac', '--admin', 'asha@clinic.example', '--yes']
const SANDBOX_ISSUER = 'https://catalog-sandbox.clinic.example'
const SANDBOX = ['--env', 'sandbox', '--issuer', SANDBOX_ISSUER, '--admin', 'asha@clinic.example', '--yes']
const SECRETS = ['PLATFORM_ADMIN_TOKEN', 'SIGNING_KEYS', 'MASTER_KEY']
const WORKER = 'dataset-catalog-service'

/** @type {Platform} */
let platform
/** @type {Project} */
let project
beforeAll(async () => {
  platform = await Platform.start()
  Object.assign(process.env, { CLOUDFLARE_API_BASE_URL: platform.origin, CLOUDFLARE_API_TOKEN: TOKEN })
  project = await Project.make(platform)
})
afterAll(async () => {
  await platform.close()
  await project.remove()
})

const fileOf = (name) => path.join(project.directory, name)

const setUp = (args, environment) => project.run('deploy/setup.mjs', args, environment)

/** Runs a script that has to refuse: it ends with 1, and neither the account nor the configuration changes. */
async function refused(script, args, environment) {
  const before = await project.read('wrangler.toml')
  platform.requests.length = 0
  const { code, output } = await project.run(script, args, environment)
  expect(code, output).toBe(1)
  expect(platform.changes).toEqual([])
  expect(await project.read('wrangler.toml')).toBe(before)
  return output
}

/** What `npm run setup` refuses before it asks anything, as its plan says. */
async function refusedPlan(options) {
  platform.requests.length = 0
  const { message } = await planOf({ env: undefined, issuer: ISSUER, ...options }).then(
    () => expect.unreachable('the plan is not refused'),
    (error) => error,
  )
  expect(platform.changes).toEqual([])
  return message
}

/** The id of the version that answers. */
const servedBy = (worker) => platform.workers.get(worker).deployments.at(-1)

/** What the Worker of an environment is bound to, by name. */
function boundTo(worker) {
  const { versions } = platform.workers.get(worker)
  const { bindings } = versions.find(({ id }) => id === servedBy(worker)).metadata
  return Object.fromEntries(
    bindings.map((one) => [one.name, one.text ?? one.id ?? one.namespace_id ?? one.bucket_name]),
  )
}

/** The credentials that a run has printed. */
const printed = (output) =>
  ['client_id', 'client_secret', 'X-API-KEY'].map((name) => new RegExp(`${name} +(\\S+)`).exec(output)?.[1])

describe('before anything is there', () => {
  it('npm run deploy names everything that is wrong with the committed configuration', async () => {
    const output = await refused('deploy/deploy.mjs', [])
    expect(output).toContain('Nothing was changed, because:')
    expect(output).toContain('ISSUER is http://localhost:8787, which only this machine reaches')
    expect(output).toContain('DB has the placeholder')
    expect(output).toContain('the secret MASTER_KEY is not set')
    expect(output).toContain('nothing is deployed yet: npm run setup')
    expect(platform.requests.length).toBeGreaterThan(0)
  })

  it('npm run setup refuses a wrong token', async () => {
    expect(await refused('deploy/setup.mjs', PRODUCTION, { CLOUDFLARE_API_TOKEN: 'wrong' })).toContain(
      'Authentication error',
    )
  })

  it('npm run setup refuses a token that may only read', async () => {
    platform.mayWrite = false
    expect(await refusedPlan()).toContain(
      'it lacks the permissions D1: Edit, Workers KV Storage: Edit, Workers R2 Storage: Edit, Workers Scripts: Edit',
    )
    platform.mayWrite = true
  })

  it('npm run setup asks for a workers.dev subdomain, without which the platform takes no Worker', async () => {
    platform.subdomain = null
    expect(await refusedPlan()).toContain('The account has no workers.dev subdomain')
    platform.subdomain = 'clinic'
  })

  it('npm run setup refuses a host of a domain that is not in the account', async () => {
    expect(await refusedPlan({ issuer: 'https://catalog.clinc.example' })).toContain(
      'The domain of catalog.clinc.example is not in this account',
    )
  })

  it('npm run setup refuses a host at which another Worker answers', async () => {
    platform.domains.set('catalog.clinic.example', 'shop')
    expect(await refusedPlan()).toContain('The Worker shop answers at catalog.clinic')
    platform.domains.clear()
  })

  it('npm run setup refuses ids in wrangler.toml that are of another account', async () => {
    const { d1_databases, ...config } = readConfiguration()
    const ofOther = d1_databases.map((each) => ({ ...each, database_id: '99999999-0000-4000-8000-000000000001' }))
    await expect(resourcesOf({ ...config, d1_databases: ofOther }, {})).rejects.toThrow(
      'with the id 99999999-0000-4000-8000-000000000001, which is not in this account',
    )
  })
})

/** What was under way when the machine stopped, and how it stopped: killed, or by Ctrl-C. The answer is lost. */
const INTERRUPTIONS = [
  [/^POST \S+\/d1\/database .*dataset-catalog-2"/, 'SIGKILL'],
  [/^POST \S+\/platform\/v1\/clients /, 'SIGINT'],
]

async function interruptedAt(pattern, signal) {
  const run = project.start('deploy/setup.mjs', PRODUCTION)
  let reached = false
  platform.interrupt(pattern, () => {
    reached = true
    run.kill(signal)
  })
  await run.ended
  expect(reached, `${pattern}\n${run.output()}`).toBe(true)
  return run.output()
}

describe('production', () => {
  let output = ''
  let secrets = {}

  beforeAll(async () => {
    const outputs = []
    for (const [pattern, signal] of INTERRUPTIONS) outputs.push(await interruptedAt(pattern, signal))
    const last = await setUp(PRODUCTION)
    expect(last.code, last.output).toBe(0)
    output = last.output
    secrets = parseEnv(await project.read('.setup/production/secrets.env'))
    for (const text of [...outputs, output]) {
      for (const name of SECRETS) expect(text).not.toContain(secrets[name])
    }
  })

  it('is made once by npm run setup, wherever that was interrupted', async () => {
    expect([...platform.databases.keys()].sort()).toEqual(['dataset-catalog', 'dataset-catalog-2'])
    expect([...platform.namespaces.keys()]).toEqual(['dataset-catalog-service-seen-jti'])
    expect([...platform.buckets.keys()]).toEqual(['dataset-catalog-documents'])
    const creations = platform.requests.filter(
      ({ method, path: asked, body }) => method === 'POST' && asked === '/d1/database' && body.length > 2,
    )
    expect(creations.map(({ body }) => JSON.parse(body).primary_location_hint)).toEqual(['apac', 'apac'])
    for (const name of platform.databases.keys()) {
      const rows = await platform.query(name, 'SELECT name FROM d1_migrations ORDER BY id')
      expect(rows.map((row) => row.name)).toEqual(MIGRATIONS)
    }
    const rows = await platform.query(
      'dataset-catalog',
      'SELECT w.workspace_id, m.email, m.role FROM workspaces w LEFT JOIN members m ON m.workspace_id = w.workspace_id',
    )
    expect(rows).toEqual([{ workspace_id: 'main', email: 'asha@clinic.example', role: 'admin' }])
  })

  it('has the secrets of a file that only its owner can read, and never got others', () => {
    expect(statSync(fileOf('.setup/production/secrets.env')).mode & 0o777).toBe(0o600)
    expect(statSync(fileOf('.setup/production')).mode & 0o777).toBe(0o700)
    const { versions } = platform.workers.get(WORKER)
    expect(versions.length).toBeGreaterThan(1)
    for (const { metadata } of versions) {
      const sent = metadata.bindings.filter(({ type }) => type === 'secret_text')
      expect(Object.fromEntries(sent.map(({ name, text }) => [name, text]))).toEqual(secrets)
    }
  })

  it('has its ids and its address in wrangler.toml, whose comments stay', async () => {
    const [before, after] = [await readFile('wrangler.toml', 'utf8'), await project.read('wrangler.toml')]
    const comments = (text) => text.split('\n').filter((line) => line.startsWith('#'))
    expect(comments(after)).toEqual(comments(before))
    expect(after.slice(after.indexOf('\n[env.sandbox]'))).toBe(before.slice(before.indexOf('\n[env.sandbox]')))
    expect(boundTo(WORKER)).toMatchObject({
      ISSUER,
      PARTNER_AUDIENCE: `${ISSUER}/partners`,
      DB: platform.databases.get('dataset-catalog').uuid,
      DB_2: platform.databases.get('dataset-catalog-2').uuid,
      SEEN_JTI: platform.namespaces.get('dataset-catalog-service-seen-jti').id,
      DOCUMENTS: 'dataset-catalog-documents',
    })
    expect(platform.domains).toEqual(new Map([['catalog.clinic.example', WORKER]]))
  })

  it('comes with credentials that open it, which another call prints again without a change', async () => {
    expect(printed(output)).not.toContain(undefined)
    platform.requests.length = 0
    const again = await setUp(PRODUCTION)
    expect(again.code, again.output).toBe(0)
    expect(printed(again.output)).toEqual(printed(output))
    expect(platform.changes).toEqual([`POST ${ISSUER}/api/v1/auth/token`])
  })

  it('gets a new master key by the commands of the page, word by word', async () => {
    const page = await readFile('docs/deploying.md', 'utf8')
    const [, commands] = /### Master key\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(page)
    const run = project.shell(commands)
    expect(await run.ended, run.output()).toBe(0)
    expect(run.output()).toMatch(/secrets sealed again, 0 remaining/)
    const kept = parseEnv(await project.read('.setup/production/secrets.env'))
    expect(kept.MASTER_KEY).not.toBe(secrets.MASTER_KEY)
    const { versions } = platform.workers.get(WORKER)
    const { metadata } = versions.find(({ id }) => id === servedBy(WORKER))
    const sent = metadata.bindings.filter(({ type }) => type === 'secret_text')
    expect(Object.fromEntries(sent.map(({ name, text }) => [name, text]))).toEqual(kept)
  })

  it('gets a new version by npm run deploy, which says how to go back', async () => {
    const before = servedBy(WORKER)
    const deployed = await project.run('deploy/deploy.mjs', [])
    expect(deployed.code, deployed.output).toBe(0)
    expect(deployed.output).toContain('ok: a search was answered\nok: every part is well')
    expect(deployed.output).toContain(`To go back: npx wrangler rollback ${before} --env ""`)
    expect(servedBy(WORKER)).not.toBe(before)
  })

  it('is not rolled back to a version with another master key without a warning by wrangler', async () => {
    const [{ id: first }] = platform.workers.get(WORKER).versions
    const back = project.shell(`npx wrangler rollback ${first} --env "" --message test`)
    expect(await back.ended, back.output()).toBe(0)
    expect(back.output()).toContain('The following secrets have changed')
  })
})

describe('the sandbox beside it', () => {
  const refusedSandbox = () => refusedPlan({ env: 'sandbox', issuer: SANDBOX_ISSUER })

  it('does not use a database of release 2', async () => {
    platform.addDatabase('dataset-catalog-sandbox')
    const sql = "CREATE TABLE d1_migrations (name);\nINSERT INTO d1_migrations VALUES ('0076_move_marks.sql')"
    await platform.query('dataset-catalog-sandbox', sql)
    expect(await refusedSandbox()).toContain(
      'The database dataset-catalog-sandbox is of release 1 or 2 (0076_move_marks.sql), which this release does not upgrade',
    )
    await platform.query('dataset-catalog-sandbox', 'DROP TABLE d1_migrations')
  })

  it('does not use a database of the same name that belongs to something else', async () => {
    await platform.query('dataset-catalog-sandbox', 'CREATE TABLE customers (id)')
    expect(await refusedSandbox()).toContain(
      'The database dataset-catalog-sandbox is of something else: it has customers',
    )
    await platform.query('dataset-catalog-sandbox', 'DROP TABLE customers')
  })

  it('uses what is there and empty, and shares nothing with production', async () => {
    platform.addDatabase('dataset-catalog-sandbox-2')
    platform.buckets.set('dataset-catalog-documents-sandbox', {})
    const { code, output } = await setUp(SANDBOX)
    expect(code, output).toBe(0)
    expect(output).toContain('database dataset-catalog-sandbox: is there, will be used')
    expect(output).toContain('namespace dataset-catalog-service-sandbox-seen-jti: will be made')
    const [production, sandbox] = [WORKER, `${WORKER}-sandbox`].map(boundTo)
    const own = ['ISSUER', 'PARTNER_AUDIENCE', 'DB', 'DB_2', 'SEEN_JTI', 'DOCUMENTS', ...SECRETS]
    for (const name of own) {
      expect(sandbox[name], name).toBeDefined()
      expect(sandbox[name], name).not.toBe(production[name])
    }
    expect(production.ISSUER).toBe(ISSUER)
  })
})
