import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { runScheduled } from '#worker/scheduled'
import { catalogOfEachTest, newCatalog } from '../../support/catalog'
import { callOperator, newWorkspace, requestToken } from '../../support/credentials'
import { execute, rowsIn, several } from '../../support/databases'
import { DOCS, documentOf, uploadTo } from '../../support/documents'
import { throughGateway } from '../../support/gateway'
import { logIn, postAsPage, TOKEN } from '../../support/logins'
import { addMember, EMAIL, newMember } from '../../support/members'
import { callAsPartner, newPartner, partnerTokenOf, sessionToken } from '../../support/partners'
import { bearer, bodyFrom, calling, callService, dataFrom, jsonBody } from '../../support/service'
import { held, objects } from '../../support/uploads'

const SEARCH = '/medical-db/v1/search/?type=medication&q=name'

const catalog = catalogOfEachTest()

const id = () => catalog.workspace.workspaceId

const setState = (state: string, workspaceId = id(), reason?: string) =>
  callOperator(`/workspaces/${workspaceId}/state`, { state, reason }, 'PUT')

/** Through a gateway that only accepts what the API description describes. */
const callDescribed = throughGateway(calling(undefined, several))

const erase = (workspaceId = id(), confirm = workspaceId) =>
  callOperator(`/workspaces/${workspaceId}?confirm=${confirm}`, undefined, 'DELETE', callDescribed)

/** Suspends the workspace, so that no earlier request can be running. */
async function suspendLongAgo(): Promise<void> {
  await setState('suspended')
  await execute('update workspaces set state_changed_at = 0')
}

/** Data that only a bug could still store. */
const lateRegistration = () => execute("insert into registrations values ('r', ?, 'n', 'sealed', null, 0, 1)", id())

/** Rows of a database that refer to the workspace, in every table. */
async function rowsOf(database: D1Database): Promise<string[]> {
  const tables = `select l.name from pragma_table_list l where l.schema = 'main' and l.type = 'table'
    and l.name not like '\\_cf\\_%' escape '\\' and exists (
      select 1 from pragma_table_info(l.name) where name in ('workspace_id', 'catalog_id')) order by 1`
  const { results } = await database.prepare(tables).all<{ name: string }>()
  const rows = await database.batch(results.map(({ name }) => database.prepare(`select 1 from ${name} limit 1`)))
  return results.map(({ name }) => name).filter((_, n) => rows[n]!.results.length > 0)
}

describe('PUT /platform/v1/workspaces/{workspace_id}/state', () => {
  it('is in the list of workspaces, with its reason', async () => {
    const state = { workspace_id: id(), state: 'read_only', reason: 'maintenance' }
    expect(await dataFrom(setState('read_only', id(), 'maintenance'))).toEqual(state)
    const { items } = await dataFrom<{ items: object[] }>(callOperator('/workspaces'))
    expect(items).toEqual([expect.objectContaining({ ...state, erased_at: null })])
    expect(await dataFrom(setState('active'))).toMatchObject({ state: 'active', reason: null })
  })

  it('rejects states that cannot be set', async () => {
    expect((await setState('erased')).status).toBe(400)
    expect((await setState('active', 'nobody')).status).toBe(404)
    await newWorkspace('provider')
    expect((await setState('suspended', 'provider')).status).toBe(409)
    expect((await setState('read_only', 'provider')).status).toBe(200)
  })
})

