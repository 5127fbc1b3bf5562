import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { expect, it, vi } from 'vitest'
import { tokenResponseSchema } from '#worker/auth/schemas'
import { newWorkspace } from '../../support/credentials'
import { callAsPartner, LIST, newPartner, partnerTokenOf, sessionToken } from '../../support/partners'
import { bearer, bodyFrom, callService, jsonBody } from '../../support/service'

const PATH = '/api/v1/auth/session'
const ALL = 'catalog:read search documents registration'

const exchange = (token: string, init: RequestInit = {}) => callAsPartner(token, PATH, { method: 'POST', ...init })

const statusWith = async (token: string, path = LIST, method = 'GET'): Promise<number> =>
  (await callService(path, { method, headers: bearer(token) })).status

it("a partner token is exchanged for an access token of 15 minutes, in the token endpoint's format", async () => {
  const issued = Math.floor(Date.now() / 1000) * 1000
  vi.useFakeTimers({ toFake: ['Date'], now: issued })
  const { kid, ...partner } = await newPartner()
  const response = await exchange(await partnerTokenOf({ kid, ...partner }, { claims: { sub: '+919876543210' } }))
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  const { access_token: token, ...body } = tokenResponseSchema.parse(await bodyFrom(response))
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: ALL })
  expect(decodeJwt(token)).toEqual({
    ...{ iss: env.ISSUER, aud: env.ISSUER, iat: issued / 1000, exp: issued / 1000 + 900, jti: expect.any(String) },
    ...{ sub: '+919876543210', client_id: kid, partner_kid: kid, workspace_id: partner.workspaceId, scope: ALL },
  })
  vi.setSystemTime(issued + 900_000 - 1)
  expect(await statusWith(token)).toBe(200)
  vi.setSystemTime(issued + 900_000)
  expect(await statusWith(token)).toBe(401)
})

it("the exchange grants the scopes that the body requests, and without any all of the partner token's", async () => {
  const token = await partnerTokenOf(await newPartner())
  for (const init of [{ headers: { 'Content-Type': 'application/json' }, body: '' }, jsonBody({})])
    expect(await bodyFrom(exchange(token, init))).toMatchObject({ scope: ALL })
  const body = tokenResponseSchema.parse(await bodyFrom(exchange(token, jsonBody({ scope: 'documents  search' }))))
  expect(body.scope).toBe('search documents')
  expect(await statusWith(body.access_token, '/medical-db/v1/search/?type=medication&q=a')).toBe(200)
  expect(await statusWith(body.access_token, LIST)).toBe(403)
})

it('a wrong body is rejected, and the token can be sent again', async () => {
  const notAllowed = { error: 'invalid_scope', errors: [{ field: 'scope', code: 'not_allowed' }] }
  const scopes = ['', ' ', 'catalog:write', 'search workspace:admin', 'everything']
  const token = await partnerTokenOf(await newPartner(), { claims: { jti: 'once' } })
  for (const [init, status, error] of [
    ...scopes.map((scope) => [jsonBody({ scope }), 400, notAllowed] as const),
    [jsonBody({ scope: ['search'] }), 400, {}],
    [{ ...jsonBody({}), body: '{"scope":"search","sc\\u006fpe":"search"}' }, 400, {}],
    [{ body: new URLSearchParams({ scope: 'search' }) }, 415, {}],
  ] as const)
    expect(await bodyFrom(exchange(token, init), status)).toMatchObject(error)
  expect((await exchange(token)).status).toBe(200)
})

it('the exchange accepts only a partner token', async () => {
  const { token } = await newWorkspace()
  const partner = await newPartner()
  const access = await sessionToken(await partnerTokenOf(partner))
  expect((await callService(PATH, { method: 'POST' })).status).toBe(401)
  for (const other of [token, access]) expect(await statusWith(other, PATH, 'POST')).toBe(401)
  expect(await statusWith(access, '/admin/datasets/v1/a/b')).toBe(401)
  const refused = await exchange('x')
  expect([refused.status, refused.headers.get('Cache-Control')]).toEqual([401, 'no-store'])
  expect((await exchange(await partnerTokenOf(partner), { headers: bearer(token) })).status).toBe(400)
})
