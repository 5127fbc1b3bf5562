import { beforeEach, describe, expect, it } from 'vitest'
import { CatalogClient } from '#client/catalog-client'
import { encrypting, partnerToken, partnerTokens } from '#client/partner'
import type { Fetch } from '#client/transport'
import { workspaceOfEachTest } from '../support/credentials'
import { callAsPartner, newPartner } from '../support/partners'
import { callService } from '../support/service'
import { newSharedKey, type SharedKey } from '../worker/encryption/support'

/** The client's part for partners' servers, against the service itself. */

const type = 'medication'
const user = { id: 'user-7', mobileNumber: '+919800000001' }
const csv = new Uint8Array(new TextEncoder().encode('id,name\n1,Paracétamol\n2,Ibuprofen\n'))

const workspace = workspaceOfEachTest()

/** Records the requests of a client, as the service receives them. */
function watched(lose: (request: number) => boolean = () => false) {
  const requests: Request[] = []
  const fetch: Fetch = async (address, init) => {
    const request = new Request(`https://service.test${address}`, init)
    requests.push(request.clone())
    const answer = await callService(address, init)
    if (lose(requests.length)) throw new TypeError('Network connection lost.')
    return answer
  }
  return { requests, fetch }
}

describe('partner tokens', () => {
  it('let a server search, each for one request', async () => {
    const credential = await newPartner({ workspaceId: workspace.workspaceId })
    const token = await partnerToken(credential, user)
    expect((await callAsPartner(token)).status).toBe(200)
    expect((await callAsPartner(token)).status).toBe(401)
    const { requests, fetch } = watched()
    const tokens = partnerTokens({ baseUrl: '', credential, user, scope: 'search', fetch })
    const client = new CatalogClient({ baseUrl: '', tokens, fetch: callService })
    expect(await client.search(type, 'aspirin', { limit: 5 })).toMatchObject({ type, items: [] })
    await expect(client.get('/admin/datasets/v1/', { query: { type } })).rejects.toMatchObject({ status: 403 })
    expect(requests).toHaveLength(1)
  })

  it('are created anew for each attempt', async () => {
    const credential = await newPartner({ workspaceId: workspace.workspaceId })
    const { requests, fetch } = watched((request) => request === 1)
    const tokens = partnerTokens({ baseUrl: '', credential, user, fetch, retry: { firstWaitMs: 0 } })
    expect(await tokens.token()).toMatch(/^ey/)
    const sent = requests.map(({ headers }) => headers.get('x-auth-token'))
    expect(new Set(sent).size).toBe(2)
  })
})

describe('encrypted bodies', () => {
  let key: SharedKey

  beforeEach(async () => {
    key = await newSharedKey(workspace.workspaceId)
  })

  const clientOf = (fetch: Fetch) =>
    new CatalogClient({
      baseUrl: '',
      tokens: { token: async () => workspace.token },
      fetch: encrypting(key, fetch),
    })

  it('contain requests and responses', async () => {
    const { requests, fetch } = watched()
    const client = clientOf(fetch)
    const stored = await client.post('/mr/api/v2/docs', { query: { task: ['pii'] }, body: { file: csv } })
    expect(stored).toMatchObject({ size_bytes: csv.byteLength, tasks: ['pii'] })
    expect(await requests[0]?.json()).toMatchObject({ kid: key.kid, ciphertext: expect.any(String) })
    expect(await client.search(type, 'aspirin', { source: 'workspace' })).toMatchObject({ count: 0 })
    const refused = client.post('/registration/v1/init', { body: { mobile_number: '12' } })
    await expect(refused).rejects.toMatchObject({ status: 400, codes: ['malformed'] })
    for (const { headers } of requests) expect(headers.get('X-Encryption')).toBe('JWE')
  })

  it('are not used for catalogs, because the service accepts those in plain text', async () => {
    const { requests, fetch } = watched()
    const file = { file: csv, fileName: 'a.csv' }
    expect(await clientOf(fetch).sync(type, file)).toMatchObject({ written: { inserted: 2 } })
    for (const { headers } of requests) expect(headers.get('X-Encryption')).toBeNull()
  })
})