describe('a read-only workspace', () => {
  it('returns reads, and 503 for changes by its callers', async () => {
    await catalog.write(catalog.records(3))
    const admin = await newMember(id(), 'admin')
    await catalog.setSearch(true)
    const { document_id } = await documentOf(await uploadTo(bearer(catalog.workspace.token)))
    await setState('read_only')
    expect((await catalog.list()).total).toBe(3)
    expect((await catalog.write(catalog.records(4), { dry_run: true })).inserted).toBe(1)
    const token = catalog.workspace.token
    const path = '/admin/catalogs/v1/medication'
    const post = (target: string, body: unknown, as = token) =>
      callService(target, { method: 'POST', ...jsonBody(body, bearer(as)) })
    const changes = {
      write: await post('/admin/datasets/v1/?type=medication', catalog.records(4)),
      invalid: await post('/admin/datasets/v1/?type=medication', [{}]),
      restore: await post(`${path}/restore?revision=0&confirm_shrink=true`, undefined),
      watch: await callService(`${path}/watch`, { method: 'PUT', ...jsonBody({ every_hours: 24 }, bearer(token)) }),
      search: await post('/admin/datasets/v1/search-status/?type=medication', { enabled: false }),
      upload: await uploadTo(bearer(token)),
      deletion: await callService(`${DOCS}/${document_id}`, { method: 'DELETE', headers: bearer(token) }),
      registration: await post('/registration/v1/init', { mobile_number: '+919876543210' }),
      member: await post('/admin/workspace/v1/members', { email: 'b@clinic.example', role: 'viewer' }, admin),
      key: await post('/admin/workspace/v1/encryption-keys', {}, admin),
      webhook: await post('/admin/workspace/v1/webhooks', { url: 'https://hooks.example.com' }, admin),
    }
    // Invalid requests return 400.
    for (const [name, { status }] of Object.entries(changes)) expect(status, name).toBe(name === 'invalid' ? 400 : 503)
    expect(Number(changes.write.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(await rowsIn('DB', 'uploads')).toBe(1)
    expect(await objects()).toHaveLength(1)
    expect((await callOperator(`/workspaces/${id()}/quota`, { records: 10 })).status).toBe(200)
    const removal = { method: 'DELETE', headers: bearer(admin) }
    const revoked = await callService(`/admin/workspace/v1/members/${EMAIL}`, removal)
    // The last admin: rejected for that reason, and not because the workspace is read-only.
    expect(revoked.status).toBe(409)
    await setState('active')
    expect((await catalog.write(catalog.records(4))).inserted).toBe(1)
  })

  it('is skipped by scheduled steps', async () => {
    await execute("insert into document_keys values (?, 'a client', '', 'k1', 'd', 1)", id())
    await setState('read_only')
    await runScheduled(several, new Date())
    expect(await rowsIn('DB', 'document_keys')).toBe(1)
    await setState('active')
    await runScheduled(several, new Date())
    expect(await rowsIn('DB', 'document_keys')).toBe(0)
  })

  it.each(['read_only', 'suspended'])('keeps no expired registration, also while it is %s', async (state) => {
    await setState(state)
    await lateRegistration()
    // A move would copy concurrent changes again and again.
    await execute("update workspaces set move_target = 'DB_2'")
    await runScheduled(several, new Date())
    expect(await rowsIn('DB', 'registrations')).toBe(1)
    await execute('update workspaces set move_target = null')
    await runScheduled(several, new Date())
    expect(await rowsIn('DB', 'registrations')).toBe(0)
  })
})

describe('a suspended workspace', () => {
  it('rejects every valid credential', async () => {
    const partner = await newPartner({ workspaceId: id() })
    const session = await sessionToken(await partnerTokenOf(partner))
    await addMember(id(), 'admin', 'admin@clinic.example')
    const { jar } = await logIn('admin@clinic.example')
    const member = await newMember(id(), 'viewer')
    await setState('suspended')
    for (const token of [catalog.workspace.token, session, member]) {
      expect((await callService(SEARCH, { headers: bearer(token) })).status).toBe(403)
    }
    expect((await requestToken(catalog.workspace)).status).toBe(403)
    expect((await requestToken({ ...catalog.workspace, clientSecret: 'wrong' })).status).toBe(401)
    expect((await postAsPage(TOKEN, jar)).status).toBe(403)
    expect((await logIn('admin@clinic.example')).response.status).toBe(403)
    const refused = await callAsPartner(await partnerTokenOf(partner), SEARCH)
    const bad = await callAsPartner('bad', SEARCH)
    expect([refused.status, await refused.text()]).toEqual([401, await bad.text()])
    // Other workspaces of a user stay open.
    const { workspaceId } = await newWorkspace()
    await addMember(workspaceId, 'viewer', 'admin@clinic.example')
    const { jar: again } = await logIn('admin@clinic.example')
    expect(await bodyFrom(postAsPage(TOKEN, again))).toMatchObject({ workspace_id: workspaceId })
    expect((await postAsPage(TOKEN, again, { workspace_id: id() })).status).toBe(403)
    await setState('active')
    expect((await callService(SEARCH, { headers: bearer(catalog.workspace.token) })).status).toBe(200)
    expect((await callAsPartner(await partnerTokenOf(partner), SEARCH)).status).toBe(200)
  })
})

describe('DELETE /platform/v1/workspaces/{workspace_id}', () => {
  it('accepts only a suspended workspace, and its ID as a confirmation', async () => {
    expect((await erase()).status).toBe(409)
    await setState('suspended')
    expect((await erase(id(), 'another')).status).toBe(400)
    expect((await callOperator(`/workspaces/${id()}`, undefined, 'DELETE')).status).toBe(400)
    expect((await erase('nobody')).status).toBe(404)
    expect(await rowsIn('DB', 'api_keys')).toBe(1)
  })

  it('erases everything of the workspace except a row with the ID and the times', async () => {
    const other = await newCatalog()
    await other.write(other.records(2))
    await uploadTo(bearer(other.workspace.token))
    await catalog.write(catalog.records(300))
    await catalog.write(catalog.records(300, () => ({ strength: '1mg' })))
    await held(catalog, [catalog.record('a')])
    for (let n = 0; n < 2; n++) await uploadTo(bearer(catalog.workspace.token))
    await env.DOCUMENTS.put(`${id()}/orphan`, 'bytes')
    await newPartner({ workspaceId: id(), allowedOrigins: ['https://page.example'] } as never)
    await newMember(id(), 'admin')
    await callOperator(`/workspaces/${id()}/webhooks`, { url: 'https://hooks.example.com' })
    expect(await rowsOf(env.DB)).toEqual(
      expect.arrayContaining(['records', 'record_versions', 'search_words', 'webhooks']),
    )
    await suspendLongAgo()
    for (const _ of ['once', 'again']) expect(await dataFrom(erase())).toMatchObject({ erased: true })
    expect((await setState('active')).status).toBe(409)
    expect((await callOperator('/workspaces', { name: 'again', workspace_id: id() })).status).toBe(409)
    expect((await callService(SEARCH, { headers: bearer(catalog.workspace.token) })).status).toBe(401)
    const { items } = await dataFrom<{ items: object[] }>(callOperator('/workspaces'))
    expect(items[0]).toMatchObject({ workspace_id: id(), name: '', state: 'erased', erased_at: expect.any(String) })
    expect(await objects()).toEqual([expect.stringContaining(other.workspace.workspaceId)])
    expect((await other.list()).total).toBe(2)
    for (const table of ['members', 'partner_credentials', 'partner_origins', 'webhooks', 'record_versions']) {
      expect(await rowsIn('DB', table), table).toBe(0)
    }
    expect(await rowsIn('DB', 'records_search')).toBe(2)
    expect(await rowsIn('DB', 'workspace_quotas')).toBe(1)
  })

  it('accepts no new data for an erased workspace, such as the email address of a member', async () => {
    await suspendLongAgo()
    expect(await dataFrom(erase())).toMatchObject({ erased: true })
    const news = {
      quota: { records: 10 },
      members: { email: EMAIL, role: 'admin' },
      'encryption-keys': {},
      'partner-credentials': { issuer: 'https://partner.example' },
    }
    for (const [path, body] of Object.entries(news)) {
      expect((await callOperator(`/workspaces/${id()}/${path}`, body)).status, path).toBe(404)
      expect((await callOperator(`/workspaces/${id()}/${path}`)).status, path).toBe(404)
    }
  })

  it('returns 202 until no request from before the suspension can be running, even if nothing is left', async () => {
    await catalog.write(catalog.records(3))
    await setState('suspended')
    const response = await erase()
    const { data } = await bodyFrom<{ data: { left: Record<string, number> } }>(response.clone(), 202)
    expect(Object.values(data.left).filter((count) => count !== 0)).toEqual([])
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(80)
    await execute('update workspaces set state_changed_at = state_changed_at - 90000')
    expect(await dataFrom(erase())).toEqual({ erased: true })
  })

  it('counts on every request, and erases data that has appeared after it returned that all is erased', async () => {
    await suspendLongAgo()
    expect(await dataFrom(erase())).toEqual({ erased: true })
    await lateRegistration()
    await env.DOCUMENTS.put(`${id()}/late`, 'bytes')
    expect(await dataFrom(erase())).toEqual({ erased: true })
    expect([await rowsIn('DB', 'registrations'), await objects()]).toEqual([0, []])
  })

  it("rejects the operator's additions in the meantime", async () => {
    await newMember(id(), 'editor')
    const { kid } = await newPartner({ workspaceId: id() })
    await setState('suspended')
    await execute("update workspaces set state = 'erasing'")
    const additions = {
      quota: { records: 10 },
      members: { email: 'b@clinic.example', role: 'admin' },
      'api-keys': { client_name: 'a program' },
      'encryption-keys': {},
      'partner-credentials': { issuer: 'https://partner.example' },
      webhooks: { url: 'https://hooks.example.com' },
    }
    const origins = { allowed_origins: ['https://page.example'] }
    for (const _ of ['before its rows are gone', 'and after']) {
      for (const [path, body] of Object.entries(additions)) {
        expect((await callOperator(`/workspaces/${id()}/${path}`, body)).status, path).toBe(409)
      }
      const change = callOperator(`/workspaces/${id()}/partner-credentials/${kid}`, origins, 'PUT')
      expect((await change).status).toBe(409)
      expect((await callOperator(`/workspaces/${id()}/members/${EMAIL}`, undefined, 'DELETE')).status).toBe(
        _ === 'and after' ? 404 : 200,
      )
      expect((await erase()).status).toBe(202)
    }
  })

  it('creates no key or member through an isolate that caches an active workspace', async () => {
    const admin = await newMember(id(), 'admin')
    const add = (path: string, body: unknown) =>
      callService(`/admin/workspace/v1/${path}`, { method: 'POST', ...jsonBody(body, bearer(admin)) })
    expect((await add('encryption-keys', {})).status).toBe(200)
    // Not through the service, which would make this isolate see it.
    await execute("update workspaces set state = 'suspended'")
    for (const [path, body] of [
      ['encryption-keys', {}],
      ['members', { email: 'b@clinic.example', role: 'admin' }],
      ['api-keys', { client_name: 'a program' }],
      ['settings', { confirm_deactivation_percent: 3 }],
    ] as const) {
      expect((await add(path, body)).status, path).toBe(403)
    }
    expect([await rowsIn('DB', 'encryption_keys'), await rowsIn('DB', 'members')]).toEqual([1, 1])
  })

  it('says which database is not bound, and touches nothing', async () => {
    await suspendLongAgo()
    await execute("update workspaces set database_binding = 'DB_9'")
    expect((await bodyFrom<{ message: string }>(erase(), 503)).message).toContain('DB_9')
    expect(await rowsIn('DB', 'api_keys')).toBe(1)
  })
})

describe('the scheduled run', () => {
  const HOUR_MS = 3600 * 1000

  const stateOf = async (workspaceId = id()) =>
    (await env.DB.prepare('select * from workspaces where workspace_id = ?').bind(workspaceId).first())?.state

  it('completes an erasure, and counts again for a day', async () => {
    await catalog.write(catalog.records(10))
    await suspendLongAgo()
    await execute("update workspaces set state = 'erasing'")
    await runScheduled(several, new Date())
    await runScheduled(several, new Date())
    // The client belongs to the operator.
    expect([await stateOf(), await rowsOf(env.DB)]).toEqual(['erased', ['clients', 'workspaces']])
    for (const hours of [2, 23, 25]) {
      await lateRegistration()
      await env.DOCUMENTS.put(`${id()}/late`, 'bytes')
      // Each finds something. Only a count that finds nothing is the last one.
      await runScheduled(several, new Date(Date.now() + hours * HOUR_MS))
      expect([await rowsIn('DB', 'registrations'), await objects()], `after ${hours} hours`).toEqual([0, []])
    }
    await runScheduled(several, new Date(Date.now() + 26 * HOUR_MS))
    await lateRegistration()
    const checkedAt = () => env.DB.prepare('select erasure_checked_at from workspaces').first('erasure_checked_at')
    const last = await checkedAt()
    await runScheduled(several, new Date(Date.now() + 50 * HOUR_MS))
    expect(await checkedAt()).toBe(last)
  })

  it('does not end an erasure before requests from before the suspension must have ended', async () => {
    await setState('suspended')
    await execute("update workspaces set state = 'erasing'")
    for (const minutes of [0, 1]) {
      await runScheduled(several, new Date(Date.now() + minutes * 60_000))
      expect(await stateOf()).toBe('erasing')
    }
    await runScheduled(several, new Date(Date.now() + 2 * 60_000))
    expect(await stateOf()).toBe('erased')
  })

  it('erases other workspaces although one cannot be erased, and names the database with the error', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const unbound = await newWorkspace()
    await catalog.write(catalog.records(3))
    await execute("update workspaces set state = 'erasing'")
    await execute("update workspaces set database_binding = 'DB_9' where workspace_id = ?", unbound.workspaceId)
    for (const _ of ['its rows', 'its end']) {
      await expect(runScheduled(several, new Date())).rejects.toThrow('not everything was done')
    }
    expect([await stateOf(), await stateOf(unbound.workspaceId)]).toEqual(['erased', 'erasing'])
    expect(log.mock.calls.join('\n')).toContain('"task":"erased_workspaces","database":"DB_9"')
  })

  it('does all other tasks within a run, however many erasures are in progress', async () => {
    const lines: { scheduled?: string; unfinished?: string[]; erased_workspaces?: number }[] = []
    vi.spyOn(console, 'log').mockImplementation((line: string) => lines.push(JSON.parse(line)))
    const now = Date.now()
    const insert = (count: number, prefix: string, state: string, binding: string, erasedAt: number | null) =>
      execute(
        `insert into workspaces (workspace_id, name, created_at, state, database_binding, erased_at, erasure_checked_at)
          select ? || value, '', 0, ?, ?, ?, ? from json_each(?)`,
        prefix,
        state,
        binding,
        erasedAt,
        erasedAt,
        JSON.stringify(Array.from({ length: count }, (_, n) => n)),
      )
    await insert(500, 'erased', 'erased', 'DB', now - 5 * HOUR_MS)
    await insert(1, 'gone', 'erased', 'DB_9', now - 5 * HOUR_MS)
    await insert(1, 'stuck', 'erasing', 'DB_9', null)
    await insert(50, 'erasing', 'erasing', 'DB', null)
    await execute(
      `insert into workspace_quotas (workspace_id) select workspace_id from workspaces where state = 'erasing'`,
    )
    await env.DB.prepare("insert into registrations values ('r', ?, 'n', 'sealed', null, 0, 1)").bind(id()).run()
    await expect(runScheduled(several, new Date(now))).rejects.toThrow('not everything was done')
    const line = lines.findLast(({ scheduled }) => scheduled === 'housekeeping')
    expect(line).toMatchObject({ unfinished: [], erased_workspaces: expect.any(Number) })
    expect(await rowsIn('DB', 'registrations')).toBe(0)
    // Five more runs, within an hour.
    for (let n = 1; n <= 5; n++) await runScheduled(several, new Date(now + n * 600_000)).catch(() => undefined)
    const waiting = (state: string) =>
      env.DB.prepare('select count(*) as n from workspaces where state = ? and coalesce(erasure_checked_at, 0) < ?')
        .bind(state, now)
        .first<number>('n')
    expect([await waiting('erased'), await waiting('erasing')]).toEqual([1, expect.any(Number)])
    expect(await waiting('erasing')).toBeLessThan(45)
  })
})
