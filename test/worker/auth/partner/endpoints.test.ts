import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { createApp } from '#worker/app'
import { endpoints } from '#worker/endpoints'
import { findEndpoint } from '#worker/http/endpoint/endpoint'
import { newCatalog } from '../../../support/catalog'
import { callOperator, newWorkspace } from '../../../support/credentials'
import { execute } from '../../../support/databases'
import {
  callAsPartner,
  LIST,
  newPartner,
  partnerTokenOf,
  sessionToken,
  type TestPartner,
} from '../../../support/partners'
import { bearer, bodyFrom, calling } from '../../../support/service'

const REFUSAL = {
  success: false,
  message:
    'The partner token is missing, invalid, expired or was used before. Make a new one, and send the request again.',
}

const revoke = ({ workspaceId, kid }: TestPartner): Promise<Response> =>
  callOperator(`/workspaces/${workspaceId}/partner-credentials/${kid}`, undefined, 'DELETE')

/** Calls the service and returns the log lines of the request. */
async function logOf(call: () => Promise<Response>): Promise<{ response: Response; log: string }> {
  const spy = vi.spyOn(console, 'log').mockClear()
  const response = await call()
  return { response, log: spy.mock.calls.join('\n') }
}

describe('x-auth-token', () => {
  it("grants access only to the catalog of the credential's workspace", async () => {
    const catalog = await newCatalog('symptom')
    await catalog.write([catalog.record('s1')])
    const statusFor = async (partner: TestPartner) => {
      const token = await partnerTokenOf(partner)
      const list = await callAsPartner(token, '/admin/datasets/v1/?type=symptom')
      const one = await callAsPartner(token, '/admin/datasets/v1/s1/?type=symptom')
      return [(await bodyFrom<{ count: number }>(list)).count, one.status]
    }
    expect(await statusFor(await newPartner(catalog.workspace))).toEqual([1, 200])
    expect(await statusFor(await newPartner())).toEqual([0, 404])
  })

  it('gets the same response for every failed check', async () => {
    const partner = await newPartner()
    const revoked = await newPartner()
    await revoke(revoked)
    const good = await partnerTokenOf(partner)
    const now = Math.floor(Date.now() / 1000)
    const used = await partnerTokenOf(partner, { claims: { jti: 'used' } })
    expect((await callAsPartner(used)).status).toBe(200)
    const tokens = [
      ...['', 'x', `${good}x`, `${good}, ${good}`, used],
      await partnerTokenOf({ ...partner, kid: 'unknown' }),
      await partnerTokenOf({ ...partner, secret: revoked.secret }),
      await partnerTokenOf(revoked),
      await partnerTokenOf(partner, { claims: { iss: 'https://evil.test' } }),
      await partnerTokenOf(partner, { claims: { exp: now - 61, iat: now - 100 } }),
    ]
    for (const token of tokens) {
      const response = await callAsPartner(token)
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"')
      expect(await bodyFrom(response, 401)).toEqual(REFUSAL)
    }
  })

  it('is rejected together with an access token, whether both are valid or invalid', async () => {
    const workspace = await newWorkspace()
    const token = await partnerTokenOf(await newPartner({ workspaceId: workspace.workspaceId }))
    for (const [partnerToken, authorization] of [
      [token, `Bearer ${workspace.token}`],
      [token, 'Bearer wrong'],
      [token, 'Basic eDp5'],
      ['', `Bearer ${workspace.token}`],
    ] as const) {
      const response = await callAsPartner(partnerToken, LIST, { headers: { Authorization: authorization } })
      const message = 'Send Authorization or X-Auth-Token, not both.'
      expect(await bodyFrom(response, 400)).toEqual({ success: false, message })
    }
  })

  it('has its failed check only in the log, which contains nothing of the token', async () => {
    const partner = await newPartner()
    const claims = { sub: '+919999999999', jti: 'secret-jti' }
    const refused = await partnerTokenOf(partner, { claims: { ...claims, iss: 'https://evil.test' } })
    const accepted = await partnerTokenOf(partner, { claims })
    for (const [token, expected] of [
      [refused, '"reason":"partner token: claims: iss"'],
      [accepted, `"workspace":"${partner.workspaceId}"`],
    ] as const) {
      const { log } = await logOf(() => callAsPartner(token))
      expect(log).toContain(expected)
      for (const secret of [token.slice(-20), partner.secret, 'evil.test', ...Object.values(claims)])
        expect(log).not.toContain(secret)
    }
  })
})

