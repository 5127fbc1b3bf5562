import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { MAX_CLIENTS, WORKSPACE_LIMITS } from '#shared/limits'
import { execute, rowsIn } from '../../support/databases'
import { bodyFrom, callService, dataFrom } from '../../support/service'
import { ADMINISTRATORS, type Administrator, newAdmin, newOperator } from './administrators'

/** Rows of a workspace, numbered by `n`, as the service stores them. */
const ROWS = {
  api_keys: `insert into api_keys (api_key_id, workspace_id, client_id, key_hash, created_at, revoked_at)
    select 'id' || n, ?1, (select client_id from api_keys order by rowid desc limit 1), 'hash' || n, n, ?3`,
  partner_credentials: `insert into partner_credentials (kid, workspace_id, issuer, sealed_secret, allowed_origins,
      created_at, revoked_at)
    select 'id' || n, ?1, 'https://partner.test', (select max(sealed_secret) from partner_credentials), '[]', n, ?3`,
  encryption_keys: `insert into encryption_keys (kid, workspace_id, sealed_key, created_at, revoked_at)
    select 'id' || n, ?1, (select max(sealed_key) from encryption_keys), n, ?3`,
  members: `insert into members (member_id, workspace_id, email, role, created_at, revoked_at)
    select 'id' || n, ?1, 'm' || n || '@clinic.example', 'viewer', n, ?3`,
}

const byKid = ({ kid }: Record<string, string>) => kid

const KINDS = [
  {
    kind: 'api_keys',
    path: '/api-keys',
    has: '200 API keys',
    body: () => ({ client_name: 'a program' }),
    idOf: ({ api_key_id }: Record<string, string>) => api_key_id,
  },
  {
    kind: 'partner_credentials',
    secret: 'sealed_secret',
    path: '/partner-credentials',
    has: '50 partner credentials',
    body: () => ({ issuer: 'https://partner.test', allowed_origins: ['https://widget.test'] }),
    idOf: byKid,
  },
  {
    kind: 'encryption_keys',
    secret: 'sealed_key',
    path: '/encryption-keys',
    has: '20 encryption keys',
    body: () => ({}),
    idOf: byKid,
  },
  {
    kind: 'members',
    path: '/members',
    has: '1000 members',
    body: () => ({ email: `${crypto.randomUUID()}@clinic.example`, role: 'viewer' }),
    idOf: ({ email }: Record<string, string>) => email,
  },
] as const

type Kind = (typeof KINDS)[number]

const countOf = (table: string, workspaceId: string, condition = 'true') =>
  env.DB.prepare(`select count(*) as n from ${table} where workspace_id = ? and ${condition}`)
    .bind(workspaceId)
    .first<number>('n')

/** Fills the table of a kind up to this many rows of the workspace. */
async function fill(
  { kind, path, body }: Kind,
  administrator: Administrator,
  { live = 0, revoked = 0 }: { live?: number; revoked?: number },
): Promise<void> {
  const { workspaceId } = administrator
  // A key that the service created, because it decrypts stored secrets before it adds one.
  if (kind !== 'members') await administrator.dataOf(path, body())
  const present = (await countOf(kind, workspaceId, 'revoked_at is null')) ?? 0
  const rows = (from: number, to: number, revokedAt: number | null) =>
    env.DB.prepare(
      `${ROWS[kind]} from (with recursive numbers (n) as (select cast(?2 as integer) union all select n + 1 from numbers where n < ?4)
        select n from numbers) where n < ?4`,
    ).bind(workspaceId, from, revokedAt, to)
  await env.DB.batch([rows(present, live, null), rows(10_000, 10_000 + revoked, 7)])
}

