import { describe, expect, it, vi } from 'vitest'
import { newWorkspace } from '../../support/credentials'
import { callAsPartner, LIST, newPartner, partnerTokenOf, sessionToken } from '../../support/partners'
import { callService } from '../../support/service'

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
    ['GET', '/admin/datasets/v1?type=medication'],
    ['GET', '/admin/datasets/v1/an-id/?type=medication'],
    ['GET', '/medical-db/v1/search/?type=medication&q=a'],
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
    ['DELETE', '/admin/datasets/v1/?type=medication'],
    ['GET', '/admin/datasets/v1/batches/?type=medication'],
    ['GET', '/admin/datasets/v1/drug-forms/'],
    ['POST', '/api/v1/auth/token'],
    ['GET', '/api/v1/auth/session'],
    ['GET', '/platform/v1/clients'],
    ['GET', '/health'],
    ['GET', '/nothing'],
  ])('gets no CORS header for %s %s, which takes no partner token', async (method, path) => {
    const { origin } = await partnerWithOrigin()
    const response = await preflight(origin, path, method)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(corsHeaders(response)).toEqual([])
  })

  it('does not ask the database again while the cached answer is valid', async () => {
    const { origin } = await partnerWithOrigin()
    await preflight(origin)
    const spy = vi.spyOn(console, 'log')
    await preflight(origin)
    await preflight(newOrigin())
    const log = spy.mock.calls.join('\n')
    expect(log.match(/"rows_read":0/g)).toHaveLength(2)
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

  it('cannot be read by the origin of another partner', async () => {
    const [own, foreign] = [newOrigin(), newOrigin()]
    const partner = await newPartner({ origins: [own] })
    await newPartner({ origins: [foreign] })
    for (const origin of [foreign, newOrigin(), 'null']) {
      const headers = { Origin: origin }
      const response = await callAsPartner(await partnerTokenOf(partner), LIST, { headers })
      expect(response.status).toBe(200)
      expect(corsHeaders(response)).toEqual([])
      expect(varies(response)).toBe(true)
    }
  })

  it('follows the credential through the session exchange', async () => {
    const [own, foreign] = [newOrigin(), newOrigin()]
    const partner = await newPartner({ origins: [own] })
    await newPartner({ origins: [foreign] })
    const access = await sessionToken(await partnerTokenOf(partner))
    const call = (origin: string) =>
      callService(LIST, { headers: { Authorization: `Bearer ${access}`, Origin: origin } })
    expect(allowed(await call(own))).toBe(own)
    expect(corsHeaders(await call(foreign))).toEqual([])
  })

  it('to the access token of a client can be read by no page', async () => {
    const { token, workspaceId } = await newWorkspace()
    const { origin } = await partnerWithOrigin(workspaceId)
    const response = await callService(LIST, {
      headers: { Authorization: `Bearer ${token}`, Origin: origin },
    })
    expect(response.status).toBe(200)
    expect(corsHeaders(response)).toEqual([])
  })

  it('that refuses a token can be read by pages of every partner', async () => {
    const { origin, partner } = await partnerWithOrigin()
    const expired = await partnerTokenOf(partner, { claims: { iat: 1, exp: 2 } })
    for (const token of [expired, 'x']) {
      const response = await callAsPartner(token, LIST, { headers: { Origin: origin } })
      expect(response.status).toBe(401)
      expect(allowed(response)).toBe(origin)
      expect(corsHeaders(await callAsPartner(token, LIST, { headers: { Origin: newOrigin() } }))).toEqual([])
    }
  })

  it('that refuses something else can be read by the origins of the credential', async () => {
    const { origin, partner } = await partnerWithOrigin()
    const token = await partnerTokenOf(partner)
    const path = '/admin/datasets/v1/?type=unknown'
    const response = await callAsPartner(token, path, { headers: { Origin: origin } })
    expect(response.status).toBe(400)
    expect(allowed(response)).toBe(origin)
  })

  it('that refuses a body by its declared size can be read by pages of every partner', async () => {
    const { origin } = await partnerWithOrigin()
    const headers = { Origin: origin, 'Content-Type': 'application/json' }
    const body = new Uint8Array(16_385)
    const response = await callService('/registration/v1/init', { method: 'POST', headers, body })
    expect(response.status).toBe(413)
    expect(allowed(response)).toBe(origin)
  })

  it('of an endpoint that takes no partner token gets no CORS header', async () => {
    const { origin, partner } = await partnerWithOrigin()
    const access = await sessionToken(await partnerTokenOf(partner))
    const headers = { Authorization: `Bearer ${access}`, Origin: origin }
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
