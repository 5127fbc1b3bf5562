import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { beginSession } from '#worker/login/sessions'
import { openControl } from '../../support/databases'
import { loginBindings, SAME_ORIGIN } from '../../support/logins'
import { newPartner, partnerTokenOf } from '../../support/partners'
import { calling } from '../../support/service'

const SEARCH = '/medical-db/v1/search/?type=medication&q=a'

/** A service in which an address may look up so many things of one kind, and the look-ups that it counted. */
function limitedTo(most: number) {
  const counts = new Map<string, number>()
  const limit = async ({ key }: { key: string }) => {
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return { success: count <= most }
  }
  return { call: calling(undefined, { ...env, ...loginBindings, TOKEN_RATE_LIMIT: { limit } }), counts }
}

const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'CF-Connecting-IP': address, ...headers },
})

const preflight = (origin: string) => ({
  method: 'OPTIONS',
  ...from('192.0.2.1', { Origin: origin, 'Access-Control-Request-Method': 'GET' }),
})

it('made-up origins, key ids and session cookies are looked up so often for an address; then it is 429', async () => {
  const partner = await newPartner()
  const { call, counts } = limitedTo(1)
  const unknown = async () => partnerTokenOf({ ...partner, kid: crypto.randomUUID() })
  const cookie = () => ({
    ...SAME_ORIGIN,
    Cookie: `session=${crypto.randomUUID()}`,
  })
  const kinds = [
    () => call(SEARCH, preflight(`https://${crypto.randomUUID()}.example`)),
    async () => call(SEARCH, from('192.0.2.1', { 'X-Auth-Token': await unknown() })),
    () => call('/api/v1/auth/session/token', { method: 'POST', ...from('192.0.2.1', cookie()) }),
    () => call('/health', from('192.0.2.1')),
  ]
  for (const send of kinds) {
    expect((await send()).status).not.toBe(429)
    const refused = await send()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
  }
  expect(counts.size).toBe(kinds.length)
})

it('what was found lately is not counted', async () => {
  const partner = await newPartner()
  const { call } = limitedTo(1)
  for (let n = 0; n < 3; n++) {
    const headers = { 'X-Auth-Token': await partnerTokenOf(partner) }
    expect((await call(SEARCH, from('192.0.2.2', headers))).status).not.toBe(429)
  }
  const secret = await beginSession(openControl(), { userId: 'u', email: 'nobody@example.com' }, new Date())
  const headers = { ...SAME_ORIGIN, Cookie: `session=${secret}` }
  for (let n = 0; n < 3; n++) {
    expect((await call('/api/v1/auth/session/workspaces', from('192.0.2.2', headers))).status).not.toBe(429)
  }
})

it('an IPv6 network counts as one address', async () => {
  const { call } = limitedTo(1)
  expect((await call('/health', from('2001:db8:1:2::1'))).status).toBe(200)
  expect((await call('/health', from('2001:db8:1:2:ffff:1:2:3'))).status).toBe(429)
  expect((await call('/health', from('2001:db8:1:3::1'))).status).toBe(200)
})
