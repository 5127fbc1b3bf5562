import { sql } from 'drizzle-orm'
import { forgetPartnerCredential } from '#worker/auth/partner/credentials'
import type { MasterKeys } from '#worker/crypto/master-keys'
import { randomId, randomSecret } from '#worker/crypto/random'
import { rowContext, seal } from '#worker/crypto/seal'
import { provenKeys } from '#worker/storage/lookup-keys'
import type { Page, PageRequest } from '#worker/storage/paged'
import { partnerCredentials } from '#worker/storage/schema/control'
import { type Authority, insertWhileHeld } from './authority'
import { keyUse, listLive, revokeKey } from './rows'
import type { NewPartnerCredential, PartnerCredential, PartnerCredentialSecret, Revoked } from './schemas'

const PARTNER_CREDENTIAL = {
  table: partnerCredentials,
  column: partnerCredentials.kid,
  noun: 'partner credential with this kid',
  secret: 'sealedSecret',
}

/**
 * Its secret is in the answer only, and stored sealed. `audience` is `aud` of the partner's tokens.
 *
 * @throws ApiError as `authorityLostError`
 */
export async function createPartnerCredential(
  authority: Authority,
  masterKeys: MasterKeys,
  { issuer, allowed_origins: allowedOrigins }: NewPartnerCredential,
  audience: string,
  now: Date,
): Promise<PartnerCredentialSecret> {
  const kid = randomId('dcs_partner_')
  // Without a prefix: partners decode it to 32 bytes as it is (docs/contract.md#partner-token-header).
  const secret = randomSecret('')
  const keys = await provenKeys(authority.database, masterKeys)
  const sealedSecret = await seal(keys, rowContext('partner_credentials', kid), secret)
  const { workspaceId, actor: createdBy } = authority
  const row = { kid, workspaceId, issuer, sealedSecret, allowedOrigins, createdBy, createdAt: now.getTime() }
  await insertWhileHeld(authority, partnerCredentials, row, now)
  forgetPartnerCredential(kid)
  return { kid, secret, issuer, audience, allowed_origins: allowedOrigins }
}

/** As `listLive`, without their secrets. `audience` as for `createPartnerCredential`. */
export function listPartnerCredentials(
  authority: Authority,
  audience: string,
  page: PageRequest,
): Promise<Page<PartnerCredential>> {
  const { kid, issuer, allowedOrigins } = partnerCredentials
  const columns = {
    kid,
    issuer,
    audience: sql<string>`${audience}`,
    allowed_origins: allowedOrigins,
    ...keyUse(partnerCredentials),
  }
  return listLive(authority, partnerCredentials, columns, page)
}

/**
 * With its tokens and the access tokens that were issued for them: at once in this isolate, within 60 seconds
 * everywhere. @throws ApiError as `revokeKey`
 */
export async function revokePartnerCredential(
  authority: Authority,
  kid: string,
  now: Date,
): Promise<Revoked> {
  const revoked = await revokeKey(authority, PARTNER_CREDENTIAL, kid, now)
  forgetPartnerCredential(kid)
  return revoked
}
