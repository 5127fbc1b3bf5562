import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { WorkspaceState } from '#shared/access/caller'
import { CREDENTIAL_CACHE_SECONDS, MAX_ADDRESS_LENGTH } from '#shared/limits'
import { decodeCanonicalBase64url } from '#worker/crypto/base64url'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { rowContext, unseal } from '#worker/crypto/seal'
import type { AppContext } from '#worker/http/context'
import { controlDatabaseOf } from '#worker/http/databases'
import { limitLookups } from '#worker/http/limits/rate-limit'
import { partnerCredentials, partnerOrigins, workspaces } from '#worker/storage/schema/control'
import { TimedLookup } from '#worker/storage/timed-cache'
import { OPEN_STATES } from '../workspace-state'
import type { PartnerKey } from './token'

const MAX_CACHED_PARTNER_CREDENTIALS = 2000

export interface LivePartnerCredential extends PartnerKey {
  kid: string
  workspaceId: string
  databaseBinding: string
  state: WorkspaceState
  allowedOrigins: readonly string[]
  lastUsedAt: number | null
}

const CACHE_MS = CREDENTIAL_CACHE_SECONDS * 1000

const liveCredentials = new TimedLookup<LivePartnerCredential>(CACHE_MS, MAX_CACHED_PARTNER_CREDENTIALS)
const origins = new TimedLookup<{ kid: string; workspaceId: string }>(CACHE_MS, MAX_CACHED_PARTNER_CREDENTIALS)

async function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = decodeCanonicalBase64url(secret)
  if (!bytes) throw new Error('a partner secret is not base64url')
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['decrypt'])
}

async function readCredential(c: AppContext, kid: string): Promise<LivePartnerCredential | null> {
  const [row] = await controlDatabaseOf(c)
    .orm.select({
      workspaceId: partnerCredentials.workspaceId,
      issuer: partnerCredentials.issuer,
      sealedSecret: partnerCredentials.sealedSecret,
      allowedOrigins: partnerCredentials.allowedOrigins,
      lastUsedAt: partnerCredentials.lastUsedAt,
      databaseBinding: workspaces.databaseBinding,
      state: workspaces.state,
    })
    .from(partnerCredentials)
    .innerJoin(workspaces, eq(workspaces.workspaceId, partnerCredentials.workspaceId))
    .where(and(eq(partnerCredentials.kid, kid), isNull(partnerCredentials.revokedAt)))
  if (!row) return null
  const { sealedSecret, ...credential } = row
  const context = rowContext('partner_credentials', kid)
  const key = await importSecret(await unseal(await masterKeysOf(c.env), context, sealedSecret))
  return { kid, ...credential, key }
}

/** The credential of a key ID; null if it is revoked or unknown. One query unless cached. */
export const livePartnerCredential = (c: AppContext, kid: string, now: Date): Promise<LivePartnerCredential | null> =>
  liveCredentials.find(kid, now, async () => {
    await limitLookups(c, 'partner key')
    return readCredential(c, kid)
  })

/** Whether an origin is registered with an active credential of an open workspace. One query unless cached. */
export async function isRegisteredOrigin(c: AppContext, origin: string, now: Date): Promise<boolean> {
  // Neither look up nor cache a stranger's long header.
  if (origin.length > MAX_ADDRESS_LENGTH) return false
  const readOrigin = async () => {
    await limitLookups(c, 'origin')
    const [row = null] = await controlDatabaseOf(c)
      .orm.select({ kid: partnerOrigins.kid, workspaceId: workspaces.workspaceId })
      .from(partnerOrigins)
      .innerJoin(partnerCredentials, eq(partnerCredentials.kid, partnerOrigins.kid))
      .innerJoin(workspaces, eq(workspaces.workspaceId, partnerCredentials.workspaceId))
      .where(and(eq(partnerOrigins.origin, origin), inArray(workspaces.state, OPEN_STATES)))
      .limit(1)
    return row
  }
  return (await origins.find(origin, now, readOrigin)) !== null
}
