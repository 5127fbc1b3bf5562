import { expect, it } from 'vitest'
import { CLIENT_SCOPES } from '#shared/access/caller'
import type { ApiKey, ApiKeySecret } from '#worker/workspace/api-keys'
import { callOperator, createApiKey, createClient, newWorkspace, requestToken } from '../../support/credentials'
import { eventually } from '../../support/eventually'
import { expectFieldError } from '../../support/responses'
import { type Administrator, newAdmin, newOperator } from './administrators'

const PATH = '/api-keys'

const create = (administrator: Administrator, body: object): Promise<ApiKeySecret> => administrator.dataOf(PATH, body)

/** A client to which the operator once gave a key of the workspace, so that its admins may give it others. */
async function clientOf({ workspaceId }: Administrator, name?: string) {
  const client = await createClient(name)
  const { api_key_id: id } = await createApiKey(workspaceId, client.client_id)
  await callOperator(`/workspaces/${workspaceId}/api-keys/${id}`, undefined, 'DELETE')
  return client
}

const listed = async (administrator: Administrator): Promise<ApiKey[]> =>
  (await administrator.dataOf<{ items: ApiKey[] }>(PATH)).items

it('a client without a key in the workspace gets none', async () => {
  const admin = await newAdmin()
  const { client_id: revoked } = await clientOf(admin)
  await callOperator(`/clients/${revoked}`, undefined, 'DELETE')
  const { clientId: foreign } = await newWorkspace()
  await expectFieldError(await admin.call(PATH, {}), 'client_id', 'is required')
  const words =
    'must be the ID of a client that is not revoked; an admin may name only clients that have, or had, a key of ' +
    'this workspace'
  for (const client_id of ['nobody', revoked, foreign])
    await expectFieldError(await admin.call(PATH, { client_id }), 'client_id', words)
  const both = await admin.call(PATH, { client_name: 'Pharmacy', client_id: foreign })
  await expectFieldError(both, 'client_name', 'must not be sent together with client_id')
  expect(await listed(admin)).toEqual([])
})

it('a key may have a name and fewer scopes', async () => {
  const admin = await newAdmin()
  const { client_id: clientId, client_secret: clientSecret } = await clientOf(admin)
  const rights = { scopes: ['catalog:read', 'search'], name: 'Reports' }
  const key = await create(admin, { client_id: clientId, ...rights, scopes: ['search', 'catalog:read', 'search'] })
  expect(key).toMatchObject({ ...rights, api_key: expect.stringMatching(/^dcs_key_[A-Za-z0-9_-]{43}$/) })
  expect(await listed(admin)).toMatchObject([{ ...rights, last_used_at: null }])
  const response = await requestToken({ clientId, clientSecret, apiKey: key.api_key })
  expect(await response.json()).toMatchObject({ scope: 'catalog:read search' })
  await eventually(async () => {
    const [item] = await listed(admin)
    expect(item?.last_used_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/)
  })
})

it('client_name creates a client with a key', async () => {
  const admin = await newAdmin()
  const made = await create(admin, { client_name: 'Pharmacy', name: 'Nightly' })
  const { client_id: clientId = '', client_secret: clientSecret = '', api_key: apiKey } = made
  expect((await requestToken({ clientId, clientSecret, apiKey })).status).toBe(200)
  expect(await listed(admin)).toMatchObject([{ client_id: clientId, client_name: 'Pharmacy', name: 'Nightly' }])
  expect(await create(admin, { client_id: clientId })).not.toHaveProperty('client_secret')
})

it('lists contain only the keys of the workspace, without secrets', async () => {
  const admin = await newAdmin()
  const operator = await newOperator(admin.workspaceId)
  const { client_id } = await clientOf(admin, 'a reader')
  const first = await create(admin, { client_id })
  await create(await newAdmin(), { client_name: 'elsewhere' })
  const second = await create(operator, { client_id })
  const common = { client_id, client_name: 'a reader', scopes: [...CLIENT_SCOPES], name: null, last_used_at: null }
  const items = [
    { ...common, api_key_id: first.api_key_id, created_by: `user:${admin.email}`, created_at: expect.any(String) },
    { ...common, api_key_id: second.api_key_id, created_by: 'operator', created_at: expect.any(String) },
  ]
  const page = { count: 2, total: 2, limit: 100, offset: 0, has_more: false }
  for (const administrator of [admin, operator]) expect(await administrator.dataOf(PATH)).toEqual({ items, ...page })
  const response = await admin.call(`${PATH}?limit=1`)
  expect(await response.json()).toMatchObject({
    data: { items: [items[0]], count: 1, total: 2, limit: 1, has_more: true },
  })
  expect((await admin.call(`${PATH}?limit=0`)).status).toBe(400)
})
