import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { masterKeysOf } from '../../src/crypto/master-keys'
import { rowContext, unseal } from '../../src/crypto/seal'
import type { EncryptionKey, EncryptionKeySecret } from '../../src/workspace/schemas'
import { callOperator, createWorkspace } from '../support/credentials'
import { dataOf } from './responses'

const pathOf = (workspaceId: string): string => `/workspaces/${workspaceId}/encryption-keys`

const create = (workspaceId: string): Promise<EncryptionKeySecret> => dataOf(pathOf(workspaceId), {})

const listed = async (workspaceId: string): Promise<EncryptionKey[]> =>
  (await dataOf<{ items: EncryptionKey[] }>(pathOf(workspaceId))).items

const storedKey = async (): Promise<string> =>
  String(await env.DB.prepare('select sealed_key from encryption_keys').first('sealed_key'))

describe('POST /platform/v1/workspaces/{workspace_id}/encryption-keys', () => {
  it('creates a key of 16 letters and digits', async () => {
    const { kid, key } = await create(await createWorkspace())
    expect(kid).toMatch(/^dcs_enckey_[A-Za-z0-9_-]{22}$/)
    expect(key).toMatch(/^[A-Za-z0-9]{16}$/)
  })

  it('stores the key sealed, bound to its row', async () => {
    const { kid, key } = await create(await createWorkspace())
    const sealed = await storedKey()
    expect(sealed).not.toContain(key)
    expect(await unseal(await masterKeysOf(env), rowContext('encryption_keys', kid), sealed)).toBe(key)
  })

  it('answers 404 for an unknown workspace, and 400 for what is not an object', async () => {
    expect((await callOperator(pathOf('nowhere'), {})).status).toBe(404)
    expect((await callOperator(pathOf(await createWorkspace()), [])).status).toBe(400)
  })
})

describe('GET /platform/v1/workspaces/{workspace_id}/encryption-keys', () => {
  it('lists the ids of the workspace’s keys alone, oldest first', async () => {
    const workspaceId = await createWorkspace()
    const first = await create(workspaceId)
    await create(await createWorkspace())
    const second = await create(workspaceId)
    expect(await listed(workspaceId)).toEqual([
      { kid: first.kid, created_at: expect.any(String) },
      { kid: second.kid, created_at: expect.any(String) },
    ])
  })

  it('answers 404 for an unknown workspace', async () => {
    expect((await callOperator(pathOf('nowhere'))).status).toBe(404)
  })
})

describe('DELETE /platform/v1/workspaces/{workspace_id}/encryption-keys/{kid}', () => {
  it('revokes a key and destroys it, and answers the same again', async () => {
    const workspaceId = await createWorkspace()
    const { kid } = await create(workspaceId)
    const path = `${pathOf(workspaceId)}/${kid}`
    expect(await dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
    expect(await dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
    expect(await listed(workspaceId)).toEqual([])
    expect(await storedKey()).toBe('')
  })

  it('answers 404 for a key of another workspace and leaves it as it is', async () => {
    const [workspaceId, other] = [await createWorkspace(), await createWorkspace()]
    const { kid } = await create(other)
    const response = await callOperator(`${pathOf(workspaceId)}/${kid}`, undefined, 'DELETE')
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      success: false,
      message: 'The workspace has no such encryption key.',
    })
    expect(await listed(other)).toMatchObject([{ kid }])
  })
})
