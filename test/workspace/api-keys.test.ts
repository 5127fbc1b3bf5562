import { describe, expect, it } from 'vitest'
import type { ApiKey, ApiKeySecret } from '#workspace/schemas'
import { callOperator, createClient, requestToken } from '../support/credentials'
import { expectFieldError } from '../support/responses'
import { callService } from '../support/service'
import { ADMINISTRATORS, type Administrator } from './administrators'

const PATH = '/api-keys'

const create = (administrator: Administrator, clientId: string): Promise<ApiKeySecret> =>
  administrator.dataOf(PATH, { client_id: clientId })

const listed = async (administrator: Administrator): Promise<string[]> => {
  const { items } = await administrator.dataOf<{ items: ApiKey[] }>(PATH)
  return items.map((item) => item.api_key_id)
}

describe.each(ADMINISTRATORS)('%s: POST …/api-keys', (_, open) => {
  it('creates an API key of 256 bits with which the client gets a token', async () => {
    const administrator = await open()
    const { client_id: clientId, client_secret: clientSecret } = await createClient()
    const key = await create(administrator, clientId)
    expect(key.api_key).toMatch(/^dcs_key_[A-Za-z0-9_-]{43}$/)
    expect((await requestToken({ clientId, clientSecret, apiKey: key.api_key })).status).toBe(200)
  })

  it.each([
    [undefined, 'is required'],
    ['', 'is required'],
    [7, 'must be a string'],
    ['nobody', 'is not the id of a client, or of one that is revoked'],
  ])('answers 400 for the client_id %j', async (clientId, msg) => {
    const administrator = await open()
    const response = await administrator.call(PATH, { client_id: clientId })
    await expectFieldError(response, 'client_id', msg)
  })

  it('answers 400 for a revoked client', async () => {
    const administrator = await open()
    const { client_id: clientId } = await createClient()
    await callOperator(`/clients/${clientId}`, undefined, 'DELETE')
    const response = await administrator.call(PATH, { client_id: clientId })
    await expectFieldError(response, 'client_id', 'is not the id of a client, or of one that is revoked')
  })
})

describe.each(ADMINISTRATORS)('%s: GET …/api-keys', (_, open) => {
  it('lists the keys of the workspace alone, without secrets, oldest first', async () => {
    const administrator = await open()
    const other = await open()
    const { client_id: clientId } = await createClient('a reader')
    const first = await create(administrator, clientId)
    await create(other, clientId)
    const second = await create(administrator, clientId)
    expect(await administrator.dataOf(PATH)).toEqual({
      items: [
        {
          api_key_id: first.api_key_id,
          client_id: clientId,
          client_name: 'a reader',
          created_at: expect.any(String),
        },
        {
          api_key_id: second.api_key_id,
          client_id: clientId,
          client_name: 'a reader',
          created_at: expect.any(String),
        },
      ],
    })
  })

  it('leaves out keys that are revoked and keys of revoked clients', async () => {
    const administrator = await open()
    const kept = await createClient()
    const revoked = await createClient()
    const usable = await create(administrator, kept.client_id)
    const key = await create(administrator, kept.client_id)
    await create(administrator, revoked.client_id)
    await administrator.call(`${PATH}/${key.api_key_id}`, undefined, 'DELETE')
    await callOperator(`/clients/${revoked.client_id}`, undefined, 'DELETE')
    expect(await listed(administrator)).toEqual([usable.api_key_id])
  })
})

describe.each(ADMINISTRATORS)('%s: DELETE …/api-keys/{api_key_id}', (_, open) => {
  it('revokes a key, and answers the same again', async () => {
    const administrator = await open()
    const { client_id: clientId } = await createClient()
    const { api_key_id: apiKeyId } = await create(administrator, clientId)
    const path = `${PATH}/${apiKeyId}`
    expect(await administrator.dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
    expect(await administrator.dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
    expect(await listed(administrator)).toEqual([])
  })

  it('ends the access tokens of the key at once here', async () => {
    const administrator = await open()
    const { client_id: clientId, client_secret: clientSecret } = await createClient()
    const { api_key_id: apiKeyId, api_key: apiKey } = await create(administrator, clientId)
    const issued = await requestToken({ clientId, clientSecret, apiKey })
    const { access_token: token } = await issued.json<{ access_token: string }>()
    const read = () =>
      callService('/admin/datasets/v1/drug-forms/', { headers: { Authorization: `Bearer ${token}` } })
    expect((await read()).status).toBe(200)
    await administrator.dataOf(`${PATH}/${apiKeyId}`, undefined, 'DELETE')
    expect((await read()).status).toBe(401)
    expect((await requestToken({ clientId, clientSecret, apiKey })).status).toBe(401)
  })

  it('answers 404 for a key of another workspace and leaves it as it is', async () => {
    const administrator = await open()
    const other = await open()
    const { client_id: clientId } = await createClient()
    const { api_key_id: apiKeyId } = await create(other, clientId)
    const response = await administrator.call(`${PATH}/${apiKeyId}`, undefined, 'DELETE')
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      success: false,
      message: 'The workspace has no such API key.',
    })
    expect(await listed(other)).toEqual([apiKeyId])
  })

  it('answers 404 for an unknown key', async () => {
    const administrator = await open()
    expect((await administrator.call(`${PATH}/nothing`, undefined, 'DELETE')).status).toBe(404)
  })
})
