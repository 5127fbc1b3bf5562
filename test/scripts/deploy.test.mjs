import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfigurations } from '../../scripts/configuration.mjs'
import { openSqlite, trackedDatabases } from '../../scripts/database/sqlite.ts'
import {
  deploymentErrors,
  environmentsErrors,
  placeholderErrors,
  workerErrors,
} from '../../scripts/deploy/configuration-errors.mjs'
import { checkService } from '../../scripts/deploy/service-check.mjs'
import { requireAnswers } from '../../scripts/deploy/setup/options.mjs'
import { secretsToSend } from '../../scripts/deploy/setup/secrets.mjs'
import { issuerOf, jurisdictionOf, setPlace } from '../../scripts/deploy/setup/settings.mjs'
import { migrationErrors } from '../../scripts/deploy/steps.mjs'
import { contractionErrors } from '../../scripts/migrations/rules.ts'
import { EDGE } from '../support/cloudflare-refusals.mjs'
import { serve } from '../support/proxy.mjs'
import { scratch } from './support.mjs'

/** The configurations in `wrangler.toml`. */
const COMMITTED = readConfigurations()
const [PRODUCTION, SANDBOX] = ['production', 'sandbox'].map((name) => COMMITTED.get(name))

describe('the check of the configuration', () => {
  it("accepts this repository's, and lists what to replace before the first deployment", () => {
    expect(environmentsErrors(COMMITTED)).toEqual([])
    expect(placeholderErrors(SANDBOX)).toEqual(
      expect.arrayContaining([
        'ISSUER is http://localhost:8788, which only this machine reaches',
        expect.stringContaining('DB has the placeholder 00000000-0000-0000-0000-000000000001'),
      ]),
    )
  })

  const { vars, kv_namespaces, r2_buckets, d1_databases, routes } = PRODUCTION

  it.each([
    ['a Durable Object that is missing', { durable_objects: { bindings: [] } }, 'REPLAY_GUARD is not bound'],
    [
      'a binding of another kind',
      { kv_namespaces: [...kv_namespaces, ...r2_buckets], r2_buckets: [] },
      'DOCUMENTS is not bound',
    ],
    [
      'a value that the Worker rejects',
      { vars: { ...vars, HISTORY_DAYS: 'forever' } },
      'configuration: HISTORY_DAYS missing or malformed',
    ],
    [
      'a database for new workspaces that is not bound',
      { vars: { ...vars, NEW_WORKSPACES_IN: 'DB_2, DB_9' } },
      'NEW_WORKSPACES_IN names DB_9, which is not bound',
    ],
    ["the platform's own log lines", { observability: {} }, 'observability.logs.invocation_logs must be false'],
    [
      'a compatibility date that the pinned runtime does not know',
      { compatibility_date: '2999-01-01' },
      'compatibility_date is 2999-01-01; the last one is 20',
    ],
  ])('names %s, in each environment', (_, change, error) => {
    for (const name of COMMITTED.keys()) {
      const all = new Map(COMMITTED).set(name, { ...COMMITTED.get(name), ...change })
      expect(environmentsErrors(all)).toContainEqual(expect.stringContaining(`${name}: ${error}`))
    }
  })

  it.each([
    ['a database', { d1_databases }, 'the database_id 00000000-0000-0000-0000-000000000000'],
    ['an address', { routes }, 'the route catalog.example.com'],
  ])('names %s that both environments use', (_, shared, what) => {
    const all = new Map(COMMITTED).set('sandbox', { ...SANDBOX, ...shared })
    expect(environmentsErrors(all)).toContain(`sandbox: ${what} is also that of production`)
  })

  it('never shows a wrong secret that it recognizes', () => {
    const errors = workerErrors(PRODUCTION, { PLATFORM_ADMIN_TOKEN: 'too short' })
    expect(errors).toEqual(['configuration: PLATFORM_ADMIN_TOKEN missing or malformed'])
  })
})

it('the check of the tracked files finds databases among them, whatever their names are', async () => {
  const directory = await scratch()
  const git = (...words) => execFileSync('git', words, { cwd: directory })
  for (const name of ['--help', 'not-tracked.sqlite']) {
    const database = openSqlite(path.join(directory, name))
    database.run('CREATE TABLE workspaces (workspace_id TEXT)')
    database.close()
  }
  writeFileSync(path.join(directory, 'page.md'), 'SQLite format 3 is the first line of a database.\n')
  expect(trackedDatabases(directory)).toEqual([])
  git('init', '--quiet')
  git('add', '--', '--help', 'page.md')
  expect(trackedDatabases(directory)).toEqual(['--help'])
})

