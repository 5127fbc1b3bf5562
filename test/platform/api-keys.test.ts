import { describe, expect, it } from 'vitest'
import type { ApiKey, ApiKeySecret } from '../../src/workspace/schemas'
import {
  callOperator,
  createApiKey,
  createClient,
  createWorkspace,
  requestToken,
} from '../support/credentials'
import { dataOf, expectFieldError } from './responses'

const pathOf = (workspaceId: string): string => `/workspaces/${workspaceId}/api-keys`

const listed = async (workspaceId: string): Promise<string[]> => {
  const { items } = await dataOf<{ items: ApiKey[] }>(pathOf(workspaceId))
  return items.map((item) => item.api_key_id)
}

describe('POST /platform/v1/workspaces/{workspace_id}/api-keys', () => {
  it('creates an API key of 256 bits with which the client gets a token', async () => {
    const workspaceId = await createWorkspace()
    const { client_id: clientId, client_secret: clientSecret } = await createClient()
    const key = await dataOf<ApiKeySecret>(pathOf(workspaceId), { client_id: clientId })
    expect(key.api_key).toMatch(/^dcs_key_[A-Za-z0-9_-]{43}$/)
    expect((await requestToken({ clientId, clientSecret, apiKey: key.api_key })).status).toBe(200)
  })

  it('answers 404 for an unknown workspace', async () => {
    const { client_id: clientId } = await createClient()
    const response = await callOperator(pathOf('nowhere'), { client_id: clientId })
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ success: false, message: 'There is no such workspace.' })
  })

  it.each([
    [undefined, 'is required'],
    ['', 'is required'],
    [7, 'must be a string'],
    ['nobody', 'is not the id of a client, or of one that is revoked'],
  ])('answers 400 for the client_id %j', async (clientId, msg) => {
    const workspaceId = await createWorkspace()
    const response = await callOperator(pathOf(workspaceId), { client_id: clientId })
    await expectFieldError(response, 'client_id', msg)
  })

  it('answers 400 for a revoked client', async () => {
    const workspaceId = await createWorkspace()
    const { client_id: clientId } = await createClient()
    await callOperator(`/clients/${clientId}`, undefined, 'DELETE')
    const response = await callOperator(pathOf(workspaceId), { client_id: clientId })
    await expectFieldError(response, 'client_id', 'is not the id of a client, or of one that is revoked')
  })
})

describe('GET /platform/v1/workspaces/{workspace_id}/api-keys', () => {
  it('lists the keys of the workspace alone, without secrets, oldest first', async () => {
    const workspaceId = await createWorkspace()
    const other = await createWorkspace()
    const { client_id: clientId } = await createClient()
    const first = await createApiKey(workspaceId, clientId)
    await createApiKey(other, clientId)
    const second = await createApiKey(workspaceId, clientId)
    expect(await dataOf(pathOf(workspaceId))).toEqual({
      items: [
        { api_key_id: first.api_key_id, client_id: clientId, created_at: expect.any(String) },
        { api_key_id: second.api_key_id, client_id: clientId, created_at: expect.any(String) },
      ],
    })
  })

  it('leaves out keys that are revoked and keys of revoked clients', async () => {
    const workspaceId = await createWorkspace()
    const kept = await createClient()
    const revoked = await createClient()
    const usable = await createApiKey(workspaceId, kept.client_id)
    const key = await createApiKey(workspaceId, kept.client_id)
    await createApiKey(workspaceId, revoked.client_id)
    await callOperator(`${pathOf(workspaceId)}/${key.api_key_id}`, undefined, 'DELETE')
    await callOperator(`/clients/${revoked.client_id}`, undefined, 'DELETE')
    expect(await listed(workspaceId)).toEqual([usable.api_key_id])
  })

  it('answers 404 for an unknown workspace', async () => {
    expect((await callOperator(pathOf('nowhere'))).status).toBe(404)
  })
})

describe('DELETE /platform/v1/workspaces/{workspace_id}/api-keys/{api_key_id}', () => {
  it('revokes a key, and answers the same again', async () => {
    const workspaceId = await createWorkspace()
    const { client_id: clientId } = await createClient()
    const { api_key_id: apiKeyId } = await createApiKey(workspaceId, clientId)
    const path = `${pathOf(workspaceId)}/${apiKeyId}`
    expect(await dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
    expect(await dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
    expect(await listed(workspaceId)).toEqual([])
  })

  it('answers 404 for a key of another workspace and leaves it as it is', async () => {
    const workspaceId = await createWorkspace()
    const other = await createWorkspace()
    const { client_id: clientId } = await createClient()
    const { api_key_id: apiKeyId } = await createApiKey(other, clientId)
    const response = await callOperator(`${pathOf(workspaceId)}/${apiKeyId}`, undefined, 'DELETE')
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      success: false,
      message: 'The workspace has no such API key.',
    })
    expect(await listed(other)).toEqual([apiKeyId])
  })

  it('answers 404 for an unknown key and an unknown workspace', async () => {
    const workspaceId = await createWorkspace()
    expect((await callOperator(`${pathOf(workspaceId)}/nothing`, undefined, 'DELETE')).status).toBe(404)
    expect((await callOperator(`${pathOf('nowhere')}/nothing`, undefined, 'DELETE')).status).toBe(404)
  })
})
