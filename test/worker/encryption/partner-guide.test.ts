import { base64url, compactDecrypt, decodeProtectedHeader, flattenedDecrypt, jwtDecrypt } from 'jose'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openPartnerToken } from '#worker/auth/partner/token'
import { sha256Hex } from '#worker/crypto/hash'
import { checkDrug } from '../../../docs/partners.md?example=check-drug'
import { partnerToken } from '../../../docs/partners.md?example=partner-token'
import { uploadDocument } from '../../../docs/partners.md?example=upload-document'
import bodies from '../../../samples/partner/encrypted_bodies.py?raw'
import { postEncrypted } from '../../../samples/partner/encrypted-body.mjs'
import tokens from '../../../samples/partner/partner_token.py?raw'
import { TestCatalog } from '../../support/catalog'
import { workspaceOfEachTest } from '../../support/credentials'
import { newPartner } from '../../support/partners'
import { bearer, bodyFrom, callService, jsonBody } from '../../support/service'
import made from '../../vectors/partner-guide/python.json'
import { newSharedKey, type SharedKey, UNREADABLE } from './support'

const SERVICE = 'https://catalog.test'

const workspace = workspaceOfEachTest()
let sharedKey: SharedKey
let credential: Parameters<typeof partnerToken>[0]

beforeEach(async () => {
  sharedKey = await newSharedKey(workspace.workspaceId)
  credential = await newPartner(workspace)
  vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) =>
    callService(String(url).slice(SERVICE.length), init as RequestInit),
  )
})

const newToken = () => partnerToken(credential, '+919800000001')

describe('the partner guide', () => {
  const LIST = '/admin/datasets/v1/?type=symptom'

  const session = async (body = {}) => {
    const init = { method: 'POST', ...jsonBody(body, { 'x-auth-token': await newToken() }) }
    return bodyFrom<{ access_token: string; expires_in: number }>(callService('/api/v1/auth/session', init))
  }

  it('creates tokens that are accepted once, and exchanged for a session', async () => {
    const headers = { 'x-auth-token': await newToken() }
    for (const status of [200, 401]) expect((await callService(LIST, { headers })).status).toBe(status)
    const { access_token, expires_in } = await session()
    expect(expires_in).toBe(900)
    expect((await callService(LIST, { headers: bearer(access_token) })).status).toBe(200)
  })

  it('accepts an order only for an active record as it was displayed', async () => {
    const aspirin = { name: 'Aspirin', strength: '0.5 mg', form_name: 'Tablet' }
    const zinc = { name: 'Zinc', strength: null, form_name: null }
    const records = [
      { medication_id: 'M1', ...aspirin },
      { medication_id: 'M/2', ...zinc, is_active: false },
      { medication_id: 'M/4', ...zinc },
    ]
    await new TestCatalog(workspace, 'medication').write(records)
    const check = async (id: string, seen: typeof aspirin | typeof zinc) =>
      checkDrug({ service: SERVICE, token: await newToken(), id, seen })
    expect(await check('M1', aspirin)).toMatchObject({ medication_id: 'M1' })
    expect(await check('M/4', zinc)).toMatchObject({ medication_id: 'M/4' })
    for (const [id, seen] of [
      ['M1', { ...aspirin, name: 'Metformin' }],
      ['M1', { ...aspirin, strength: '5 mg' }],
      ['M1', { ...aspirin, form_name: 'Suppository' }],
      ['M1', { ...aspirin, ...zinc, name: 'Aspirin' }],
      ['M/2', zinc],
      ['M3', aspirin],
    ] as const)
      expect(await check(id, seen)).toBeUndefined()
  })

  it('uploads a document from a browser once, however often it is sent', async () => {
    const { access_token: accessToken } = await session({ scope: 'documents' })
    const file = new File(['%PDF-1.7'], 'order.pdf')
    const upload = () => uploadDocument({ service: SERVICE, accessToken, file, key: 'key-of-the-file' })
    expect(await upload()).toBe(await upload())
  })

  it('encrypts requests, and reads both encrypted and plain responses', async () => {
    const asPartner = async () => ({ 'x-auth-token': await newToken() })
    const docs = `${SERVICE}/mr/api/v2/docs`
    const document = await postEncrypted(`${docs}?task=pii`, { file: btoa('%PDF-1.7') }, sharedKey, await asPartner())
    expect(document).toMatchObject({ data: { content_type: 'application/pdf', tasks: ['pii'] } })
    const search = (query: object) =>
      postEncrypted(`${SERVICE}/medical-db/v1/search/`, query, sharedKey, bearer(workspace.token))
    expect(await search({ type: 'symptom', q: 'headache' })).toMatchObject({ success: true })
    expect(await search({ q: 'headache' })).toMatchObject({ success: false, errors: [{ field: 'type' }] })
    const unknown = { kid: 'unknown', key: '0123456789abcdef' }
    expect(await postEncrypted(docs, {}, unknown, await asPartner())).toEqual(UNREADABLE)
  })
})

const secret = base64url.decode(made.secret)

describe('the Python of the partner guide', () => {
  it('is the code that created the vectors: run test/vectors/partner-guide/make.py if this fails', async () => {
    expect(await sha256Hex(tokens + bodies)).toBe(made.source_sha256)
  })

  it('creates a partner token that is accepted', async () => {
    const key = await crypto.subtle.importKey('raw', secret, 'AES-GCM', false, ['decrypt'])
    const findCredential = async (kid: string) => (kid === made.kid ? { issuer: made.issuer, key } : null)
    const expected = { audience: made.audience, findCredential }
    const { payload } = await jwtDecrypt(made.token, secret, { currentDate: new Date(0) })
    const { claims } = await openPartnerToken(made.token, expected, new Date(payload.iat! * 1000))
    expect(claims.sub).toBe(made.payload.mobile_number)
    const { protectedHeader } = await compactDecrypt(made.token, secret)
    expect(protectedHeader).toEqual({ alg: 'dir', enc: 'A256GCM', kid: made.kid })
  })

  it('creates an encrypted body that can be decrypted', async () => {
    const { kid, ...jwe } = JSON.parse(made.body)
    expect(kid).toBe(made.kid)
    expect(decodeProtectedHeader(jwe)).toEqual({ alg: 'dir', enc: 'A128CBC-HS256' })
    const { plaintext } = await flattenedDecrypt(jwe, new TextEncoder().encode(made.shared_key.repeat(2)))
    expect(JSON.parse(new TextDecoder().decode(plaintext))).toEqual(made.payload)
  })
})