const GOOD = {
  ...PRODUCTION,
  routes: [{ pattern: 'catalog.example', custom_domain: true }],
  vars: { ISSUER: 'https://catalog.example', PARTNER_AUDIENCE: 'https://catalog.example/partners' },
  d1_databases: [{ binding: 'DB', database_id: 'd1' }],
  r2_buckets: [{ binding: 'DOCUMENTS', bucket_name: 'documents' }],
  kv_namespaces: [{ binding: 'SEEN_JTI', id: 'k1' }],
}
const secret = (name) => ({ name, type: 'secret_text' })
const DEPLOYED = {
  id: 'v1',
  bindings: [
    secret('SIGNING_KEYS'),
    secret('MASTER_KEY'),
    { name: 'PARTNER_AUDIENCE', type: 'plain_text', text: 'https://catalog.example/partners' },
    { name: 'DB', type: 'd1', id: 'd1' },
    { name: 'DOCUMENTS', type: 'r2_bucket', bucket_name: 'documents' },
  ],
}

describe('a deployment', () => {
  it('is not blocked if nothing is wrong', () => {
    expect(deploymentErrors(GOOD, DEPLOYED)).toEqual([])
  })

  it.each([
    ['a placeholder', { kv_namespaces: [{ binding: 'SEEN_JTI', id: '00000000' }] }, 'SEEN_JTI has the placeholder'],
    ['an address next to its domain', { workers_dev: true }, 'workers_dev is not false'],
    [
      'an issuer at another address',
      { vars: { ...GOOD.vars, ISSUER: 'https://other.example' } },
      'routes has catalog.example, but ISSUER is at other.example',
    ],
    [
      'another audience than the one that is deployed',
      { vars: { ...GOOD.vars, PARTNER_AUDIENCE: 'https://other.example' } },
      'PARTNER_AUDIENCE is https://catalog.example/partners in the deployed Worker',
    ],
    [
      'another database than the one that is deployed',
      { d1_databases: [{ binding: 'DB', database_id: 'd9' }] },
      'DB is d1 in the deployed Worker and d9 in wrangler.toml; --change DB changes it',
    ],
    [
      'a login without its secret',
      { vars: { ...GOOD.vars, OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'dcs' } },
      'the secret OIDC_CLIENT_SECRET is not set',
    ],
  ])('is blocked for %s', (_, change, error) => {
    expect(deploymentErrors({ ...GOOD, ...change }, DEPLOYED)).toEqual([expect.stringContaining(error)])
  })

  it('is blocked without its secrets, and before there is a Worker that has them', () => {
    const missing = [
      expect.stringContaining('SIGNING_KEYS is not set'),
      expect.stringContaining('MASTER_KEY is not set'),
    ]
    expect(deploymentErrors(GOOD, { id: 'v1', bindings: [] })).toEqual(missing)
    expect(deploymentErrors(GOOD, null)).toEqual(missing)
  })

  it('is blocked if it removes a database, which may contain workspaces, unless that is requested', () => {
    const bindings = [...DEPLOYED.bindings, { name: 'DB_2', type: 'd1', id: 'd2' }]
    const errors = deploymentErrors(GOOD, { ...DEPLOYED, bindings })
    expect(errors).toEqual(['DB_2 is d2 in the deployed Worker and missing in wrangler.toml; --change DB_2 changes it'])
    expect(deploymentErrors(GOOD, { ...DEPLOYED, bindings }, {}, ['DB_2'])).toEqual([])
  })

  it('is blocked for a migration that the old Worker cannot handle', () => {
    const migrations = [
      ['0070_more.sql', 'ALTER TABLE `records` ADD COLUMN `more` text;'],
      ['0099_less.sql', 'ALTER TABLE `records` DROP COLUMN `data`;'],
    ]
    expect(migrationErrors(migrations)).toEqual([expect.stringContaining('migrations/0099_less.sql: drops a column')])
  })
})

describe('the rule that migrations only expand', () => {
  it.each([
    ['DROP TABLE `records`;', 'drops a table'],
    ['ALTER TABLE `a` RENAME COLUMN `x` TO `y`;', 'renames'],
  ])('rejects %s', (sql, error) => {
    expect(contractionErrors(sql)).toEqual([expect.stringContaining(error)])
  })

  it('accepts changes that lose nothing', () => {
    expect(contractionErrors('CREATE TABLE t (a);\nDROP TRIGGER old;\n-- drop table is a comment')).toEqual([])
    expect(contractionErrors('-- contracts: nothing reads it since 2.1\nDROP TABLE t;')).toEqual([])
  })
})

/** A server until the test ends. @returns its address */
async function serving(answer) {
  const { origin, close } = await serve(answer)
  onTestFinished(close)
  return origin
}

/** A service that responds as defined for each path. */
const serviceWith = (answers) =>
  serving((request, response) => {
    const answer = answers[request.url.split('?')[0]]
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(answer ?? { success: false, message: 'nothing' }))
  })

const WELL = { ok: true, problem: null }
const ANSWERS = {
  '/health': { version: '9.9.9' },
  '/.well-known/jwks.json': { keys: [{}] },
  '/api/v1/auth/token': { access_token: 't', expires_in: 900 },
  '/medical-db/v1/search/': { success: true, data: { items: [] } },
  '/platform/v1/health': {
    success: true,
    data: { ok: true, databases: [{ database: 'DB', ...WELL }], scheduled_run: { ok: false }, bucket: WELL },
  },
}
const CREDENTIALS = {
  DCS_CLIENT_ID: 'a',
  DCS_CLIENT_SECRET: 'b',
  DCS_API_KEY: 'c',
  PLATFORM_ADMIN_TOKEN: 'd',
}

