import type { MasterKeys } from '#worker/crypto/master-keys'
import { randomAlphanumeric, randomId } from '#worker/crypto/random'
import { rowContext, seal } from '#worker/crypto/seal'
import { forgetEncryptionKey } from '#worker/encryption/live-keys'
import type { Page, PageRequest } from '#worker/storage/list-page'
import { requireMasterKeys } from '#worker/storage/lookup-keys'
import { encryptionKeys } from '#worker/storage/schema/control'
import type { Authority } from './authority'
import { insertRevocableRow, keyUse, listLive, type RevocableRows, revokeKey } from './revocable-rows'
import type { EncryptionKey, EncryptionKeySecret, Revocation } from './schemas'

/** Characters of a shared key string: repeated twice, they are the 32 bytes of A128CBC-HS256. */
const KEY_LENGTH = 16

const ENCRYPTION_KEY: RevocableRows = {
  table: encryptionKeys,
  id: encryptionKeys.kid,
  quota: 'encryption_keys',
  noun: 'encryption key with this kid',
  secret: 'sealedKey',
}

/** Creates a key. It is returned this once, and stored sealed. @throws ApiError as `insertRevocableRow` */
export async function createEncryptionKey(
  authority: Authority,
  masterKeys: MasterKeys,
  now: Date,
): Promise<EncryptionKeySecret> {
  const kid = randomId('dcs_enckey_')
  const key = randomAlphanumeric(KEY_LENGTH)
  const keys = await requireMasterKeys(authority.database, masterKeys)
  const sealedKey = await seal(keys, rowContext('encryption_keys', kid), key)
  const { workspaceId, actor: createdBy } = authority
  const row = { kid, workspaceId, sealedKey, createdBy, createdAt: now.getTime() }
  await insertRevocableRow(authority, ENCRYPTION_KEY, kid, (insert) => [insert(encryptionKeys, row)], now)
  return { kid, key }
}

/** The encryption keys of a workspace that are not revoked, without the keys themselves; see `listLive`. */
export const listEncryptionKeys = (authority: Authority, page: PageRequest): Promise<Page<EncryptionKey>> =>
  listLive(authority, encryptionKeys, { kid: encryptionKeys.kid, ...keyUse(encryptionKeys) }, page)

/** Takes effect at once in this isolate, and within 60 seconds everywhere. @throws ApiError as `revokeKey` */
export async function revokeEncryptionKey(authority: Authority, kid: string, now: Date): Promise<Revocation> {
  const revocation = await revokeKey(authority, ENCRYPTION_KEY, kid, now)
  forgetEncryptionKey(kid)
  return revocation
}
