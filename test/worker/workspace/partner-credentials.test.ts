import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { rowContext, unseal } from '#worker/crypto/seal'
import { forgetCached } from '#worker/storage/timed-cache'
import type { EncryptionKeySecret } from '#worker/workspace/encryption-keys'
import type { PartnerCredential, PartnerCredentialSecret } from '#worker/workspace/partner-credentials'
import { callAsPartner, LIST, partnerTokenOf } from '../../support/partners'
import { callService } from '../../support/service'
import { type Administrator, newAdmin } from './administrators'

const PATH = '/partner-credentials'

const ISSUER = 'https://partner.test'

const create = (administrator: Administrator, body: object = {}): Promise<PartnerCredentialSecret> =>
  administrator.dataOf(PATH, { issuer: ISSUER, ...body })

const listed = async <T = PartnerCredential>(administrator: Administrator, path = PATH): Promise<T[]> =>
  (await administrator.dataOf<{ items: T[] }>(path)).items

it('a new credential has a key of 32 bytes in base64url, which is stored encrypted', async () => {
  const origins = ['https://widget.partner.test', 'https://partner.test:8443', 'http://localhost:3000']
  const credential = await create(await newAdmin(), { allowed_origins: origins })
  expect(credential).toEqual({
    kid: expect.stringMatching(/^dcs_partner_[A-Za-z0-9_-]{22}$/),
    secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    issuer: ISSUER,
    audience: env.PARTNER_AUDIENCE,
    allowed_origins: origins,
  })
  expect(base64url.decode(credential.secret)).toHaveLength(32)
  const stored = JSON.stringify((await env.DB.prepare('select * from partner_credentials').all()).results)
  expect(stored).toContain(ISSUER)
  expect(stored).not.toContain(credential.secret)
})

it('a new encryption key has 16 random letters and digits, and is stored encrypted', async () => {
  const administrator = await newAdmin()
  expect((await administrator.call('/encryption-keys', { key: 'ABCDEFGH12345678' })).status).toBe(400)
  const { kid, key } = await administrator.dataOf<EncryptionKeySecret>('/encryption-keys', {})
  expect(kid).toMatch(/^dcs_enckey_[A-Za-z0-9_-]{22}$/)
  expect(key).toMatch(/^[A-Za-z0-9]{16}$/)
  const sealed = String(await env.DB.prepare('select sealed_key from encryption_keys').first('sealed_key'))
  expect(sealed).not.toContain(key)
  expect(await unseal(await masterKeysOf(env), rowContext('encryption_keys', kid), sealed)).toBe(key)
})

it('lists contain only the credentials of the workspace, without secrets', async () => {
  const [administrator, other] = [await newAdmin(), await newAdmin()]
  const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const use = { created_by: expect.any(String), created_at, last_used_at: null }
  for (const [path, body] of [
    [PATH, { issuer: ISSUER, allowed_origins: ['https://widget.test'] }],
    ['/encryption-keys', {}],
  ] as const) {
    const made = []
    for (const one of [administrator, other, administrator])
      made.push(await one.dataOf<Record<string, string>>(path, body))
    const [first, , second] = made.map(({ secret: _secret, key: _key, ...rest }) => ({ ...rest, ...use }))
    expect(await listed(administrator, path)).toEqual([first, second])
  }
})

describe('PUT …/partner-credentials/{kid}', () => {
  const [before, kept, added] = ['https://before.test', 'https://kept.test', 'capacitor://localhost']

  beforeEach(() => forgetCached(added))

  const preflight = async (origin: string) => {
    const headers = { Origin: origin, 'Access-Control-Request-Method': 'GET' }
    return (await callService(LIST, { method: 'OPTIONS', headers })).headers.get('Access-Control-Allow-Origin')
  }

  it('changes the origins, and keeps the secret', async () => {
    const administrator = await newAdmin()
    const credential = await create(administrator, { allowed_origins: [before, kept] })
    expect(await preflight(added)).toBeNull()
    const changed = await administrator.call(`${PATH}/${credential.kid}`, { allowed_origins: [kept, added] }, 'PUT')
    expect(changed.status).toBe(200)
    const [item] = await listed(administrator)
    expect(await changed.json()).toMatchObject({ data: item })
    expect(item?.allowed_origins).toEqual([kept, added])
    expect(await Promise.all([before, kept, added].map(preflight))).toEqual([null, kept, added])
    const token = await partnerTokenOf({ ...credential, workspaceId: administrator.workspaceId })
    const answer = await callAsPartner(token, LIST, { headers: { Origin: added } })
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(added)
  })

  it('keeps an origin that another credential also has', async () => {
    const [one, other] = [await newAdmin(), await newAdmin()]
    const { kid } = await create(one, { allowed_origins: [kept] })
    await create(other, { allowed_origins: [kept] })
    await one.call(`${PATH}/${kid}`, { allowed_origins: [] }, 'PUT')
    expect(await preflight(kept)).toBe(kept)
  })

  it('changes nothing of another workspace, of a revoked credential, or with an invalid origin', async () => {
    const administrator = await newAdmin()
    const { kid } = await create(administrator, { allowed_origins: [kept] })
    const put = async (caller: Administrator, origins: unknown) =>
      (await caller.call(`${PATH}/${kid}`, { allowed_origins: origins }, 'PUT')).status
    expect(await put(await newAdmin(), [added])).toBe(404)
    for (const origin of ['app://localhost', 'capacitor://evil', 'capacitor://localhost/', 'http://partner.test']) {
      expect(await put(administrator, [origin]), origin).toBe(400)
    }
    expect(await put(administrator, undefined)).toBe(400)
    expect((await listed(administrator))[0]?.allowed_origins).toEqual([kept])
    await administrator.call(`${PATH}/${kid}`, undefined, 'DELETE')
    expect(await put(administrator, [added])).toBe(404)
    expect(await preflight(added)).toBeNull()
  })
})
