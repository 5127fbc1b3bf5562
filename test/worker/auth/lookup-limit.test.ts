import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { networkOf } from '#worker/http/limits/rate-limit'
import { beginSession } from '#worker/login/sessions'
import { openControl } from '../../support/databases'
import { loginBindings, SAME_ORIGIN } from '../../support/logins'
import { newPartner, partnerTokenOf } from '../../support/partners'
import { calling } from '../../support/service'

const SEARCH = '/medical-db/v1/search/?type=medication&q=a'

/** A service in which an address may make one lookup of each kind, and the lookups that it counted. */
function strictService() {
  const counts = new Map<string, number>()
  const limit = async ({ key }: { key: string }) => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return { success: counts.get(key) === 1 }
  }
  const call = calling(undefined, { ...env, ...loginBindings, TOKEN_RATE_LIMIT: { limit } })
  const from = (address: string, path: string, headers: Record<string, string> = {}, method = 'GET') =>
    call(path, { method, headers: { 'CF-Connecting-IP': address, ...headers } })
  return { from, counts }
}

it('lookups of made-up credentials are limited per address', async () => {
  const partner = await newPartner()
  const { from, counts } = strictService()
  const preflight = () => ({
    Origin: `https://${crypto.randomUUID()}.example`,
    'Access-Control-Request-Method': 'GET',
  })
  const unknown = async () => ({ 'X-Auth-Token': await partnerTokenOf({ ...partner, kid: crypto.randomUUID() }) })
  const cookie = () => ({ ...SAME_ORIGIN, Cookie: `session=${crypto.randomUUID()}` })
  const kinds = [
    () => from('192.0.2.1', SEARCH, preflight(), 'OPTIONS'),
    async () => from('192.0.2.1', SEARCH, await unknown()),
    () => from('192.0.2.1', '/api/v1/auth/session/token', cookie(), 'POST'),
    () => from('192.0.2.1', '/health'),
  ]
  for (const send of kinds) {
    expect((await send()).status).not.toBe(429)
    const refused = await send()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
  }
  expect(counts.size).toBe(kinds.length)
})

it('recently found credentials are not counted', async () => {
  const partner = await newPartner()
  const { from } = strictService()
  const secret = await beginSession(openControl(), { userId: 'u', email: 'nobody@example.com' }, new Date())
  const cookie = { ...SAME_ORIGIN, Cookie: `session=${secret}` }
  for (let n = 0; n < 3; n++) {
    const token = { 'X-Auth-Token': await partnerTokenOf(partner) }
    expect((await from('192.0.2.2', SEARCH, token)).status).not.toBe(429)
    expect((await from('192.0.2.2', '/api/v1/auth/session/workspaces', cookie)).status).not.toBe(429)
  }
})

it('an IPv6 network counts as one address', async () => {
  const { from } = strictService()
  expect((await from('2001:db8:1:2::1', '/health')).status).toBe(200)
  expect((await from('2001:db8:1:2:ffff:1:2:3', '/health')).status).toBe(429)
  expect((await from('2001:db8:1:3::1', '/health')).status).toBe(200)
})

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8::1', '2001:db8:0:0'],
  ['2001:db8::ffff:1:2:3', '2001:db8:0:0'],
  ['2001:0db8:0000:0000::1', '2001:db8:0:0'],
  ['2001:db8:0:0:1::', '2001:db8:0:0'],
  ['2001:db8:1::5:6:7:8', '2001:db8:1:0'],
  ['::1', '0:0:0:0'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
])('%s is in the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
