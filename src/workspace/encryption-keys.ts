import type { MasterKeys } from '#crypto/master-keys'
import { randomAlphanumeric, randomId } from '#crypto/random'
import { rowContext, seal } from '#crypto/seal'
import { forgetEncryptionKey } from '#encryption/live-keys'
import type { Page, PageRequest } from '#http/page'
import type { Database } from '#storage/database'
import { encryptionKeys } from '#storage/schema/control'
import { type Authority, insertWhileHeld } from './authority'
import { listLive, revokeKey } from './rows'
import type { EncryptionKey, EncryptionKeySecret } from './schemas'
import { keyUse } from './workspace'

/** Characters of a shared key string: repeated twice, they are the 32 bytes of A128CBC-HS256. */
const KEY_LENGTH = 16

const KIND = {
  table: encryptionKeys,
  column: encryptionKeys.kid,
  noun: 'encryption key with this kid',
  secret: 'sealedKey',
}

/**
 * Creates a shared key for encrypted bodies. It is in the answer only, and stored sealed.
 *
 * @throws ApiError as `authorityLostError`
 */
export async function createEncryptionKey(
  database: Database,
  masterKeys: MasterKeys,
  authority: Authority,
  now: Date,
): Promise<EncryptionKeySecret> {
  const kid = randomId('dcs_enckey_')
  const key = randomAlphanumeric(KEY_LENGTH)
  const sealedKey = await seal(masterKeys, rowContext('encryption_keys', kid), key)
  const { workspaceId, actor: createdBy } = authority
  const row = { kid, workspaceId, sealedKey, createdBy, createdAt: now.getTime() }
  await insertWhileHeld(database, authority, encryptionKeys, row, now)
  return { kid, key }
}

/**
 * The ids of a workspace's shared keys that are not revoked, oldest first.
 *
 * @throws ApiError 404 for an unknown workspace
 */
export async function listEncryptionKeys(
  database: Database,
  workspaceId: string,
  page: PageRequest,
): Promise<Page<EncryptionKey>> {
  const { kid, createdBy, createdAt, lastUsedAt } = encryptionKeys
  const columns = { kid, createdBy, createdAt, lastUsedAt }
  return listLive(database, workspaceId, encryptionKeys, columns, page, (row) => ({
    kid: row.kid,
    ...keyUse(row),
  }))
}

/**
 * Revokes and destroys a shared key of a workspace: at once in this isolate, within 60 seconds everywhere.
 *
 * @throws ApiError as `revokeKey`
 */
export async function revokeEncryptionKey(
  database: Database,
  authority: Authority,
  kid: string,
  now: Date,
): Promise<void> {
  await revokeKey(database, authority, KIND, kid, now)
  forgetEncryptionKey(kid)
}
