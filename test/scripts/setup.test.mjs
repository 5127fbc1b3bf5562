import { statSync } from 'node:fs'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfiguration } from '../../scripts/configuration.mjs'
import { planOf } from '../../scripts/deploy/setup/plan.mjs'
import { resourcesOf } from '../../scripts/deploy/setup/resources.mjs'
import { deploy } from '../../scripts/deploy/steps.mjs'
import { Project, TOKEN } from './platform/project.mjs'
import { Platform } from './platform/stand-in.mjs'
import { describeVerify } from './verify.mjs'

const ISSUER = 'https://catalog.clinic.example'
const PRODUCTION = ['--issuer', ISSUER, '--location', 'apac', '--admin', 'asha@clinic.example', '--yes']
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

/** The message with which `npm run setup` stops before it asks anything, from its plan. */
async function refusedPlan(options) {
  platform.requests.length = 0
  const { message } = await planOf({ env: undefined, issuer: ISSUER, ...options }).then(
    () => expect.unreachable('the plan is not refused'),
    (error) => error,
  )
  expect(platform.changes).toEqual([])
  return message
}

/** The ID of the version that responds. */
const servedBy = (worker) => platform.workers.get(worker).deployments.at(-1)

/** The bindings of an environment's Worker, by name. */
function boundTo(worker) {
  const { versions } = platform.workers.get(worker)
  const { bindings } = versions.find(({ id }) => id === servedBy(worker)).metadata
  return Object.fromEntries(
    bindings.map((one) => [one.name, one.text ?? one.id ?? one.namespace_id ?? one.bucket_name]),
  )
}

describe('an empty account', () => {
  it('makes npm run deploy name everything that is wrong with the committed configuration', async () => {
    platform.requests.length = 0
    const { message } = await deploy({}).catch((error) => error)
    expect(message).toMatch(/^Nothing was changed, because:\n/)
    for (const error of [
      'ISSUER is http://localhost:8787, which only this machine reaches',
      'DB has the placeholder',
      'the secret MASTER_KEY is not set',
      'nothing is deployed yet: npm run setup',
    ])
      expect(message).toContain(error)
    expect(platform.requests.length).toBeGreaterThan(0)
    expect(platform.changes).toEqual([])
  })

  it('lets npm run setup stop at anything that cannot work, before it changes anything', async () => {
    platform.mayWrite = false
    const message = await refusedPlan()
    for (const permission of ['D1', 'Workers KV Storage', 'Workers R2 Storage', 'Workers Scripts'])
      expect(message).toContain(`it lacks the permission ${permission} Edit`)
    platform.mayWrite = true
    platform.subdomain = null
    expect(await refusedPlan()).toContain('The account has no workers.dev subdomain')
    platform.subdomain = 'clinic'
    const elsewhere = 'The domain of catalog.clinc.example is not in this account'
    expect(await refusedPlan({ issuer: 'https://catalog.clinc.example' })).toContain(elsewhere)
    platform.domains.set('catalog.clinic.example', 'shop')
    expect(await refusedPlan()).toContain('The Worker shop already serves catalog.clinic')
    platform.domains.clear()
  })

  it('makes npm run setup stop at IDs in wrangler.toml that belong to another account', async () => {
    const { d1_databases, ...config } = readConfiguration()
    const ofOther = d1_databases.map((each) => ({ ...each, database_id: '99999999-0000-4000-8000-000000000001' }))
    await expect(resourcesOf({ ...config, d1_databases: ofOther }, {})).rejects.toThrow(
      'with the id 99999999-0000-4000-8000-000000000001, which is not in this account',
    )
  })
})

