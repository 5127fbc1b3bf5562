import { beforeEach, describe, expect, it } from 'vitest'
import { createApiKey, createClient, createWorkspace } from '../../support/credentials'
import { callEncrypted, decrypted, newSharedKey, type SharedKey } from '../encryption/support'
import { newAdmin, WORKSPACE } from './administrators'

let admin: Awaited<ReturnType<typeof newAdmin>>
let key: SharedKey

beforeEach(async () => {
  admin = await newAdmin()
  key = await newSharedKey(admin.workspaceId)
})

const call = (path: string, body: unknown, shared = key): Promise<Response> =>
  callEncrypted(WORKSPACE + path, admin.token, body, shared)

describe('an encrypted request of an admin', () => {
  it('has the new secret encrypted in its answer, which no cache keeps', async () => {
    const { client_id } = await createClient()
    await createApiKey(admin.workspaceId, client_id)
    const requests = [
      ['/api-keys', { client_id }, 'api_key'],
      ['/partner-credentials', { issuer: 'https://partner.test' }, 'secret'],
      ['/encryption-keys', {}, 'key'],
      ['/members', { email: 'asha@clinic.example', role: 'viewer' }, 'email'],
    ] as const
    for (const [path, body, member] of requests) {
      const response = await call(path, body)
      expect(response.status).toBe(200)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(await decrypted(response, key)).toMatchObject({
        success: true,
        data: { [member]: expect.any(String) },
      })
    }
  })

  it('has its refusals encrypted', async () => {
    const refused = await call('/members', { email: admin.email, role: 'viewer' })
    expect(refused.status).toBe(409)
    expect(await decrypted(refused, key)).toMatchObject({ success: false })
    const invalid = await call('/api-keys', { client_id: 'nobody' })
    expect(invalid.status).toBe(400)
    expect(await decrypted(invalid, key)).toMatchObject({ errors: [{ field: 'client_id' }] })
  })

  it('is refused under the key of another workspace, and changes nothing', async () => {
    const foreign = await newSharedKey(await createWorkspace())
    const response = await call('/members', { email: 'asha@clinic.example', role: 'admin' }, foreign)
    expect(response.status).toBe(400)
    const { items } = await admin.dataOf<{ items: object[] }>('/members')
    expect(items).toHaveLength(1)
  })
})
