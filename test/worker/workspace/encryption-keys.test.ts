import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { rowContext, unseal } from '#worker/crypto/seal'
import type { EncryptionKey, EncryptionKeySecret } from '#worker/workspace/encryption-keys'
import { type Administrator, newAdmin } from './administrators'

const PATH = '/encryption-keys'

const create = (administrator: Administrator): Promise<EncryptionKeySecret> => administrator.dataOf(PATH, {})

const listed = async (administrator: Administrator): Promise<EncryptionKey[]> =>
  (await administrator.dataOf<{ items: EncryptionKey[] }>(PATH)).items

const storedKey = async (): Promise<string> =>
  String(await env.DB.prepare('select sealed_key from encryption_keys').first('sealed_key'))

it('a new key has 16 letters and digits, and is stored sealed for its row', async () => {
  const { kid, key } = await create(await newAdmin())
  expect(kid).toMatch(/^dcs_enckey_[A-Za-z0-9_-]{22}$/)
  expect(key).toMatch(/^[A-Za-z0-9]{16}$/)
  const sealed = await storedKey()
  expect(sealed).not.toContain(key)
  expect(await unseal(await masterKeysOf(env), rowContext('encryption_keys', kid), sealed)).toBe(key)
})

it('lists have only the ids of the workspace’s keys, oldest first', async () => {
  const administrator = await newAdmin()
  const first = await create(administrator)
  await create(await newAdmin())
  const second = await create(administrator)
  const use = { created_by: expect.any(String), created_at: expect.any(String), last_used_at: null }
  expect(await listed(administrator)).toEqual([
    { kid: first.kid, ...use },
    { kid: second.kid, ...use },
  ])
})