describe.each(KINDS)('$kind', (kind) => {
  const limit = WORKSPACE_LIMITS[kind.kind]

  it('are limited, also for simultaneous requests', async () => {
    const administrator = await newAdmin()
    await fill(kind, administrator, { live: limit - 2 })
    const answers = await Promise.all(Array.from({ length: 4 }, () => administrator.call(kind.path, kind.body())))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
    expect(await countOf(kind.kind, administrator.workspaceId)).toBe(limit)
    const clients = await rowsIn('DB', 'clients')
    expect(await bodyFrom(administrator.call(kind.path, kind.body()), 409)).toEqual({
      success: false,
      message: `The workspace may have ${kind.has} and has ${limit}. Revoke one that is not used.`,
      errors: [{ code: 'quota', quota: kind.kind, limit, used: limit, needed: limit + 1 }],
    })
    // No client of an API key that was rejected.
    expect(await rowsIn('DB', 'clients')).toBe(clients)
    const change = { email: 'm500@clinic.example', role: 'editor' }
    if (kind.kind === 'members') expect(await administrator.dataOf('/members', change)).toEqual(change)
    const last = await dataFrom<Record<string, string>>(answers.find(({ ok }) => ok)!)
    await administrator.dataOf(`${kind.path}/${kind.idOf(last)}`, undefined, 'DELETE')
    await administrator.dataOf(kind.path, kind.body())
    await (await newAdmin()).dataOf(kind.path, kind.body())
  })

  it.each(ADMINISTRATORS)(
    'are permanently revoked by %s, with their secrets, only in their own workspace',
    async (_, open) => {
      const [administrator, other] = [await open(), await open()]
      const made = await other.dataOf<Record<string, string>>(kind.path, kind.body())
      const path = `${kind.path}/${kind.idOf(made)}`
      const isListed = async () => {
        const { items } = await other.dataOf<{ items: Record<string, string>[] }>(kind.path)
        return items.map(kind.idOf).includes(kind.idOf(made))
      }
      for (const target of [path, `${kind.path}/unknown@clinic.example`]) {
        const refused = await administrator.call(target, undefined, 'DELETE')
        expect((await bodyFrom<{ message: string }>(refused, 404)).message).toMatch(/^The workspace has no /)
      }
      expect(await isListed()).toBe(true)
      for (const _ of ['once', 'again'])
        expect(await other.dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
      expect(await isListed()).toBe(false)
      if (!('secret' in kind)) return
      const secrets = `select group_concat(${kind.secret}) as secrets from ${kind.kind} where workspace_id = ?`
      expect(await env.DB.prepare(secrets).bind(other.workspaceId).first('secrets')).toBe('')
    },
  )

  it('are also limited if revoked: the oldest are purged, and only those of the workspace', async () => {
    const [administrator, other] = [await newAdmin(), await newAdmin()]
    await fill(kind, administrator, { revoked: limit + 3 })
    await execute(`update ${kind.kind} set revoked_at = created_at where revoked_at = 7`)
    const foreign = await other.dataOf<Record<string, string>>(kind.path, kind.body())
    await other.dataOf(`${kind.path}/${kind.idOf(foreign)}`, undefined, 'DELETE')
    const own = await administrator.dataOf<Record<string, string>>(kind.path, kind.body())
    const path = `${kind.path}/${kind.idOf(own)}`
    await administrator.dataOf(path, undefined, 'DELETE')
    const rows = `select count(*) as n, min(created_at) as oldest from ${kind.kind}
      where workspace_id = ? and revoked_at is not null`
    const kept = await env.DB.prepare(rows).bind(administrator.workspaceId).first()
    expect(kept).toEqual({ n: limit, oldest: 10_000 + 4 })
    expect(await administrator.dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
    expect(await countOf(kind.kind, other.workspaceId, 'revoked_at is not null')).toBe(1)
  })
})

it('the quota of clients counts those that the operator creates with a key, and not those of admins', async () => {
  const [operator, admin] = [await newOperator(), await newAdmin()]
  await execute(
    `insert into clients (client_id, name, secret_hash, created_at)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
      select 'client' || n, 'a client', 'hash', n from numbers`,
    MAX_CLIENTS - 1,
  )
  await operator.dataOf('/api-keys', { client_name: 'the last' })
  const keys = await rowsIn('DB', 'api_keys')
  const refused = operator.call('/api-keys', { client_name: 'one too many' })
  const { errors } = await bodyFrom<{ errors: object[] }>(refused, 409)
  expect(errors).toEqual([{ code: 'quota', quota: 'clients', limit: MAX_CLIENTS, used: MAX_CLIENTS, needed: 20_001 }])
  expect([await rowsIn('DB', 'clients'), await rowsIn('DB', 'api_keys')]).toEqual([MAX_CLIENTS, keys])
  await admin.dataOf('/api-keys', { client_name: 'of an admin' })
})

it('clients of admins are deleted with the last row of their keys, and those of the operator are not', async () => {
  const admin = await newAdmin()
  const operator = await newOperator(admin.workspaceId)
  const made = await admin.dataOf<Record<string, string>>('/api-keys', { client_name: 'by an admin' })
  const given = await operator.dataOf<Record<string, string>>('/api-keys', { client_name: 'by the operator' })
  for (const { api_key_id } of [made, given]) await admin.dataOf(`/api-keys/${api_key_id}`, undefined, 'DELETE')
  const names = async () =>
    (await env.DB.prepare('select name from clients order by name').all()).results.map(({ name }) => name)
  expect(await names()).toEqual(['by an admin', 'by the operator'])
  await fill(KINDS[0], admin, { revoked: 200 })
  await execute("update api_keys set revoked_at = 9e15 where api_key_id like 'id%'")
  const next = await admin.dataOf<Record<string, string>>('/api-keys', { client_name: 'the next' })
  await admin.dataOf(`/api-keys/${next.api_key_id}`, undefined, 'DELETE')
  expect(await names()).toEqual(['a program', 'by the operator'])
})

it('a preflight of an unknown origin reads few rows, however many credentials there are', async () => {
  const [operator, other] = [await newOperator(), await newOperator()]
  await execute(
    `insert into partner_credentials (kid, workspace_id, issuer, sealed_secret, allowed_origins, created_at)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 300)
      select 'kid' || n, ?, 'https://partner.test', '', '["https://a.test", "https://b.test"]', n from numbers`,
    other.workspaceId,
  )
  await execute(
    'insert into partner_origins select value || kid, kid from partner_credentials, json_each(allowed_origins)',
  )
  const { kid } = await operator.dataOf<{ kid: string }>('/partner-credentials', {
    issuer: 'https://partner.test',
    allowed_origins: ['https://widget.test', 'https://widget.test:8443'],
  })
  const log = vi.spyOn(console, 'log')
  const allowed = async (Origin: string) => {
    const headers = { Origin, 'Access-Control-Request-Method': 'POST' }
    const { headers: answered } = await callService('/medical-db/v1/search/', { method: 'OPTIONS', headers })
    return answered.get('Access-Control-Allow-Origin')
  }
  expect(await allowed('https://stranger.test')).toBeNull()
  expect(await allowed('https://widget.test:8443')).toBe('https://widget.test:8443')
  await operator.dataOf(`/partner-credentials/${kid}`, undefined, 'DELETE')
  const [stranger, known, revocation] = log.mock.calls.map(([line]) => JSON.parse(String(line)).rows_read)
  expect(Math.max(stranger, known)).toBeLessThan(4)
  expect(revocation).toBeLessThan(30)
  expect(await allowed('https://widget.test:8443')).toBeNull()
  expect(await env.DB.prepare('select count(*) as n from partner_origins where kid = ?').bind(kid).first('n')).toBe(0)
})
