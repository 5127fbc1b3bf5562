import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import { expect, it, vi } from 'vitest'
import { CLIENT_SCOPES, SCOPES, type Scope } from '#shared/access/caller'
import { scope } from '#worker/auth/access'
import { endpoints } from '#worker/endpoints'
import type { AppEnv } from '#worker/http/context'
import { answerError } from '#worker/http/errors'
import { logRequests } from '#worker/http/log'
import { identifyRequest } from '#worker/http/middleware'
import { newWorkspace, tokenWith, tokenWithout, workspaceOfEachTest } from '../../support/credentials'
import { bearer, bodyFrom, calling, callService } from '../../support/service'

interface Answer {
  caller: { workspaceId: string; databaseBinding: string; state: string; actor: string; scopes: string[] }
  rowsRead: number
}

const workspace = workspaceOfEachTest()

/** A protected endpoint that returns its caller and the database cost of the call. */
const app = new Hono<AppEnv>()
app.use(identifyRequest, logRequests, ...scope('catalog:read').middlewares)
app.get('/', (c) =>
  c.json({ caller: { ...c.var.caller, scopes: [...c.var.caller.scopes] }, rowsRead: c.var.meter.rowsRead }),
)
app.onError(answerError)

const call = (authorization: string | undefined, bindings: typeof env = env): Promise<Response> =>
  calling(app, bindings)('/', { headers: authorization ? { Authorization: authorization } : {} })

const answerTo = (token: string): Promise<Answer> => bodyFrom(call(`Bearer ${token}`))

it('the caller is taken from the access token, behind the name of the scheme in any case', async () => {
  for (const scheme of ['bearer', 'BEARER ']) expect((await call(`${scheme} ${workspace.token}`)).status).toBe(200)
  expect((await answerTo(workspace.token)).caller).toEqual({
    workspaceId: workspace.workspaceId,
    databaseBinding: 'DB',
    state: 'active',
    actor: workspace.clientId,
    scopes: [...CLIENT_SCOPES],
  })
})

it('the database is asked once in 30 seconds', async () => {
  const rowsRead = async () => (await answerTo(workspace.token)).rowsRead
  const now = Date.now()
  expect(await rowsRead()).toBeGreaterThan(0)
  expect(await rowsRead()).toBe(0)
  vi.useFakeTimers({ toFake: ['Date'], now: now + 29_000 })
  expect(await rowsRead()).toBe(0)
  vi.setSystemTime(now + 31_000)
  expect(await rowsRead()).toBeGreaterThan(0)
})

it('every failed check is answered 401 with the same body', async () => {
  const { token } = workspace
  const elsewhere = await tokenWith(SCOPES, { ...workspace, workspaceId: (await newWorkspace()).workspaceId })
  const authorizations = [
    ...[undefined, 'Bearer', token, `Basic ${token}`, `Bearer${token}`, `Bearer ${token} ${token}`],
    ...[`Bearer ${token}, Bearer ${token}`, `Bearer ${token}x`, 'Bearer not.a.token', `Bearer ${elsewhere}`],
  ]
  const message = 'The access token is missing, invalid or expired. Get a new one, and send the request again.'
  for (const authorization of authorizations) {
    const response = await call(authorization)
    const challenge = response.headers.get('WWW-Authenticate')
    expect(challenge).toMatch(/^Bearer(?: error="invalid_token")?$/)
    // What has not the form of a bearer token is none (RFC 6750, section 3.1).
    if (authorization === undefined) expect(challenge).toBe('Bearer')
    if (authorization === `Bearer ${elsewhere}`) expect(challenge).toBe('Bearer error="invalid_token"')
    expect(await bodyFrom(response, 401)).toEqual({ success: false, message })
  }
})

it('over the rate of the workspace it is 429, and each workspace is counted separately', async () => {
  const limit = vi.fn(async () => ({ success: false }))
  const response = await call(`Bearer ${workspace.token}`, { ...env, WORKSPACE_RATE_LIMIT: { limit } })
  expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '60'])
  expect(limit.mock.calls).toEqual([[{ key: workspace.workspaceId }]])
})

