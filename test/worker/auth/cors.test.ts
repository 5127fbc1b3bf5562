import { describe, expect, it } from 'vitest'
import { callOperator, newWorkspace } from '../../support/credentials'
import { callAsPartner, LIST, newPartner, partnerTokenOf, sessionToken } from '../../support/partners'
import { bearer, callService } from '../../support/service'

const newOrigin = (): string => `https://${crypto.randomUUID()}.test`

async function partnerWithOrigin(workspace: { workspaceId?: string } = {}) {
  const origin = newOrigin()
  return { origin, partner: await newPartner({ ...workspace, origins: [newOrigin(), origin] }) }
}

const preflight = (origin: string, path = LIST, method = 'GET'): Promise<Response> =>
  callService(path, { method: 'OPTIONS', headers: { Origin: origin, 'Access-Control-Request-Method': method } })

const corsHeaders = ({ headers }: Response): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))

const allowed = (response: Response): string | null => response.headers.get('Access-Control-Allow-Origin')

const varies = (response: Response): boolean => (response.headers.get('Vary') ?? '').split(/, */).includes('Origin')

describe('a preflight', () => {
  it('gets no CORS header while every workspace with the registered origin is suspended', async () => {
    const [suspended, open] = [await newWorkspace(), await newWorkspace()]
    const { origin } = await partnerWithOrigin(suspended)
    const setState = (state: string) => callOperator(`/workspaces/${suspended.workspaceId}/state`, { state }, 'PUT')
    expect(allowed(await preflight(origin))).toBe(origin)
    await setState('suspended')
    expect(corsHeaders(await preflight(origin))).toEqual([])
    await newPartner({ workspaceId: open.workspaceId, origins: [origin] })
    expect(allowed(await preflight(origin))).toBe(origin)
  })

  it('succeeds from a registered origin for endpoints that accept partner tokens', async () => {
    const { origin } = await partnerWithOrigin()
    for (const [method, path] of [
      ['GET', LIST],
      ['GET', '/admin/datasets/v1/an-id?type=medication'],
      ['POST', '/medical-db/v1/search/'],
      ['POST', '/api/v1/auth/session'],
    ] as const) {
      const response = await preflight(origin, path, method)
      expect([response.status, allowed(response), varies(response)], path).toEqual([204, origin, true])
      expect(response.headers.get('Access-Control-Allow-Methods')).toBe(method)
      expect(response.headers.get('Access-Control-Max-Age')).toBe('7200')
      for (const header of ['X-Auth-Token', 'Authorization', 'If-None-Match', 'Content-Type'])
        expect(response.headers.get('Access-Control-Allow-Headers')).toContain(header)
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    }
  })

  it('gets no CORS header from other origins, or for endpoints that do not accept partner tokens', async () => {
    const { origin } = await partnerWithOrigin()
    const others = ['null', '*', newOrigin(), `${origin}:8443`, origin.replace('https', 'http'), `${origin}.evil.test`]
    for (const [from, method, path] of [
      ...others.map((other) => [other, 'GET', LIST] as const),
      [origin, 'POST', LIST],
      [origin, 'GET', '/admin/datasets/v1/batches/?type=medication'],
      [origin, 'GET', '/admin/datasets/v1/drug-forms/'],
      [origin, 'POST', '/api/v1/auth/token'],
      [origin, 'GET', '/api/v1/auth/session'],
      [origin, 'GET', '/platform/v1/clients'],
      [origin, 'GET', '/nothing'],
    ] as const) {
      const response = await preflight(from, path, method)
      expect(response.status, `${from} ${method} ${path}`).toBeGreaterThanOrEqual(400)
      expect(corsHeaders(response)).toEqual([])
    }
  })
})

describe('a response', () => {
  it('can be read by the origins of the credential, with the partner token or its session', async () => {
    const { origin, partner } = await partnerWithOrigin()
    const foreign = await partnerWithOrigin()
    const session = bearer(await sessionToken(await partnerTokenOf(partner)))
    for (const credential of [{ 'X-Auth-Token': await partnerTokenOf(partner) }, session]) {
      const from = (Origin: string) => callService(LIST, { headers: { ...credential, Origin } })
      const response = await from(origin)
      expect([response.status, allowed(response), varies(response)]).toEqual([200, origin, true])
      expect(response.headers.get('Access-Control-Expose-Headers')).toBe(
        'ETag, Idempotency-Replayed, Retry-After, X-D1-Bookmark, X-Encryption, X-Request-Id, X-Total-Count',
      )
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
      for (const other of [foreign.origin, newOrigin(), 'null']) {
        const unread = await from(other)
        expect([unread.status, corsHeaders(unread), varies(unread)]).toEqual([200, [], true])
      }
    }
  })

  it("to a client's access token cannot be read by any page", async () => {
    const { token, workspaceId } = await newWorkspace()
    const { origin } = await partnerWithOrigin({ workspaceId })
    const response = await callService(LIST, { headers: { ...bearer(token), Origin: origin } })
    expect([response.status, corsHeaders(response)]).toEqual([200, []])
  })

  it('with an error can be read: about tokens and bodies by every partner, others by the origins', async () => {
    const { origin, partner } = await partnerWithOrigin()
    const expired = await partnerTokenOf(partner, { claims: { iat: 1, exp: 2 } })
    const valid = await partnerTokenOf(partner)
    const refusals: [number, string, string, RequestInit?][] = [
      [401, LIST, expired],
      [401, LIST, 'x'],
      [400, '/admin/datasets/v1/?type=unknown', valid],
      [413, '/registration/v1/init', '', { method: 'POST', body: new Uint8Array(16_385) }],
    ]
    for (const [status, path, token, init] of refusals) {
      const response = await callAsPartner(token, path, { ...init, headers: { Origin: origin } })
      expect([response.status, allowed(response)]).toEqual([status, origin])
      const stranger = await callAsPartner(token, path, { ...init, headers: { Origin: newOrigin() } })
      expect(corsHeaders(stranger)).toEqual([])
    }
  })
})
