import { and, eq, isNull } from 'drizzle-orm'
import { CREDENTIAL_CACHE_SECONDS } from '#shared/limits'
import { utf8Encoder } from '#shared/text/utf8'
import type { UsedKey } from '#worker/auth/last-use'
import type { MasterKeys } from '#worker/crypto/master-keys'
import { rowContext, unseal } from '#worker/crypto/seal'
import type { Database } from '#worker/storage/database'
import { encryptionKeys } from '#worker/storage/schema/control'
import { TimedLookup } from '#worker/storage/timed-cache'

/** Cache of shared keys for encrypted bodies, of about 200 bytes each; less than 1 MB in total. */
const MAX_CACHED_ENCRYPTION_KEYS = 2000

export interface LiveKey extends UsedKey {
  kid: string
  contentKey: Uint8Array
}

const liveKeys = new TimedLookup<LiveKey>(CREDENTIAL_CACHE_SECONDS * 1000, MAX_CACHED_ENCRYPTION_KEYS)

/**
 * The content key of a shared key of 16 ASCII characters: the string twice, as UTF-8 bytes. The first half
 * authenticates, the second encrypts (RFC 7518, section 5.2.2.1).
 */
export const contentKeyOf = (sharedKey: string): Uint8Array => utf8Encoder.encode(sharedKey + sharedKey)

/** Length of our key IDs. A longer one is not looked up. */
const MAX_KID_LENGTH = 128

async function readKey(
  { orm }: Database,
  masterKeys: MasterKeys,
  workspaceId: string,
  kid: string,
): Promise<LiveKey | null> {
  const [row] = await orm
    .select({ sealedKey: encryptionKeys.sealedKey, lastUsedAt: encryptionKeys.lastUsedAt })
    .from(encryptionKeys)
    .where(
      and(eq(encryptionKeys.workspaceId, workspaceId), eq(encryptionKeys.kid, kid), isNull(encryptionKeys.revokedAt)),
    )
  if (row === undefined) return null
  const contentKey = contentKeyOf(await unseal(masterKeys, rowContext('encryption_keys', kid), row.sealedKey))
  return { kid, contentKey, lastUsedAt: row.lastUsedAt }
}

/** A workspace's shared key; null if it has no active key with this ID. One query unless cached. */
export async function liveKey(
  database: Database,
  masterKeys: MasterKeys,
  workspaceId: string,
  kid: string,
  now: Date,
): Promise<LiveKey | null> {
  if (kid.length > MAX_KID_LENGTH) return null
  // Workspace IDs contain no spaces, so different keys never share an entry.
  return liveKeys.find(`${workspaceId} ${kid}`, now, () => readKey(database, masterKeys, workspaceId, kid))
}
