import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import type { PartnerCredential, PartnerCredentialSecret } from '#worker/workspace/schemas'
import { callAsPartner, partnerTokenOf } from '../../support/partners'
import { expectFieldError } from '../../support/responses'
import { ADMINISTRATORS, type Administrator } from './administrators'

const PATH = '/partner-credentials'

const ISSUER = 'https://partner.test'

const create = (administrator: Administrator, body: object = {}): Promise<PartnerCredentialSecret> =>
  administrator.dataOf(PATH, { issuer: ISSUER, ...body })

const listed = async (administrator: Administrator): Promise<PartnerCredential[]> =>
  (await administrator.dataOf<{ items: PartnerCredential[] }>(PATH)).items

const storedText = async (): Promise<string> =>
  JSON.stringify((await env.DB.prepare('select * from partner_credentials').all()).results)

describe.each(ADMINISTRATORS)('%s: POST …/partner-credentials', (_, open) => {
  it('creates a credential with a key of 32 bytes in base64url', async () => {
    const origins = ['https://widget.partner.test', 'https://partner.test:8443', 'http://localhost:3000']
    const credential = await create(await open(), { allowed_origins: origins })
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
    const { secret } = await create(await open())
    const stored = await storedText()
    expect(stored).toContain(ISSUER)
    expect(stored).not.toContain(secret)
  })

  it('registers no origin when none is named', async () => {
    expect((await create(await open())).allowed_origins).toEqual([])
  })

  it.each([
    'https://partner.test',
    'https://partner.test/',
    'https://partner.test:8443/tenant/7?a=b',
    'http://localhost:8080',
    'http://127.0.0.1/issuer',
    'http://[::1]:9000',
    `https://partner.test/${'x'.repeat(255 - 21)}`,
  ])('takes the issuer %s unchanged', async (issuer) => {
    expect((await create(await open(), { issuer })).issuer).toBe(issuer)
  })

  const NOT_A_URL = 'must be an absolute https URL without a fragment (http for localhost only)'

  it.each([
    [undefined, 'is required'],
    ['', 'is required'],
    [7, 'must be a string'],
    ['partner', NOT_A_URL],
    ['/partner', NOT_A_URL],
    ['partner.test', NOT_A_URL],
    ['//partner.test', NOT_A_URL],
    ['http://partner.test', NOT_A_URL],
    ['http://localhost.partner.test', NOT_A_URL],
    ['ftp://partner.test', NOT_A_URL],
    ['javascript:alert(1)', NOT_A_URL],
    ['https://', NOT_A_URL],
    ['https:partner.test', NOT_A_URL],
    ['https://user:password@partner.test', NOT_A_URL],
    ['https://partner.test#part', NOT_A_URL],
    ['https://partner.test#', NOT_A_URL],
    [' https://partner.test', NOT_A_URL],
    ['https://partner.test/a b', NOT_A_URL],
    [`https://partner.test/${'x'.repeat(255 - 20)}`, 'must have at most 255 characters'],
  ])('refuses the issuer %j', async (issuer, msg) => {
    const response = await (await open()).call(PATH, { issuer })
    await expectFieldError(response, 'issuer', msg)
  })

  const NOT_AN_ORIGIN =
    'must be an https origin such as https://partner.example, without a path (http for localhost only)'

  it.each([
    '*',
    'null',
    '',
    'partner.test',
    'https://*.partner.test',
    'https://partner.test/',
    'https://partner.test/path',
    'https://partner.test:443',
    'https://PARTNER.test',
    'http://partner.test',
    'https://a@partner.test',
  ])('refuses the origin %j', async (origin) => {
    const body = { issuer: ISSUER, allowed_origins: ['https://partner.test', origin] }
    const response = await (await open()).call(PATH, body)
    await expectFieldError(response, 'allowed_origins.1', NOT_AN_ORIGIN)
  })

  it.each([
    ['https://partner.test', 'must be a list of web origins'],
    [null, 'must be a list of web origins'],
    [['https://a.test', 'https://a.test'], 'must name each origin once'],
    [Array.from({ length: 21 }, (_, index) => `https://${index}.test`), 'must have at most 20 origins'],
  ])('refuses the origins %j', async (origins, msg) => {
    const body = { issuer: ISSUER, allowed_origins: origins }
    await expectFieldError(await (await open()).call(PATH, body), 'allowed_origins', msg)
  })
})

describe.each(ADMINISTRATORS)('%s: GET …/partner-credentials', (_, open) => {
  it('lists the credentials of the workspace only, without secrets, oldest first', async () => {
    const administrator = await open()
    const first = await create(administrator, { allowed_origins: ['https://widget.test'] })
    await create(await open())
    const second = await create(administrator)
    const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const use = { created_by: expect.any(String), created_at, last_used_at: null }
    expect(await listed(administrator)).toEqual(
      [first, second].map(({ secret: _secret, ...rest }) => ({ ...rest, ...use })),
    )
  })
})

describe.each(ADMINISTRATORS)('%s: DELETE …/partner-credentials/{kid}', (_, open) => {
  it('ends the tokens of the partner at once in the same isolate', async () => {
    const administrator = await open()
    const credential = await create(administrator)
    const token = await partnerTokenOf({ workspaceId: administrator.workspaceId, ...credential })
    expect((await callAsPartner(token)).status).toBe(200)
    await administrator.dataOf(`${PATH}/${credential.kid}`, undefined, 'DELETE')
    expect((await callAsPartner(token)).status).toBe(401)
  })
})
