import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import type { PartnerCredential, PartnerCredentialSecret } from '#worker/workspace/schemas'
import { type Administrator, newAdmin } from './administrators'

const PATH = '/partner-credentials'

const ISSUER = 'https://partner.test'

const create = (administrator: Administrator, body: object = {}): Promise<PartnerCredentialSecret> =>
  administrator.dataOf(PATH, { issuer: ISSUER, ...body })

const listed = async (administrator: Administrator): Promise<PartnerCredential[]> =>
  (await administrator.dataOf<{ items: PartnerCredential[] }>(PATH)).items

const storedText = async (): Promise<string> =>
  JSON.stringify((await env.DB.prepare('select * from partner_credentials').all()).results)

describe('POST …/partner-credentials', () => {
  it('creates a credential with a key of 32 bytes in base64url', async () => {
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
  })

  it('stores the secret sealed', async () => {
    const { secret } = await create(await newAdmin())
    const stored = await storedText()
    expect(stored).toContain(ISSUER)
    expect(stored).not.toContain(secret)
  })
})

it('lists have the credentials of the workspace only, without secrets, oldest first', async () => {
  const administrator = await newAdmin()
  const first = await create(administrator, { allowed_origins: ['https://widget.test'] })
  await create(await newAdmin())
  const second = await create(administrator)
  const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const use = { created_by: expect.any(String), created_at, last_used_at: null }
  expect(await listed(administrator)).toEqual(
    [first, second].map(({ secret: _secret, ...rest }) => ({ ...rest, ...use })),
  )
})