describe('the check of a deployed service', () => {
  const check = async (answers, environment = CREDENTIALS) =>
    checkService({ issuer: await serviceWith(answers), version: '9.9.9', environment, patience: 100 })

  it('covers every part', async () => {
    const { passed, skipped } = await check(ANSWERS)
    expect(passed).toHaveLength(4)
    expect(skipped).toEqual([])
  })

  it('reports what it could not check', async () => {
    const { passed, skipped } = await check(ANSWERS, {})
    expect(passed).toHaveLength(2)
    expect(skipped).toHaveLength(2)
  })

  it('does not wait for a service whose requests are rejected by something in between', async () => {
    const { status, headers, text } = EDGE.challenge
    const issuer = await serving((_, response) => response.writeHead(status, headers).end(text))
    const checked = checkService({ issuer, version: '9.9.9', environment: {}, patience: 60_000 })
    await expect(checked).rejects.toMatchObject({ isLasting: true, message: expect.stringContaining('Cloudflare') })
  })

  it.each([
    ['another version', { '/health': { version: '1.0.0' } }, 'version 9.9.9, but: 1.0.0'],
    ['an empty key set', { '/.well-known/jwks.json': { keys: [] } }, 'the key set has no key'],
    ['a search that fails', { '/medical-db/v1/search/': undefined }, '/medical-db/v1/search/ returns 404'],
    [
      'a wrong master key',
      {
        '/platform/v1/health': {
          success: true,
          data: { databases: [], master_key: { ok: false, problem: 'wrong' } },
        },
      },
      'master_key: wrong',
    ],
  ])('detects %s', async (_, change, error) => {
    await expect(check({ ...ANSWERS, ...change })).rejects.toThrow(error)
  })
})

describe('the arguments of npm run setup', () => {
  const ISSUER = 'https://catalog.clinic.example'

  it('are rejected if no user can be asked', () => {
    expect(() => requireAnswers({}, false)).toThrow('add --yes')
  })

  it.each(['http://catalog.clinic.example', 'https://10.0.0.1', `${ISSUER}/api`])(
    'are rejected with the address %s',
    (issuer) => {
      expect(() => issuerOf(issuer, 'http://localhost:8787')).toThrow('is not an address such as')
    },
  )

  it('contain the address only the first time, and do not change it', () => {
    expect(issuerOf(`${ISSUER}/`, 'http://localhost:8787')).toBe(ISSUER)
    expect(issuerOf(undefined, ISSUER)).toBe(ISSUER)
    expect(() => issuerOf(undefined, 'http://localhost:8787')).toThrow('Name the public address')
    expect(() => issuerOf('https://other.clinic.example', ISSUER)).toThrow('The issuer in wrangler.toml is')
  })

  it('choose a jurisdiction until there is a database', () => {
    const settings = { d1_databases: [{ database_id: '00000000-0' }], r2_buckets: [{}], vars: {} }
    expect(jurisdictionOf(settings, undefined)).toBeUndefined()
    expect(jurisdictionOf(settings, 'eu')).toBe('eu')
    setPlace(settings, ISSUER, { jurisdiction: 'eu' })
    expect(settings).toMatchObject({ vars: { JURISDICTION: 'eu' }, placement: { region: 'aws:eu-central-1' } })
    settings.d1_databases[0].database_id = 'd1'
    expect(jurisdictionOf(settings, undefined)).toBe('eu')
    expect(() => jurisdictionOf(settings, 'fedramp')).toThrow('in the jurisdiction eu')
    expect(() => jurisdictionOf({ ...settings, r2_buckets: [{}] }, 'eu')).toThrow('in no jurisdiction')
  })
})

describe('the secrets that npm run setup sends', () => {
  // An environment without any data on this machine.
  const send = (deployed, hasData, vars = {}) => secretsToSend('of-another-machine', deployed, { vars }, hasData)
  const names = ['PLATFORM_ADMIN_TOKEN', 'SIGNING_KEYS', 'MASTER_KEY']

  it('are new ones for a new service', () => {
    expect(Object.keys(send(null, false))).toEqual(names)
  })

  it.each([
    [
      'the service has some that this machine does not know',
      { id: 'v1', bindings: names.map(secret) },
      true,
      'The service has secrets',
    ],
    ['the service has only some', { id: 'v1', bindings: [secret('MASTER_KEY')] }, true, 'secret put SIGNING_KEYS'],
    ['a database contains data encrypted with another key', null, true, 'whose MASTER_KEY is not known here'],
  ])('are rejected if %s', (_, deployed, hasData, message) => {
    expect(() => send(deployed, hasData)).toThrow(message)
  })

  it('are rejected for a login provider without its own secret', () => {
    expect(() => send(null, false, { OIDC_ISSUER: 'https://login.example' })).toThrow('OIDC_CLIENT_SECRET=…')
  })
})
