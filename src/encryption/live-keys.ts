import { and, eq, isNull } from 'drizzle-orm'
import { CredentialCache } from '#auth/credential-cache'
import type { MasterKeys } from '#crypto/master-keys'
import { rowContext, unseal } from '#crypto/seal'
import { CREDENTIAL_CACHE_SECONDS, REMEMBERED_ENCRYPTION_KEYS } from '#limits'
import type { Database } from '#storage/database'
import { encryptionKeys } from '#storage/schema'
import { contentKeyOf } from './shared-key'

interface LiveKey {
  kid: string
  contentKey: Uint8Array
}

const remembered = new CredentialCache<LiveKey>(CREDENTIAL_CACHE_SECONDS * 1000, REMEMBERED_ENCRYPTION_KEYS)

/** Longer than any key id of the service. A longer one costs no query. */
const MAX_KID_LENGTH = 128

async function readSealedKey(
  database: Database,
  workspaceId: string,
  kid: string,
): Promise<string | undefined> {
  const rows = await database.orm
    .select({ sealedKey: encryptionKeys.sealedKey })
    .from(encryptionKeys)
    .where(
      and(
        eq(encryptionKeys.workspaceId, workspaceId),
        eq(encryptionKeys.kid, kid),
        isNull(encryptionKeys.revokedAt),
      ),
    )
  return rows[0]?.sealedKey
}

/**
 * The content key of a workspace's shared key, if it is not revoked.
 *
 * Costs one query, and none for the next `CREDENTIAL_CACHE_SECONDS`. A revocation in another isolate is seen
 * after that time at the latest. Unknown ids are not cached, because a caller who tries many would push out
 * the keys of others.
 *
 * @param database the control database
 * @param kid as the caller sent it
 * @returns undefined when the workspace has no live key of this id
 */
export async function liveContentKey(
  database: Database,
  masterKeys: MasterKeys,
  workspaceId: string,
  kid: string,
  now: Date,
): Promise<Uint8Array | undefined> {
  if (kid.length > MAX_KID_LENGTH) return undefined
  // Workspace ids have no spaces, so different keys never share an entry.
  const place = `${workspaceId} ${kid}`
  const known = remembered.get(place, now)
  if (known) return known.contentKey
  const sealedKey = await readSealedKey(database, workspaceId, kid)
  if (sealedKey === undefined) return undefined
  const contentKey = contentKeyOf(await unseal(masterKeys, rowContext('encryption_keys', kid), sealedKey))
  remembered.set(place, { kid, contentKey }, now)
  return contentKey
}

/** Makes this isolate see the revocation of a shared key at once. */
export const forgetEncryptionKey = (kid: string): void => remembered.forget((key) => key.kid === kid)
