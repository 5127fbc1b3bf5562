import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { tokenResponseSchema } from '#worker/auth/schemas'
import { endpoints } from '#worker/endpoints'
import { newWorkspace } from '../../support/credentials'
import { callAsPartner, LIST, newPartner, partnerTokenOf, sessionToken } from '../../support/partners'
import { bearer, bodyFrom, callService, jsonBody } from '../../support/service'

const PATH = '/api/v1/auth/session'

const callWith = (token: string, path = LIST, method = 'GET'): Promise<Response> =>
  callService(path, { method, headers: bearer(token) })

describe('POST /api/v1/auth/session', () => {
  it('exchanges a partner token for an access token of 15 minutes, as the token endpoint does', async () => {
    const partner = await newPartner()
    const token = await partnerTokenOf(partner, { claims: { sub: '+919876543210' } })
    const response = await callAsPartner(token, PATH, { method: 'POST' })
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const body = tokenResponseSchema.parse(await bodyFrom(response))
    const scope = 'catalog:read search documents registration'
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope })
    const claims = decodeJwt(body.access_token)
    expect(claims).toMatchObject({
      iss: env.ISSUER,
      aud: env.ISSUER,
      sub: '+919876543210',
      client_id: partner.kid,
      partner_kid: partner.kid,
      workspace_id: partner.workspaceId,
      scope,
    })
    expect(claims.exp! - claims.iat!).toBe(900)
    expect(claims).not.toHaveProperty('api_key_id')
  })

  it('gives every scope of the partner token without a body, and for an empty one', async () => {
    const partner = await newPartner()
    for (const init of [{ headers: { 'Content-Type': 'application/json' }, body: '' }, jsonBody({})]) {
      const response = await callAsPartner(await partnerTokenOf(partner), PATH, { method: 'POST', ...init })
      expect(await response.json()).toMatchObject({ scope: 'catalog:read search documents registration' })
    }
  })

  it('gives only the scopes that the body asks for', async () => {
    const token = await partnerTokenOf(await newPartner())
    const response = await callAsPartner(token, PATH, { method: 'POST', ...jsonBody({ scope: 'documents  search' }) })
    const body = tokenResponseSchema.parse(await response.json())
    expect(body.scope).toBe('search documents')
    expect((await callWith(body.access_token, '/medical-db/v1/search/?type=medication&q=a')).status).toBe(200)
    expect((await callWith(body.access_token, LIST)).status).toBe(403)
  })

  const notAllowed = { error: 'invalid_scope', errors: [{ field: 'scope', code: 'not_allowed' }] }

  it.each<[RequestInit, number, object]>([
    ...['', ' ', 'catalog:write', 'search workspace:admin', 'everything'].map(
      (scope): [RequestInit, number, object] => [jsonBody({ scope }), 400, notAllowed],
    ),
    [jsonBody({ scopes: 'search' }), 400, {}],
    [jsonBody({ scope: ['search'] }), 400, {}],
    [{ ...jsonBody({}), body: '{"scope":"search","sc\\u006fpe":"search"}' }, 400, {}],
    [{ body: new URLSearchParams({ scope: 'search' }) }, 415, {}],
    [{ body: new TextEncoder().encode('{"scope":"search"}') }, 415, {}],
  ])('refuses a wrong body, and the token can be sent again: %j', async (init, status, error) => {
    const token = await partnerTokenOf(await newPartner(), { claims: { jti: 'once' } })
    const refused = callAsPartner(token, PATH, { method: 'POST', ...init })
    expect(await bodyFrom(refused, status)).toMatchObject(error)
    expect((await callAsPartner(token, PATH, { method: 'POST' })).status).toBe(200)
  })

  it('opens the endpoints that a partner token opens: at all others it counts as absent', async () => {
    const access = await sessionToken(await partnerTokenOf(await newPartner()))
    for (const { method, path, access: rule } of endpoints) {
      if (rule.kind === 'anyone' || rule.partnerToken) continue
      const response = await callWith(access, path.replaceAll(/\{\w+\}/g, 'medication'), method.toUpperCase())
      expect(response.status, `${method} ${path}`).toBe(rule.kind === 'session' ? response.status : 401)
      expect(response.status, `${method} ${path}`).not.toBe(200)
    }
    expect((await callWith(access, '/admin/datasets/v1/a/b')).status).toBe(401)
  })

  it('accepts only a partner token', async () => {
    const { token } = await newWorkspace()
    const partner = await newPartner()
    const access = await sessionToken(await partnerTokenOf(partner))
    expect((await callService(PATH, { method: 'POST' })).status).toBe(401)
    expect((await callWith(token, PATH, 'POST')).status).toBe(401)
    expect((await callWith(access, PATH, 'POST')).status).toBe(401)
    const refused = await callAsPartner('x', PATH, { method: 'POST' })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('Cache-Control')).toBe('no-store')
    const both = { method: 'POST', headers: bearer(token) }
    expect((await callAsPartner(await partnerTokenOf(partner), PATH, both)).status).toBe(400)
  })
})

it('an access token from the exchange ends after 15 minutes', async () => {
  const issued = Math.floor(Date.now() / 1000) * 1000
  vi.useFakeTimers({ toFake: ['Date'], now: issued })
  const access = await sessionToken(await partnerTokenOf(await newPartner()))
  vi.setSystemTime(issued + 900_000 - 1)
  expect((await callWith(access)).status).toBe(200)
  vi.setSystemTime(issued + 900_000)
  expect((await callWith(access)).status).toBe(401)
})