describe('the rate limit', () => {
  const limitedBy = (limits: Partial<typeof env>) => calling(undefined, { ...env, ...limits })

  it('of the workspace counts its partner tokens, and a rejected one is not used up', async () => {
    const partner = await newPartner()
    const token = await partnerTokenOf(partner, { claims: { jti: 'over the rate' } })
    const limit = vi.fn(async () => ({ success: false }))
    const refused = await limitedBy({ WORKSPACE_RATE_LIMIT: { limit } })(LIST, { headers: { 'X-Auth-Token': token } })
    expect(refused.status).toBe(429)
    expect(limit.mock.calls).toEqual([[{ key: partner.workspaceId }]])
    expect((await callAsPartner(token)).status).toBe(200)
    expect((await callAsPartner(token)).status).toBe(401)
  })

  it('of a partner is shared by its tokens and sessions', async () => {
    const { workspaceId, token: own } = await newWorkspace()
    const partner = await newPartner({ workspaceId })
    const session = await sessionToken(await partnerTokenOf(partner))
    const limit = vi.fn(async ({ key }: RateLimitOptions) => ({ success: key === workspaceId }))
    const call = limitedBy({ PARTNER_RATE_LIMIT: { limit }, WORKSPACE_RATE_LIMIT: { limit } })
    const token = await partnerTokenOf(partner, { claims: { sub: 'another user' } })
    for (const headers of [{ 'X-Auth-Token': token }, bearer(session)]) {
      const response = await call(LIST, { headers })
      expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '60'])
    }
    expect((await call(LIST, { headers: bearer(own) })).status).toBe(200)
    expect(limit.mock.calls.map(([{ key }]) => key)).toEqual([partner.kid, partner.kid, workspaceId])
  })
})

describe('a partner credential', () => {
  it('is cached for at most 60 seconds', async () => {
    const partner = await newPartner()
    const rowsRead = async (kid: string) => {
      const { log } = await logOf(async () => callAsPartner(await partnerTokenOf(partner, { header: { kid } })))
      return Number(/"rows_read":(\d+)/.exec(log)?.[1])
    }
    await rowsRead('nobody')
    expect(await rowsRead('nobody')).toBe(0)
    const status = async () => (await callAsPartner(await partnerTokenOf(partner))).status
    expect(await status()).toBe(200)
    await execute('update partner_credentials set revoked_at = 1')
    expect(await status()).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
    expect(await status()).toBe(401)
  })

  it('grants nothing if its encrypted secret was copied from another row', async () => {
    const [partner, other] = [await newPartner(), await newPartner()]
    const copy = `update partner_credentials set sealed_secret =
      (select sealed_secret from partner_credentials where kid = ?) where kid = ?`
    await execute(copy, other.kid, partner.kid)
    const forged = await partnerTokenOf({ ...partner, secret: other.secret })
    const { response, log } = await logOf(() => callAsPartner(forged))
    expect(response.status).toBe(500)
    expect(log).not.toContain(other.secret)
  })
})

describe('the endpoints that accept partner tokens', () => {
  const app = createApp()
  const routeOf = (path: string): string => path.replace(/\{\w+\}/g, 'an-id').replace(/(?<=.)\/$/, '')

  it('are found by the method and the path of a preflight', () => {
    for (const { method, path, operationId } of endpoints) {
      expect(findEndpoint(app, method.toUpperCase(), routeOf(path))?.operationId).toBe(operationId)
    }
    expect(findEndpoint(app, 'PUT', '/admin/datasets/v1')).toBeUndefined()
  })

  it('are those of reading, search, documents and registration', () => {
    const described = endpoints.filter(({ access }) => access.partnerToken)
    expect(described.map(({ operationId }) => operationId).sort()).toEqual([
      ...[
        'deleteDocument',
        'exchangePartnerToken',
        'getDocument',
        'getDocumentContent',
        'getRecord',
        'initiateRegistration',
      ],
      ...['listRecords', 'reportSearchMiss', 'searchMedicalDatabase', 'searchMedicalDatabaseByPost', 'uploadDocument'],
    ])
  })
})