it('a token without the scope is answered 403, which names the scope', async () => {
  const response = await call(`Bearer ${await tokenWithout('catalog:read')}`)
  expect(await bodyFrom(response, 403)).toEqual({
    success: false,
    message: 'The access token does not have the scope catalog:read, which this call needs.',
  })
  expect(response.headers.get('WWW-Authenticate')).toBe('Bearer error="insufficient_scope", scope="catalog:read"')
})

it('guards every endpoint of the service that needs a scope: 401, then 403, before its query and body', async () => {
  const needed = new Set<Scope>()
  for (const { method, path, access } of endpoints.filter(({ access }) => access.kind === 'scope')) {
    const scope = access.scope!
    needed.add(scope)
    const statusOf = async (token: string, address: string) => {
      const response = await callService(`${address.replaceAll(/\{\w+\}/g, 'medication')}?type=nonsense&limit=x`, {
        method: method.toUpperCase(),
        ...(method === 'get' ? {} : { body: '{' }),
        headers: { 'Content-Type': 'application/json', ...bearer(token) },
      })
      return [response.status, response.headers.get('WWW-Authenticate')?.includes(`scope="${scope}"`)]
    }
    expect(await statusOf(`${workspace.token}x`, path), `${method} ${path}`).toEqual([401, false])
    const token = await tokenWithout(scope, workspace)
    // With and without a slash at its end.
    for (const address of [path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`])
      expect(await statusOf(token, address), `${method} ${address}`).toEqual([403, true])
  }
  expect([...needed].sort()).toEqual([...SCOPES].sort())
})

it('the scope of each endpoint is the one that the contract names', () => {
  const idsOf = (part: typeof endpoints) => part.map(({ operationId }) => operationId).sort()
  const withScope = (scope: Scope) => endpoints.filter(({ access }) => access.scope === scope)
  expect(withScope('catalog:read').every(({ method }) => method === 'get')).toBe(true)
  expect(idsOf(withScope('catalog:write'))).toEqual([
    ...['deleteWatch', 'discardUpload', 'reportUpload', 'restoreCatalog', 'setSearchStatus', 'setWatch'],
    ...['undoWrite', 'writeRecords', 'writeUpload'],
  ])
  const documents = ['deleteDocument', 'getDocument', 'getDocumentContent', 'uploadDocument']
  expect(idsOf(withScope('documents'))).toEqual(documents)
  expect(idsOf(withScope('registration'))).toEqual(['initiateRegistration'])
  expect(idsOf(withScope('search'))).toEqual(['searchMedicalDatabase', 'searchMedicalDatabaseByPost'])
  const ofWorkspace = endpoints.filter(({ path }) => path.startsWith('/admin/workspace/'))
  const readers = ofWorkspace.filter(({ access }) => access.scope !== 'workspace:admin')
  expect(readers.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'get /admin/workspace/v1/programs',
    'get /admin/workspace/v1/settings',
  ])
})

it('authentication comes before the method: a path answers 405 to others, naming the ones that it takes', async () => {
  const open = endpoints.filter(({ access }) => access.kind === 'scope' || access.kind === 'anyone')
  for (const [path, here] of Map.groupBy(open, ({ path }) => path)) {
    // Its other methods are those of an upload with this id, which there is not.
    if (path.endsWith('/uploads/report')) continue
    const address = path.replaceAll(/\{\w+\}/g, 'medication')
    const methods = here.map(({ method }) => method.toUpperCase())
    const named = methods.includes('GET') ? [...methods, 'HEAD'] : methods
    const method = ['PATCH', 'PUT', 'GET'].find((other) => !methods.includes(other))!
    if (here[0]!.access.kind === 'scope') expect((await callService(address, { method })).status, path).toBe(401)
    const response = await callService(address, { method, headers: bearer(workspace.token) })
    expect(response.status, `${method} ${path}`).toBe(405)
    expect(response.headers.get('Allow')?.split(', ').sort()).toEqual(named.sort())
  }
})
