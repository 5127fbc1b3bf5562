import { describe, expect, it } from 'vitest'
import { CLIENT_SCOPES } from '#shared/access/caller'
import type { ApiKey, ApiKeySecret } from '#worker/workspace/api-keys'
import { callOperator, createApiKey, createClient, newWorkspace, requestToken } from '../../support/credentials'
import { eventually } from '../../support/eventually'
import { expectFieldError } from '../../support/responses'
import { ADMINISTRATORS, type Administrator, newAdmin } from './administrators'

const PATH = '/api-keys'

const create = (administrator: Administrator, clientId: string): Promise<ApiKeySecret> =>
  administrator.dataOf(PATH, { client_id: clientId })

/** A client to which the operator once gave a key of the workspace, so that its admins may give it others. */
async function clientOf({ workspaceId }: Administrator, name?: string) {
  const client = await createClient(name)
  const { api_key_id: id } = await createApiKey(workspaceId, client.client_id)
  await callOperator(`/workspaces/${workspaceId}/api-keys/${id}`, undefined, 'DELETE')
  return client
}

/** The maker of a key in lists. */
const actorOf = ({ email }: Administrator): string => (email === undefined ? 'operator' : `user:${email}`)

const listed = async (administrator: Administrator): Promise<string[]> => {
  const { items } = await administrator.dataOf<{ items: ApiKey[] }>(PATH)
  return items.map((item) => item.api_key_id)
}

const NO_CLIENT =
  'must be the id of a client that is not revoked; an admin may name only clients that have, or had, a key of this workspace'

describe('POST …/api-keys', () => {
  it('refuses a client that is missing, unknown, revoked or of another workspace alone, in the same words', async () => {
    const admin = await newAdmin()
    const { client_id: revoked } = await clientOf(admin)
    await callOperator(`/clients/${revoked}`, undefined, 'DELETE')
    const { clientId: foreign } = await newWorkspace()
    await expectFieldError(await admin.call(PATH, {}), 'client_id', 'is required')
    for (const client_id of ['nobody', revoked, foreign])
      await expectFieldError(await admin.call(PATH, { client_id }), 'client_id', NO_CLIENT)
    expect(await listed(admin)).toEqual([])
  })

  it('creates a key with a name and fewer scopes, and the client gets no more', async () => {
    const administrator = await newAdmin()
    const { client_id: clientId, client_secret: clientSecret } = await clientOf(administrator)
    const body = { client_id: clientId, scopes: ['search', 'catalog:read', 'search'], name: 'Reports' }
    const rights = { scopes: ['catalog:read', 'search'], name: 'Reports' }
    const key = await administrator.dataOf<ApiKeySecret>(PATH, body)
    expect(key).toMatchObject({ ...rights, api_key: expect.stringMatching(/^dcs_key_[A-Za-z0-9_-]{43}$/) })
    expect((await administrator.dataOf<{ items: ApiKey[] }>(PATH)).items[0]).toMatchObject(rights)
    const response = await requestToken({ clientId, clientSecret, apiKey: key.api_key })
    expect(await response.json()).toMatchObject({ scope: 'catalog:read search' })
  })
})

describe('POST …/api-keys with client_name', () => {
  it('makes a client of that name, whose answer is enough for a token, and further keys of it', async () => {
    const administrator = await newAdmin()
    const made = await administrator.dataOf<ApiKeySecret>(PATH, { client_name: 'Pharmacy', name: 'Nightly' })
    const { client_id: clientId = '', client_secret: clientSecret = '', api_key: apiKey } = made
    expect((await requestToken({ clientId, clientSecret, apiKey })).status).toBe(200)
    const { items } = await administrator.dataOf<{ items: ApiKey[] }>(PATH)
    expect(items).toMatchObject([{ client_id: clientId, client_name: 'Pharmacy', name: 'Nightly' }])
    expect(await create(administrator, clientId)).not.toHaveProperty('client_secret')
  })

  it('answers 400 for the id of a client beside it', async () => {
    const administrator = await newAdmin()
    const both = await administrator.call(PATH, { client_name: 'Pharmacy', client_id: 'other' })
    await expectFieldError(both, 'client_name', 'must not be sent together with client_id')
    expect(await listed(administrator)).toEqual([])
  })
})

it.each(ADMINISTRATORS)('%s: lists the keys of the workspace only, without secrets, oldest first', async (_, open) => {
  const administrator = await open()
  const other = await open()
  const { client_id: clientId } = await clientOf(administrator, 'a reader')
  const first = await create(administrator, clientId)
  await create(other, (await clientOf(other)).client_id)
  const second = await create(administrator, clientId)
  const item = {
    client_id: clientId,
    client_name: 'a reader',
    scopes: [...CLIENT_SCOPES],
    name: null,
    created_by: actorOf(administrator),
    created_at: expect.any(String),
    last_used_at: null,
  }
  expect(await administrator.dataOf(PATH)).toEqual({
    items: [
      { api_key_id: first.api_key_id, ...item },
      { api_key_id: second.api_key_id, ...item },
    ],
    count: 2,
    total: 2,
    limit: 100,
    offset: 0,
    has_more: false,
  })
})

describe('GET …/api-keys', () => {
  it('pages', async () => {
    const administrator = await newAdmin()
    const { client_id: clientId } = await clientOf(administrator)
    await create(administrator, clientId)
    const second = await create(administrator, clientId)
    await create(administrator, clientId)
    const response = await administrator.call(`${PATH}?limit=1&offset=1`)
    expect(await response.json()).toMatchObject({
      data: { items: [{ api_key_id: second.api_key_id }], count: 1, total: 3, limit: 1, offset: 1, has_more: true },
    })
    expect((await administrator.call(`${PATH}?limit=0`)).status).toBe(400)
  })

  it('shows the hour of the last token exchange', async () => {
    const administrator = await newAdmin()
    const { client_id: clientId, client_secret: clientSecret } = await clientOf(administrator)
    const { api_key: apiKey } = await create(administrator, clientId)
    expect((await requestToken({ clientId, clientSecret, apiKey })).status).toBe(200)
    await eventually(async () => {
      const { items } = await administrator.dataOf<{ items: ApiKey[] }>(PATH)
      expect(items[0]!.last_used_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/)
    })
  })

  it('leaves out keys that are revoked and keys of revoked clients', async () => {
    const administrator = await newAdmin()
    const kept = await clientOf(administrator)
    const revoked = await clientOf(administrator)
    const usable = await create(administrator, kept.client_id)
    const key = await create(administrator, kept.client_id)
    await create(administrator, revoked.client_id)
    await administrator.call(`${PATH}/${key.api_key_id}`, undefined, 'DELETE')
    await callOperator(`/clients/${revoked.client_id}`, undefined, 'DELETE')
    expect(await listed(administrator)).toEqual([usable.api_key_id])
  })
})
