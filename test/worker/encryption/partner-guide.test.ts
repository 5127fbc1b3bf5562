import { beforeEach, describe, expect, it, vi } from 'vitest'
import { checkDrug } from '../../../docs/partners.md?example=check-drug'
import { partnerToken } from '../../../docs/partners.md?example=partner-token'
import { uploadDocument } from '../../../docs/partners.md?example=upload-document'
import { postEncrypted } from '../../../samples/partner/encrypted-body.mjs'
import { workspaceOfEachTest } from '../../support/credentials'
import { newPartner } from '../../support/partners'
import { bearer, bodyFrom, callService, jsonBody } from '../../support/service'
import { newSharedKey, type SharedKey } from './support'

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
  it('makes tokens that are accepted once', async () => {
    const headers = { 'x-auth-token': await newToken() }
    expect((await callService('/admin/datasets/v1/?type=symptom', { headers })).status).toBe(200)
    expect((await callService('/admin/datasets/v1/?type=symptom', { headers })).status).toBe(401)
  })

  it('exchanges a token for a session', async () => {
    const session = await callService('/api/v1/auth/session', {
      method: 'POST',
      headers: { 'x-auth-token': await newToken() },
    })
    const { access_token, expires_in } = await session.json<{ access_token: string; expires_in: number }>()
    expect(expires_in).toBe(900)
    const headers = bearer(access_token)
    expect((await callService('/admin/datasets/v1/?type=symptom', { headers })).status).toBe(200)
  })

  it('takes an order only for an active record of the workspace, by the name that was shown', async () => {
    const records = [
      { medication_id: 'M1', name: 'Aspirin 100 mg', display_name: 'Aspirin' },
      { medication_id: 'M/2', name: 'Zinc', is_active: false },
    ]
    const write = { method: 'POST', ...jsonBody(records, bearer(workspace.token)) }
    await bodyFrom(callService('/admin/datasets/v1/?type=medication', write))
    const check = async (id: string, name: string) => checkDrug({ service: SERVICE, token: await newToken(), id, name })
    expect(await check('M1', 'Aspirin')).toMatchObject({ medication_id: 'M1' })
    expect(await check('M1', 'Metformin')).toBeUndefined()
    expect(await check('M/2', 'Zinc')).toBeUndefined()
    expect(await check('M3', 'Aspirin')).toBeUndefined()
  })

  it('uploads a document from a browser once, however often it is sent', async () => {
    const body = { method: 'POST', ...jsonBody({ scope: 'documents' }, { 'x-auth-token': await newToken() }) }
    const { access_token } = await bodyFrom<{ access_token: string }>(callService('/api/v1/auth/session', body))
    const file = new File(['%PDF-1.7'], 'order.pdf')
    const upload = () => uploadDocument({ service: SERVICE, accessToken: access_token, file, key: 'key-of-the-file' })
    expect(await upload()).toBe(await upload())
  })

  it('encrypts a document and reads its answer', async () => {
    const payload = { file: btoa('%PDF-1.7') }
    const credentials = { 'x-auth-token': await newToken() }
    expect(await postEncrypted(`${SERVICE}/mr/api/v2/docs?task=pii`, payload, sharedKey, credentials)).toMatchObject({
      data: { content_type: 'application/pdf', tasks: ['pii'] },
    })
  })

  it('encrypts a search and reads its errors', async () => {
    const url = `${SERVICE}/medical-db/v1/search/`
    const credentials = bearer(workspace.token)
    const search = { type: 'symptom', q: 'headache' }
    expect(await postEncrypted(url, search, sharedKey, credentials)).toMatchObject({ success: true })
    expect(await postEncrypted(url, { q: 'headache' }, sharedKey, credentials)).toMatchObject({
      success: false,
      errors: [{ field: 'type' }],
    })
  })

  it('reads unencrypted answers', async () => {
    const unknown = { kid: 'unknown', key: '0123456789abcdef' }
    const answer = await postEncrypted(`${SERVICE}/mr/api/v2/docs`, {}, unknown, {
      'x-auth-token': await newToken(),
    })
    expect(answer).toEqual({ success: false, message: 'The encrypted body cannot be decrypted.' })
  })
})
