import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { workspaceEndpoints } from '#worker/workspace/endpoints'
import { callOperator, createApiKey, createClient, createWorkspace, newWorkspace } from '../../support/credentials'
import { addMember, memberToken } from '../../support/members'
import { newPartner, partnerTokenOf, sessionToken } from '../../support/partners'
import { callService, jsonBody } from '../../support/service'
import { serviceWith } from '../storage/faulty-database'
import { callAs, callingAs, newAdmin, stored, WORKSPACE } from './administrators'

const requests = workspaceEndpoints.map(
  ({ method, path }) => [method.toUpperCase(), path.replace(/\{\w+\}/g, 'an-id')] as const,
)

const authorized = (token: string) => ({ Authorization: `Bearer ${token}` })

afterEach(() => {
  vi.useRealTimers()
})

it('every endpoint answers 401 without a valid access token', async () => {
  const { token } = await newAdmin()
  for (const [method, path] of requests) {
    for (const headers of [{}, authorized('x'), authorized(`${token}x`), authorized(env.PLATFORM_ADMIN_TOKEN!)]) {
      const response = await callService(path, { method, headers })
      expect(response.status, `${method} ${path}`).toBe(401)
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer')
      expect(response.headers.get('Cache-Control')).toBe('no-store')
    }
  }
})

it('every endpoint answers 403 to everybody except an admin, before it reads the body', async () => {
  const workspace = await newWorkspace()
  const { workspaceId } = workspace
  const viewer = await addMember(workspaceId, 'viewer', 'viewer@clinic.example')
  const editor = await addMember(workspaceId, 'editor', 'editor@clinic.example')
  const partner = await sessionToken(await partnerTokenOf(await newPartner({ workspaceId })))
  const tokens = [
    await memberToken(workspaceId, viewer, 'viewer'),
    await memberToken(workspaceId, editor, 'editor'),
    // A token with more than the scopes of the member's present role.
    await memberToken(workspaceId, editor, 'admin'),
    workspace.token,
  ]
  const before = await stored()
  for (const [method, path] of requests) {
    for (const token of tokens) {
      const response = await callService(path, { method, headers: authorized(token) })
      expect(response.status, `${method} ${path}`).toBe(403)
      expect(response.headers.get('WWW-Authenticate')).toContain('scope="workspace:admin"')
      expect(await response.json()).toEqual({
        success: false,
        message: 'The access token does not have the scope workspace:admin, which this call needs.',
      })
    }
    expect((await callService(path, { method, headers: authorized(partner) })).status).toBe(401)
  }
  expect(await stored()).toEqual(before)
})

describe('/admin/workspace/v1', () => {
  it('takes paths with a trailing slash', async () => {
    const { call, workspaceId } = await newAdmin()
    const { client_id } = await createClient()
    await createApiKey(workspaceId, client_id)
    const bodies = {
      '/api-keys/': { client_id },
      '/partner-credentials/': { issuer: 'https://partner.test' },
      '/encryption-keys/': {},
      '/members/': { email: 'asha@clinic.example', role: 'viewer' },
    }
    for (const [path, body] of Object.entries(bodies)) {
      expect((await call(path, body)).status).toBe(200)
      expect((await call(path)).status).toBe(200)
    }
    expect((await call('/members/asha@clinic.example/', undefined, 'DELETE')).status).toBe(200)
  })

  it.each(['', '/', '/nothing', '/clients', '/workspaces', '/reseal', '/api-keys/an-id/more'])(
    'answers 401 without a token and 404 to an admin at the unknown path %j',
    async (path) => {
      expect((await callService(WORKSPACE + path)).status).toBe(401)
      expect((await (await newAdmin()).call(path)).status).toBe(404)
    },
  )

  it('answers 405 to a known path with another method, for an admin only', async () => {
    const { token } = await newAdmin()
    expect((await callService(`${WORKSPACE}/members`, { method: 'PUT' })).status).toBe(401)
    const response = await callService(`${WORKSPACE}/members`, { method: 'PUT', headers: authorized(token) })
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('GET, POST')
  })
})

describe('an admin', () => {
  it('sees nothing of another workspace', async () => {
    const { token } = await newAdmin()
    const { workspaceId } = await newWorkspace()
    await newPartner({ workspaceId })
    await callOperator(`/workspaces/${workspaceId}/encryption-keys`, {})
    await addMember(workspaceId, 'admin', 'root@clinic.example')
    for (const path of ['/api-keys', '/partner-credentials', '/encryption-keys']) {
      expect(await (await callAs(token, path)).json()).toMatchObject({ data: { items: [] } })
    }
    const list = await (await callAs(token, '/members')).json<{ data: { items: object[] } }>()
    expect(list.data.items).toMatchObject([{ email: 'admin@clinic.example' }])
  })

  it('cannot name a workspace in the query, the body or a header', async () => {
    const { token, workspaceId } = await newAdmin()
    const other = await createWorkspace()
    const named = await callService(`${WORKSPACE}/members?workspace_id=${other}`, {
      headers: authorized(token),
    })
    expect(named.status).toBe(400)
    const response = await callService(`${WORKSPACE}/members`, {
      method: 'POST',
      ...jsonBody(
        { email: 'asha@clinic.example', role: 'admin', workspace_id: other, workspaceId: other },
        { ...authorized(token), 'X-Workspace-Id': other },
      ),
    })
    expect(response.status).toBe(200)
    const { results } = await env.DB.prepare('select distinct workspace_id from members').all()
    expect(results).toEqual([{ workspace_id: workspaceId }])
  })

  it('who is revoked or loses the role is refused at once in the same isolate', async () => {
    const first = await newAdmin()
    const { workspaceId } = first
    const [second, third] = [
      await newAdmin(workspaceId, 'second@clinic.example'),
      await newAdmin(workspaceId, 'third@clinic.example'),
    ]
    for (const admin of [second, third]) expect((await admin.call('/members')).status).toBe(200)
    await first.dataOf(`/members/${second.email}`, undefined, 'DELETE')
    await first.dataOf('/members', { email: third.email, role: 'editor' })
    expect((await second.call('/members')).status).toBe(401)
    expect((await third.call('/members')).status).toBe(403)
  })

  it.each([
    ['revoked', 'revoked_at = 1', 401],
    ['made a viewer', "role = 'viewer'", 403],
  ])('who is %s in another isolate is refused within 60 seconds', async (_, change, status) => {
    const { call } = await newAdmin()
    expect((await call('/members')).status).toBe(200)
    await env.DB.prepare(`update members set ${change}`).run()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59_000 })
    expect((await call('/members')).status).toBe(status)
  })
})

describe('a request of an admin that takes too long', () => {
  it('is answered 504, which does not say that nothing was written', async () => {
    const admin = await newAdmin()
    // From here on the admin is in the cache.
    await admin.call('/members')
    const { promise: silence, reject: end } = Promise.withResolvers<never>()
    const call = serviceWith(() => silence, { deadlineMs: 50 })
    const response = await callingAs(admin.token, call)('/encryption-keys', {})
    expect(response.status).toBe(504)
    expect((await response.json<{ message: string }>()).message).toContain(
      'It is not known whether the write was carried out',
    )
    end(new Error('the end of the test'))
  })
})
