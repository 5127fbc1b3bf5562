import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import type { PartnerCredential, PartnerCredentialSecret } from '../../src/workspace/schemas'
import { callOperator, createWorkspace } from '../support/credentials'
import { dataOf, expectFieldError } from './responses'

const pathOf = (workspaceId: string): string => `/workspaces/${workspaceId}/partner-credentials`

const ISSUER = 'https://partner.test'

const create = (workspaceId: string, body: object = {}): Promise<PartnerCredentialSecret> =>
  dataOf(pathOf(workspaceId), { issuer: ISSUER, ...body })

const listed = async (workspaceId: string): Promise<PartnerCredential[]> =>
  (await dataOf<{ items: PartnerCredential[] }>(pathOf(workspaceId))).items

const storedText = async (): Promise<string> =>
  JSON.stringify((await env.DB.prepare('select * from partner_credentials').all()).results)

describe('POST /platform/v1/workspaces/{workspace_id}/partner-credentials', () => {
  it('creates a credential with a key of 32 bytes in base64url', async () => {
    const origins = ['https://widget.partner.test', 'https://partner.test:8443', 'http://localhost:3000']
    const credential = await create(await createWorkspace(), { allowed_origins: origins })
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
    const { secret } = await create(await createWorkspace())
    const stored = await storedText()
    expect(stored).toContain(ISSUER)
    expect(stored).not.toContain(secret)
  })

  it('registers no origin where none is named', async () => {
    expect((await create(await createWorkspace())).allowed_origins).toEqual([])
  })

  it('answers 404 for an unknown workspace', async () => {
    const response = await callOperator(pathOf('nowhere'), { issuer: ISSUER })
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ success: false, message: 'There is no such workspace.' })
  })

  it.each([
    'https://partner.test',
    'https://partner.test/',
    'https://partner.test:8443/tenant/7?a=b',
    'http://localhost:8080',
    'http://127.0.0.1/issuer',
    'http://[::1]:9000',
    `https://partner.test/${'x'.repeat(255 - 21)}`,
  ])('takes the issuer %s as it is', async (issuer) => {
    expect((await create(await createWorkspace(), { issuer })).issuer).toBe(issuer)
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
    const response = await callOperator(pathOf(await createWorkspace()), { issuer })
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
    const response = await callOperator(pathOf(await createWorkspace()), body)
    await expectFieldError(response, 'allowed_origins.1', NOT_AN_ORIGIN)
  })

  it.each([
    ['https://partner.test', 'must be a list'],
    [null, 'must be a list'],
    [['https://a.test', 'https://a.test'], 'must name each origin once'],
    [Array.from({ length: 21 }, (_, index) => `https://${index}.test`), 'must have at most 20 origins'],
  ])('refuses the origins %j', async (origins, msg) => {
    const body = { issuer: ISSUER, allowed_origins: origins }
    await expectFieldError(await callOperator(pathOf(await createWorkspace()), body), 'allowed_origins', msg)
  })
})

describe('GET /platform/v1/workspaces/{workspace_id}/partner-credentials', () => {
  it('lists the credentials of the workspace alone, without secrets, oldest first', async () => {
    const workspaceId = await createWorkspace()
    const first = await create(workspaceId, { allowed_origins: ['https://widget.test'] })
    await create(await createWorkspace())
    const second = await create(workspaceId)
    const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(await listed(workspaceId)).toEqual(
      [first, second].map(({ secret: _secret, ...rest }) => ({ ...rest, created_at })),
    )
  })

  it('answers 404 for an unknown workspace', async () => {
    expect((await callOperator(pathOf('nowhere'))).status).toBe(404)
  })
})

describe('DELETE /platform/v1/workspaces/{workspace_id}/partner-credentials/{kid}', () => {
  it('revokes a credential and destroys its secret, and answers the same again', async () => {
    const workspaceId = await createWorkspace()
    const { kid } = await create(workspaceId)
    const path = `${pathOf(workspaceId)}/${kid}`
    expect(await dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
    expect(await dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
    expect(await listed(workspaceId)).toEqual([])
    expect(await storedText()).toContain('"sealed_secret":""')
  })

  it('answers 404 for a credential of another workspace and leaves it as it is', async () => {
    const [workspaceId, other] = [await createWorkspace(), await createWorkspace()]
    const { kid } = await create(other)
    const response = await callOperator(`${pathOf(workspaceId)}/${kid}`, undefined, 'DELETE')
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      success: false,
      message: 'The workspace has no such partner credential.',
    })
    expect(await listed(other)).toMatchObject([{ kid }])
  })
})