describe('production', () => {
  let secrets = {}

  beforeAll(async () => {
    // The state after a run that was killed before it knew of the first database.
    platform.addDatabase('dataset-catalog')
    platform.buckets.set('dataset-catalog-documents', {})
    platform.objects.set('dataset-catalog-documents/north/one', Buffer.from('of somebody else'))
    expect(await refusedPlan()).toContain('The bucket contains objects, and no ownership marker')
    const made = await project.run('deploy/setup.mjs', [...PRODUCTION, '--adopt-bucket'])
    expect(made.code, made.output).toBe(0)
    expect(platform.objects.get('dataset-catalog-documents/_deployment').toString()).toBe('free')
    expect(made.output).toMatch(/client_id .*\n.*client_secret .*\n.*X-API-KEY /)
    secrets = parseEnv(await project.read('.setup/production/secrets.env'))
    for (const name of SECRETS) expect(made.output).not.toContain(secrets[name])
  })

  it('is created by npm run setup, which continues where an earlier run was interrupted', async () => {
    expect([...platform.databases.keys()].sort()).toEqual(['dataset-catalog', 'dataset-catalog-2'])
    expect([...platform.namespaces.keys()]).toEqual(['dataset-catalog-service-seen-jti'])
    expect([...platform.buckets.keys()]).toEqual(['dataset-catalog-documents'])
    const creations = platform.requests.filter(
      ({ method, path: asked, body }) => method === 'POST' && asked === '/d1/database' && body.length > 2,
    )
    expect(creations.map(({ body }) => JSON.parse(body).primary_location_hint)).toEqual(['apac'])
    const rows = await platform.query(
      'dataset-catalog',
      'SELECT w.workspace_id, m.email, m.role FROM workspaces w LEFT JOIN members m ON m.workspace_id = w.workspace_id',
    )
    expect(rows).toEqual([{ workspace_id: 'main', email: 'asha@clinic.example', role: 'admin' }])
  })

  it('has the secrets of a file that only its owner can read', () => {
    expect(statSync(fileOf('.setup/production/secrets.env')).mode & 0o777).toBe(0o600)
    expect(statSync(fileOf('.setup/production')).mode & 0o777).toBe(0o700)
    const bound = boundTo(WORKER)
    expect(Object.fromEntries(SECRETS.map((name) => [name, bound[name]]))).toEqual(secrets)
  })

  it('has its IDs and its address in wrangler.toml, whose comments stay', async () => {
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
    expect(readConfiguration(undefined, fileOf('wrangler.toml'))).toMatchObject({
      account_id: 'account',
      placement: { region: 'aws:ap-southeast-1' },
    })
    expect(platform.domains).toEqual(new Map([['catalog.clinic.example', WORKER]]))
  })

  it('gets a new version by npm run deploy, which says how to roll back', async () => {
    const before = servedBy(WORKER)
    // Of another environment, as left in a shell.
    const deployed = await project.run('deploy/deploy.mjs', [], { PLATFORM_ADMIN_TOKEN: 'that of the sandbox' })
    expect(deployed.code, deployed.output).toBe(0)
    expect(deployed.output).toContain('ok: a search was answered\nok: every part is well')
    expect(deployed.output).toContain(`To roll back: npx wrangler rollback ${before} --env ""`)
    expect(servedBy(WORKER)).not.toBe(before)
    expect(boundTo(WORKER)).toMatchObject(secrets)
  })

  /** The message of a command that stops and changes nothing. */
  async function refused(script, args, environment = {}) {
    platform.requests.length = 0
    const { code, output } = await project.run(script, args, environment)
    expect([code, platform.changes], output).toEqual([1, []])
    return output
  }

  it('is not deployed with a migration that removes something that its Worker may use', async () => {
    const migrations = fileOf('migrations')
    await rm(migrations)
    await cp('migrations', migrations, { recursive: true })
    await writeFile(path.join(migrations, '0099_less.sql'), 'ALTER TABLE `records` DROP COLUMN `data`;')
    expect(await refused('deploy/deploy.mjs', [])).toContain('- migrations/0099_less.sql: drops a column')
    await rm(path.join(migrations, '0099_less.sql'))
  })

  it('has a wrangler.toml that npm run setup does not use for another account', async () => {
    const sandbox = ['--env', 'sandbox', '--issuer', 'https://sandbox.clinic.example', ...PRODUCTION.slice(2)]
    const said = await refused('deploy/setup.mjs', sandbox, { CLOUDFLARE_ACCOUNT_ID: 'another' })
    expect(said).toContain('wrangler.toml is for the account account, not for another')
  })

  /** Follows a section of the page. wrangler is replaced, and its input is recorded. */
  async function follow(section) {
    const page = await readFile('docs/replacing-keys.md', 'utf8')
    const [, commands] = new RegExp(`## ${section}\n[\\s\\S]*?\`\`\`sh\n([\\s\\S]*?)\`\`\``).exec(page)
    const wrangler = 'npx() { echo "$*" >> calls; [ "$3" != bulk ] || cat > "sent-$(($(wc -l < calls)))"; }'
    const run = project.shell(`rm -f calls; ${wrangler}; ${commands}`)
    expect(await run.ended, run.output()).toBe(0)
    const calls = (await project.read('calls')).split('\n').filter(Boolean)
    const bulks = calls.filter((call) => call.includes('bulk'))
    const sent = await Promise.all(bulks.map(async (_, index) => parseEnv(await project.read(`sent-${index + 1}`))))
    const kept = parseEnv(await project.read('.setup/production/secrets.env'))
    return { output: run.output(), calls, sent, kept }
  }

  it('gets a new signing key by the commands of the page, word by word', async () => {
    const { calls, sent, kept } = await follow('Signing key')
    const [[old], [fresh]] = [secrets, kept].map((each) => JSON.parse(each.SIGNING_KEYS))
    expect(fresh.kid).not.toBe(old.kid)
    const keys = [[old, fresh], [fresh, old], [fresh]]
    expect(sent).toEqual(keys.map((list) => ({ SIGNING_KEYS: JSON.stringify(list) })))
    expect(calls).toEqual(keys.map(() => 'wrangler secret bulk --env '))
    expect(kept).toEqual({ ...secrets, ...sent.at(-1) })
    secrets = kept
  })

  it('gets a new master key by the commands of the page, word by word', async () => {
    const { output, calls, sent, kept } = await follow('Master key')
    expect(output).toMatch(/secrets re-encrypted, 0 remaining/)
    const { MASTER_KEY: old } = secrets
    const { MASTER_KEY: fresh } = kept
    expect(fresh).not.toBe(old)
    expect(sent).toEqual([
      { MASTER_KEY: old, PREVIOUS_MASTER_KEYS: fresh },
      { MASTER_KEY: fresh, PREVIOUS_MASTER_KEYS: old },
    ])
    expect(kept).toEqual({ ...secrets, MASTER_KEY: fresh })
    const bulk = 'wrangler secret bulk --env '
    expect(calls).toEqual([bulk, bulk, 'wrangler secret delete PREVIOUS_MASTER_KEYS --env '])
  })
})

it('a sandbox next to production uses no database of an earlier release or another application', async () => {
  const refusedSandbox = () => refusedPlan({ env: 'sandbox', issuer: 'https://catalog-sandbox.clinic.example' })
  const name = 'dataset-catalog-sandbox'
  platform.addDatabase(name)
  const release = "CREATE TABLE d1_migrations (name);\nINSERT INTO d1_migrations VALUES ('0076_move_marks.sql')"
  await platform.query(name, release)
  expect(await refusedSandbox()).toContain(
    `The database ${name} is of an earlier release (0076_move_marks.sql), which this release does not upgrade`,
  )
  await platform.query(name, 'DROP TABLE d1_migrations')
  await platform.query(name, 'CREATE TABLE customers (id)')
  expect(await refusedSandbox()).toContain(`The database ${name} belongs to another application: it has customers`)
})

describeVerify(() => ({ platform, project }))
