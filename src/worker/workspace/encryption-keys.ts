import type { MasterKeys } from '#worker/crypto/master-keys'
import { randomAlphanumeric, randomId } from '#worker/crypto/random'
import { rowContext, seal } from '#worker/crypto/seal'
import { forgetEncryptionKey } from '#worker/encryption/live-keys'
import { requireMasterKeys } from '#worker/storage/lookup-keys'
import { encryptionKeys } from '#worker/storage/schema/control'
import type { Authority } from './authority'
import { insertRevocableRow, type RevocableKeys } from './revocable-rows'

/** Characters of a shared key string: repeated twice, they are the 32 bytes of A128CBC-HS256. */
const KEY_LENGTH = 16

export const ENCRYPTION_KEY: RevocableKeys = {
  table: encryptionKeys,
  id: encryptionKeys.kid,
  quota: 'encryption_keys',
  noun: 'encryption key with this kid',
  secret: 'sealedKey',
  forget: forgetEncryptionKey,
}

/** Creates a key. It is returned this once, and stored sealed. @throws ApiError as `insertRevocableRow` */
export async function createEncryptionKey(authority: Authority, masterKeys: MasterKeys, now: Date) {
  const kid = randomId('dcs_enckey_')
  const key = randomAlphanumeric(KEY_LENGTH)
  const keys = await requireMasterKeys(authority.database, masterKeys)
  const sealedKey = await seal(keys, rowContext('encryption_keys', kid), key)
  const { workspaceId, actor: createdBy } = authority
  const row = { kid, workspaceId, sealedKey, createdBy, createdAt: now.getTime() }
  await insertRevocableRow(authority, ENCRYPTION_KEY, kid, (insert) => [insert(encryptionKeys, row)], now)
  return { kid, key }
}
