import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import { describe, expect, it, vi } from 'vitest'
import { CLIENT_SCOPES, SCOPES, type Scope } from '#shared/access/caller'
import { scope } from '#worker/auth/access'
import { endpoints } from '#worker/endpoints'
import type { Env } from '#worker/env'
import type { AppEnv } from '#worker/http/context'
import { answerError } from '#worker/http/errors'
import { logRequests } from '#worker/http/log'
import { identifyRequest } from '#worker/http/middleware'
import { newContext } from '../../support/background'
import { newWorkspace, tokenWith, tokenWithout, workspaceOfEachTest } from '../../support/credentials'
import { bearer, bodyFrom, callService } from '../../support/service'

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

const call = async (authorization: string | undefined, bindings: Env = env): Promise<Response> =>
  app.fetch(
    new Request('https://catalog.test/', { headers: authorization ? { Authorization: authorization } : {} }),
    bindings,
    newContext(),
  )

const callWith = (token: string): Promise<Response> => call(`Bearer ${token}`)

const answerTo = (token: string): Promise<Answer> => bodyFrom(callWith(token))

const later = (seconds: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}

describe('authenticate', () => {
  it('takes the caller from the access token, behind the name of the scheme in any case', async () => {
    for (const scheme of ['bearer', 'BEARER ']) expect((await call(`${scheme} ${workspace.token}`)).status).toBe(200)
    const { caller } = await answerTo(workspace.token)
    expect(caller).toEqual({
      workspaceId: workspace.workspaceId,
      databaseBinding: 'DB',
      state: 'active',
      actor: workspace.clientId,
      scopes: [...CLIENT_SCOPES],
    })
  })

  it('asks the database once while the cached answer is valid', async () => {
    const { token } = workspace
    expect((await answerTo(token)).rowsRead).toBeGreaterThan(0)
    expect((await answerTo(token)).rowsRead).toBe(0)
    later(29)
    expect((await answerTo(token)).rowsRead).toBe(0)
    later(2)
    expect((await answerTo(token)).rowsRead).toBeGreaterThan(0)
  })

  it('answers 401 with the same body for every failed check', async () => {
    const { token } = workspace
    const { workspaceId } = await newWorkspace()
    const elsewhere = await tokenWith(SCOPES, { ...workspace, workspaceId })
    const authorizations = [
      undefined,
      'Bearer',
      'Bearer ',
      token,
      `Basic ${token}`,
      `Bearer${token}`,
      `Bearer ${token} ${token}`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -10)}`,
      'Bearer not.a.token',
      `Bearer ${elsewhere}`,
    ]
    const bodies = new Set<string>()
    for (const authorization of authorizations) {
      const response = await call(authorization)
      expect(response.status).toBe(401)
      const challenge = response.headers.get('WWW-Authenticate')
      expect(challenge).toMatch(/^Bearer(?: error="invalid_token")?$/)
      // What has not the form of a bearer token is none (RFC 6750, section 3.1).
      if (authorization === undefined) expect(challenge).toBe('Bearer')
      if (authorization === `Bearer ${elsewhere}`) expect(challenge).toBe('Bearer error="invalid_token"')
      bodies.add(await response.text())
    }
    expect([...bodies]).toEqual([
      JSON.stringify({
        success: false,
        message: 'The access token is missing, invalid or expired. Get a new one, and send the request again.',
      }),
    ])
  })

  it('answers 429 over the rate of the workspace, and counts each workspace separately', async () => {
    const limit = vi.fn(async () => ({ success: false }))
    const response = await call(`Bearer ${workspace.token}`, { ...env, WORKSPACE_RATE_LIMIT: { limit } })
    expect(response.headers.get('Retry-After')).toBe('60')
    expect(await bodyFrom(response, 429)).toMatchObject({ success: false })
    expect(limit.mock.calls).toEqual([[{ key: workspace.workspaceId }]])
  })
})

describe('requireScope', () => {
  it('answers 403 naming the scope that the token does not have', async () => {
    const response = await callWith(await tokenWithout('catalog:read'))
    expect(await bodyFrom(response, 403)).toEqual({
      success: false,
      message: 'The access token does not have the scope catalog:read, which this call needs.',
    })
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer error="insufficient_scope", scope="catalog:read"')
  })

  it('guards every endpoint of the service that needs a scope: 401, then 403, before its query and body', async () => {
    const tokens = new Map<Scope, string>()
    const guarded = endpoints.filter(({ access }) => access.kind === 'scope')
    for (const { method, path, access } of guarded) {
      const needed = access.scope!
      const token = tokens.get(needed) ?? (await tokenWithout(needed, workspace))
      tokens.set(needed, token)
      const send = (authorization: string, address: string) =>
        callService(`${address.replaceAll(/\{\w+\}/g, 'medication')}?type=nonsense&limit=x`, {
          method: method.toUpperCase(),
          ...(method === 'get' ? {} : { body: '{' }),
          headers: { 'Content-Type': 'application/json', Authorization: authorization },
        })
      for (const authorization of ['', 'Bearer x', `Bearer ${workspace.token}x`]) {
        const response = await send(authorization, path)
        expect(response.status, `${method} ${path}`).toBe(401)
        expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer/)
      }
      // With and without a slash at its end.
      for (const address of [path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`]) {
        const response = await send(`Bearer ${token}`, address)
        expect(response.status, `${method} ${address}`).toBe(403)
        expect((await response.json<{ message: string }>()).message).toContain(needed)
      }
    }
    expect([...tokens.keys()].sort()).toEqual([...SCOPES].sort())
  })

  it('is the scope that the contract names for each endpoint', () => {
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

  it('comes before the method: a path answers 405 to others, naming the ones that it takes', async () => {
    const { token } = workspace
    const paths = Map.groupBy(
      endpoints.filter(({ access }) => access.kind === 'scope' || access.kind === 'anyone'),
      ({ path }) => path,
    )
    for (const [path, here] of paths) {
      // Its other methods are those of an upload with this id, which there is not.
      if (path.endsWith('/uploads/report')) continue
      const address = path.replaceAll(/\{\w+\}/g, 'medication')
      const methods = here.map(({ method }) => method.toUpperCase())
      const named = methods.includes('GET') ? [...methods, 'HEAD'] : methods
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((other) => !methods.includes(other))) {
        if (here[0]!.access.kind === 'scope') expect((await callService(address, { method })).status, path).toBe(401)
        const response = await callService(address, { method, headers: bearer(token) })
        expect(response.status, `${method} ${path}`).toBe(405)
        expect(response.headers.get('Allow')?.split(', ').sort()).toEqual(named.sort())
      }
    }
  })
})
