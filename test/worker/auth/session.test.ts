import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { issueAccessToken } from '#worker/auth/access-token'
import { tokenResponseSchema } from '#worker/auth/schemas'
import { signingKeysOf } from '#worker/auth/signing-keys'
import { endpoints } from '#worker/endpoints'
import { callOperator, createWorkspace, newWorkspace } from '../../support/credentials'
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

  it.each([
    ['no body', {}],
    ['no body, but a Content-Type', { headers: { 'Content-Type': 'application/json' }, body: '' }],
    ['an empty object', jsonBody({})],
  ])('gives every scope of the partner token for %s', async (_, init) => {
    const token = await partnerTokenOf(await newPartner())
    const response = await callAsPartner(token, PATH, { method: 'POST', ...init })
    expect(await response.json()).toMatchObject({ scope: 'catalog:read search documents registration' })
  })

  it.each([
    ['search', 'search'],
    ['documents  search', 'search documents'],
  ])('gives only the scopes that the body asks for: %j', async (scope, granted) => {
    const token = await partnerTokenOf(await newPartner())
    const response = await callAsPartner(token, PATH, { method: 'POST', ...jsonBody({ scope }) })
    const body = tokenResponseSchema.parse(await response.json())
    expect(body.scope).toBe(granted)
    const search = '/medical-db/v1/search/?type=medication&q=a'
    expect((await callWith(body.access_token, search)).status).toBe(200)
    expect((await callWith(body.access_token, LIST)).status).toBe(403)
  })

  it.each(['', ' ', 'catalog:write', 'search workspace:admin', 'everything'])(
    'answers 400 invalid_scope for %j, and the token can be sent again',
    async (scope) => {
      const token = await partnerTokenOf(await newPartner(), { claims: { jti: 'once' } })
      const response = await callAsPartner(token, PATH, { method: 'POST', ...jsonBody({ scope }) })
      expect(await bodyFrom(response, 400)).toMatchObject({
        error: 'invalid_scope',
        errors: [{ field: 'scope', code: 'not_allowed' }],
      })
      expect((await callAsPartner(token, PATH, { method: 'POST' })).status).toBe(200)
    },
  )

  it.each([
    ['an unknown member', jsonBody({ scopes: 'search' }), 400],
    ['a scope that is no text', jsonBody({ scope: ['search'] }), 400],
    ['two scopes', { ...jsonBody({}), body: '{"scope": "search", "scope": "documents"}' }, 400],
    ['the same scope twice', { ...jsonBody({}), body: '{"scope":"search","sc\\u006fpe":"search"}' }, 400],
    ['a form', { body: new URLSearchParams({ scope: 'search' }) }, 415],
    ['a body without a Content-Type', { body: new TextEncoder().encode('{"scope":"search"}') }, 415],
  ])('refuses %s, and the token can be sent again', async (_, init, status) => {
    const token = await partnerTokenOf(await newPartner(), { claims: { jti: 'once' } })
    expect((await callAsPartner(token, PATH, { method: 'POST', ...init })).status).toBe(status)
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

describe('an access token from the exchange', () => {
  it('ends after 15 minutes', async () => {
    const issued = Math.floor(Date.now() / 1000) * 1000
    vi.useFakeTimers({ toFake: ['Date'], now: issued })
    const access = await sessionToken(await partnerTokenOf(await newPartner()))
    vi.setSystemTime(issued + 900_000 - 1)
    expect((await callWith(access)).status).toBe(200)
    vi.setSystemTime(issued + 900_000)
    expect((await callWith(access)).status).toBe(401)
  })

  it('ends with the partner credential', async () => {
    const partner = await newPartner()
    const access = await sessionToken(await partnerTokenOf(partner))
    const path = `/workspaces/${partner.workspaceId}/partner-credentials/${partner.kid}`
    await callOperator(path, undefined, 'DELETE')
    expect((await callWith(access)).status).toBe(401)
  })

  it('is refused for a workspace other than that of its credential', async () => {
    const { kid } = await newPartner()
    const grant = { workspace_id: await createWorkspace(), partner_kid: kid, sub: 'somebody' }
    const scopes = ['catalog:read'] as const
    const token = await issueAccessToken(await signingKeysOf(env), env.ISSUER, { ...grant, scopes }, new Date())
    expect((await callWith(token)).status).toBe(401)
  })
})
