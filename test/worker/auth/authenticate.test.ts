import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { SCOPES, type Scope } from '#shared/access/caller'
import { endpoints } from '#worker/endpoints'
import { beginSession } from '#worker/login/sessions'
import { newWorkspace, tokenWith, tokenWithout, workspaceOfEachTest } from '../../support/credentials'
import { openControl } from '../../support/databases'
import { callLogin, SAME_ORIGIN, TOKEN } from '../../support/logins'
import { addMember } from '../../support/members'
import { callAsPartner, LIST, newPartner, partnerTokenOf, sessionToken } from '../../support/partners'
import { bearer, bodyFrom, calling, callService } from '../../support/service'

const workspace = workspaceOfEachTest()

const call = (authorization: string | undefined, bindings: typeof env = env): Promise<Response> =>
  calling(undefined, bindings)(LIST, { headers: authorization ? { Authorization: authorization } : {} })

it('a credential is read from the database once in 30 seconds', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const roundTrips = async () => {
    await call(`Bearer ${workspace.token}`)
    return JSON.parse(String(log.mock.lastCall?.[0])).round_trips
  }
  const now = Date.now()
  expect([await roundTrips(), await roundTrips()]).toEqual([2, 1])
  vi.useFakeTimers({ toFake: ['Date'], now: now + 29_000 })
  expect(await roundTrips()).toBe(1)
  vi.setSystemTime(now + 31_000)
  expect(await roundTrips()).toBe(2)
})

it('every failed check returns 401 with the same body', async () => {
  const { token } = workspace
  const elsewhere = await tokenWith(SCOPES, { ...workspace, workspaceId: (await newWorkspace()).workspaceId })
  const message = 'The access token is missing, invalid or expired. Get a new one, and send the request again.'
  // Anything without the form of a bearer token counts as no token (RFC 6750, section 3.1).
  const [none, invalid] = ['Bearer', 'Bearer error="invalid_token"']
  for (const [authorization, challenge] of [
    ...[undefined, 'Bearer', token, `Basic ${token}`, `Bearer${token}`].map((each) => [each, none] as const),
    ...[`${token} ${token}`, `${token}, Bearer ${token}`].map(
      (each) => [`Bearer ${each}`, expect.any(String)] as const,
    ),
    ...[`${token}x`, 'not.a.token', elsewhere].map((each) => [`Bearer ${each}`, invalid] as const),
  ]) {
    const response = await call(authorization)
    expect(response.headers.get('WWW-Authenticate'), authorization).toEqual(challenge)
    expect(await bodyFrom(response, 401)).toEqual({ success: false, message })
  }
})

it("a request over the workspace's rate limit returns 429, and each workspace is counted separately", async () => {
  const limit = vi.fn(async () => ({ success: false }))
  const response = await call(`Bearer ${workspace.token}`, { ...env, WORKSPACE_RATE_LIMIT: { limit } })
  expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '60'])
  expect(limit.mock.calls).toEqual([[{ key: workspace.workspaceId }]])
})

it('a token without the scope returns 403, which names the scope', async () => {
  const response = await call(`Bearer ${await tokenWithout('catalog:read')}`)
  const message = 'The access token does not have the scope catalog:read, which this request requires.'
  expect(await bodyFrom(response, 403)).toEqual({ success: false, message })
  expect(response.headers.get('WWW-Authenticate')).toBe('Bearer error="insufficient_scope", scope="catalog:read"')
})

it('every endpoint with a scope checks it before query and body', async () => {
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
    // With and without a trailing slash.
    for (const address of [path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`])
      expect(await statusOf(token, address), `${method} ${address}`).toEqual([403, true])
  }
  expect([...needed].sort()).toEqual([...SCOPES].sort())
})

it('a credential of another kind counts as absent', async () => {
  const partner = await newPartner()
  const partnerToken = await partnerTokenOf(partner, { claims: { jti: 'unused' } })
  const session = bearer(await sessionToken(await partnerTokenOf(partner)))
  await addMember(workspace.workspaceId, 'admin', 'nobody@example.com')
  const secret = await beginSession(openControl(), { userId: 'u', email: 'nobody@example.com' }, new Date())
  const cookie = { ...SAME_ORIGIN, Cookie: `session=${secret}` }
  for (const { method, path, access } of endpoints) {
    const address = path.replaceAll(/\{\w+\}/g, 'medication')
    const wrong: Record<string, string>[] = []
    if (access.kind !== 'anyone' && access.kind !== 'session') wrong.push(cookie)
    if (access.kind === 'scope' && !access.partnerToken) wrong.push(session, { 'X-Auth-Token': partnerToken })
    if (access.kind === 'operator') wrong.push(session, bearer(workspace.token))
    for (const headers of wrong) {
      const response = await callLogin(address, { method: method.toUpperCase(), headers })
      expect(response.status, `${method} ${path} ${Object.keys(headers)}`).toBe(401)
    }
  }
  // Each of them is valid. They are not used up, and do no harm next to an access token.
  expect((await callLogin(TOKEN, { method: 'POST', headers: cookie })).status).toBe(200)
  expect((await callAsPartner(partnerToken)).status).toBe(200)
  const drugForms = '/admin/datasets/v1/drug-forms/'
  expect((await callAsPartner('anything', drugForms, { headers: bearer(workspace.token) })).status).toBe(200)
})

it('each endpoint requires the scope that the contract names', () => {
  const idsOf = (part: typeof endpoints) => part.map(({ operationId }) => operationId).sort()
  const withScope = (scope: Scope) => endpoints.filter(({ access }) => access.scope === scope)
  expect(withScope('catalog:read').every(({ method }) => method === 'get')).toBe(true)
  expect(idsOf(withScope('catalog:write'))).toEqual([
    ...['acceptProblem', 'addRecordName', 'deleteRecordName', 'deleteWatch', 'discardUpload', 'dismissSearchMiss'],
    ...['reportUpload', 'restoreCatalog', 'setSearchStatus', 'setWatch'],
    ...['undoWrite', 'writeRecords', 'writeUpload'],
  ])
  const documents = ['deleteDocument', 'getDocument', 'getDocumentContent', 'uploadDocument']
  expect(idsOf(withScope('documents'))).toEqual(documents)
  expect(idsOf(withScope('registration'))).toEqual(['initiateRegistration'])
  expect(idsOf(withScope('search'))).toEqual([
    'reportSearchMiss',
    'searchMedicalDatabase',
    'searchMedicalDatabaseByPost',
  ])
  const ofWorkspace = endpoints.filter(({ path }) => path.startsWith('/admin/workspace/'))
  const readers = ofWorkspace.filter(({ access }) => access.scope !== 'workspace:admin')
  expect(readers.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(['get /admin/workspace/v1/programs'])
})

it('authentication precedes the check of the method, and a path returns 405 with its methods for others', async () => {
  const open = endpoints.filter(({ access }) => access.kind === 'scope' || access.kind === 'anyone')
  for (const [path, here] of Map.groupBy(open, ({ path }) => path)) {
    // Its other methods belong to an upload with this ID, which does not exist.
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
