import { describe, expect, it } from 'vitest'
import { newWorkspace } from '../../support/credentials'
import { callAsPartner, LIST, newPartner, partnerTokenOf, sessionToken } from '../../support/partners'
import { bearer, callService } from '../../support/service'

const newOrigin = (): string => `https://${crypto.randomUUID()}.test`

async function partnerWithOrigin(workspaceId?: string) {
  const origin = newOrigin()
  return { origin, partner: await newPartner({ ...(workspaceId ? { workspaceId } : {}), origins: [origin] }) }
}

const preflight = (origin: string, path = LIST, method = 'GET'): Promise<Response> =>
  callService(path, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'x-auth-token',
    },
  })

const corsHeaders = (response: Response): string[] =>
  [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))

const allowed = (response: Response): string | null => response.headers.get('Access-Control-Allow-Origin')

const varies = (response: Response): boolean => (response.headers.get('Vary') ?? '').split(/, */).includes('Origin')

describe('a preflight', () => {
  it.each([
    ['GET', LIST],
    ['GET', '/admin/datasets/v1/an-id?type=medication'],
    ['POST', '/medical-db/v1/search/'],
    ['POST', '/api/v1/auth/session'],
  ])('is answered to a registered origin for %s %s', async (method, path) => {
    const origin = newOrigin()
    await newPartner({ origins: [newOrigin(), origin] })
    const response = await preflight(origin, path, method)
    expect(response.status).toBe(204)
    expect(allowed(response)).toBe(origin)
    expect(response.headers.get('Access-Control-Allow-Methods')).toBe(method)
    expect(response.headers.get('Access-Control-Max-Age')).toBe('7200')
    for (const header of ['X-Auth-Token', 'Authorization', 'If-None-Match', 'Content-Type'])
      expect(response.headers.get('Access-Control-Allow-Headers')).toContain(header)
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    expect(varies(response)).toBe(true)
  })

  it('gets no CORS header from any other origin', async () => {
    const { origin } = await partnerWithOrigin()
    const others = ['null', '*', newOrigin(), `${origin}:8443`, origin.replace('https', 'http'), `${origin}.evil.test`]
    for (const other of others) {
      const response = await preflight(other)
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(corsHeaders(response)).toEqual([])
    }
  })

  it.each([
    ['POST', '/admin/datasets/v1/?type=medication'],
    ['GET', '/admin/datasets/v1/batches/?type=medication'],
    ['GET', '/admin/datasets/v1/drug-forms/'],
    ['POST', '/api/v1/auth/token'],
    ['GET', '/api/v1/auth/session'],
    ['GET', '/platform/v1/clients'],
    ['GET', '/nothing'],
  ])('gets no CORS header for %s %s, which takes no partner token', async (method, path) => {
    const { origin } = await partnerWithOrigin()
    const response = await preflight(origin, path, method)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(corsHeaders(response)).toEqual([])
  })
})

describe('an answer', () => {
  it('can be read by the origins of the credential of its partner token', async () => {
    const { origin, partner } = await partnerWithOrigin()
    const response = await callAsPartner(await partnerTokenOf(partner), LIST, { headers: { Origin: origin } })
    expect(response.status).toBe(200)
    expect(allowed(response)).toBe(origin)
    expect(response.headers.get('Access-Control-Expose-Headers')).toBe(
      'ETag, Idempotency-Replayed, Retry-After, X-D1-Bookmark, X-Encryption, X-Request-Id, X-Total-Count',
    )
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    expect(varies(response)).toBe(true)
  })

  it('cannot be read by other origins, with the partner token or the session made of it', async () => {
    const [own, foreign] = [newOrigin(), newOrigin()]
    const partner = await newPartner({ origins: [own] })
    await newPartner({ origins: [foreign] })
    const session = bearer(await sessionToken(await partnerTokenOf(partner)))
    const callFrom = async (origin: string, credential: Record<string, string>) => {
      const response = await callService(LIST, { headers: { ...credential, Origin: origin } })
      expect(response.status).toBe(200)
      expect(varies(response)).toBe(true)
      return response
    }
    for (const origin of [foreign, newOrigin(), 'null']) {
      for (const credential of [{ 'X-Auth-Token': await partnerTokenOf(partner) }, session])
        expect(corsHeaders(await callFrom(origin, credential))).toEqual([])
    }
    expect(allowed(await callFrom(own, session))).toBe(own)
  })

  it('to the access token of a client can be read by no page', async () => {
    const { token, workspaceId } = await newWorkspace()
    const { origin } = await partnerWithOrigin(workspaceId)
    const response = await callService(LIST, { headers: { ...bearer(token), Origin: origin } })
    expect(response.status).toBe(200)
    expect(corsHeaders(response)).toEqual([])
  })

  it('that refuses can be read: a token or a body by every partner, the rest by the origins of the credential', async () => {
    const { origin, partner } = await partnerWithOrigin()
    const expired = await partnerTokenOf(partner, { claims: { iat: 1, exp: 2 } })
    const valid = await partnerTokenOf(partner)
    const body = { method: 'POST', body: new Uint8Array(16_385) }
    const refusals: [number, string, string, RequestInit?][] = [
      [401, LIST, expired],
      [401, LIST, 'x'],
      [400, '/admin/datasets/v1/?type=unknown', valid],
      [413, '/registration/v1/init', '', body],
    ]
    for (const [status, path, token, init] of refusals) {
      const response = await callAsPartner(token, path, { ...init, headers: { Origin: origin } })
      expect([response.status, allowed(response)]).toEqual([status, origin])
      const stranger = await callAsPartner(token, path, { ...init, headers: { Origin: newOrigin() } })
      expect(corsHeaders(stranger)).toEqual([])
    }
  })

  it('of an endpoint that takes no partner token gets no CORS header', async () => {
    const { origin, partner } = await partnerWithOrigin()
    const access = await sessionToken(await partnerTokenOf(partner))
    const headers = { ...bearer(access), Origin: origin }
    const response = await callService('/admin/datasets/v1/drug-forms/', { headers })
    expect(response.status).toBe(401)
    expect(corsHeaders(response)).toEqual([])
    expect(varies(response)).toBe(false)
  })

  it('varies with the origin even if the request has none', async () => {
    const response = await callAsPartner(await partnerTokenOf(await newPartner()))
    expect(varies(response)).toBe(true)
    expect(response.headers.get('Vary')).toContain('Accept')
    expect(corsHeaders(response)).toEqual([])
  })
})
