import { and, count, eq, isNull, sql } from 'drizzle-orm'
import type { MasterKeys } from '#crypto/master-keys'
import { randomAlphanumeric, randomId } from '#crypto/random'
import { rowContext, seal } from '#crypto/seal'
import { forgetEncryptionKey } from '#encryption/live-keys'
import { ApiError } from '#errors'
import { asPage, type Page, type PageRequest } from '#http/page'
import { type Database, int } from '#storage/database'
import { encryptionKeys } from '#storage/schema/control'
import { type Authority, changeWhileHeld, insertWhileHeld, whileHeld } from './authority'
import type { EncryptionKey, EncryptionKeySecret } from './schemas'
import { keyUse, noSuchWorkspace, workspaceQuery } from './workspace'

/** Characters of a shared key string: repeated twice, they are the 32 bytes of A128CBC-HS256. */
const KEY_LENGTH = 16

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
  const { kid, createdBy, createdAt, lastUsedAt, revokedAt } = encryptionKeys
  const live = and(eq(encryptionKeys.workspaceId, workspaceId), isNull(revokedAt))
  const [[workspace], rows, [counted]] = await database.orm.batch([
    workspaceQuery(database, workspaceId),
    database.orm
      .select({ kid, createdBy, createdAt, lastUsedAt })
      .from(encryptionKeys)
      .where(live)
      .orderBy(createdAt, sql`rowid`)
      .limit(page.limit)
      .offset(page.offset),
    database.orm.select({ total: count() }).from(encryptionKeys).where(live),
  ])
  if (!workspace) throw noSuchWorkspace()
  const items = rows.map((row) => ({ kid: row.kid, ...keyUse(row) }))
  return asPage(items, counted!.total, page)
}

/**
 * Revokes and destroys a shared key of a workspace: at once in this isolate, within 60 seconds everywhere. A
 * second call changes nothing.
 *
 * @throws ApiError 404 when the workspace never had such a key; as `authorityLostError`
 */
export async function revokeEncryptionKey(
  database: Database,
  authority: Authority,
  kid: string,
  now: Date,
): Promise<void> {
  const revocation = database.orm
    .update(encryptionKeys)
    .set({
      revokedAt: sql`coalesce(${encryptionKeys.revokedAt}, ${int(now.getTime())})`,
      sealedKey: '',
    })
    .where(
      and(
        eq(encryptionKeys.workspaceId, authority.workspaceId),
        eq(encryptionKeys.kid, kid),
        whileHeld(database, authority),
      ),
    )
    .returning({ kid: encryptionKeys.kid })
  const [revoked] = await changeWhileHeld(database, authority, revocation, now)
  if (!revoked) throw new ApiError('not_found', 'The workspace has no encryption key with this kid.')
  forgetEncryptionKey(kid)
}
