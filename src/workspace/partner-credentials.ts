import { and, count, eq, isNull, sql } from 'drizzle-orm'
import { forgetPartnerCredential } from '#auth/partner/credentials'
import type { MasterKeys } from '#crypto/master-keys'
import { randomId, randomSecret } from '#crypto/random'
import { rowContext, seal } from '#crypto/seal'
import { ApiError } from '#errors'
import { asPage, type Page, type PageRequest } from '#http/page'
import { type Database, int } from '#storage/database'
import { partnerCredentials } from '#storage/schema/control'
import { type Authority, changeWhileHeld, insertWhileHeld, whileHeld } from './authority'
import type { NewPartnerCredential, PartnerCredential, PartnerCredentialSecret } from './schemas'
import { keyUse, noSuchWorkspace, workspaceQuery } from './workspace'

/**
 * Creates a partner credential. Its secret is in the answer only, and stored sealed.
 *
 * @param audience `aud` of the partner's tokens
 * @throws ApiError as `authorityLostError`
 */
export async function createPartnerCredential(
  database: Database,
  masterKeys: MasterKeys,
  authority: Authority,
  { issuer, allowed_origins: allowedOrigins }: NewPartnerCredential,
  audience: string,
  now: Date,
): Promise<PartnerCredentialSecret> {
  const kid = randomId('dcs_partner_')
  // Without a prefix: partners decode it to 32 bytes as it is (docs/contract.md#partner-token-header).
  const secret = randomSecret('')
  const sealedSecret = await seal(masterKeys, rowContext('partner_credentials', kid), secret)
  const { workspaceId, actor: createdBy } = authority
  const row = { kid, workspaceId, issuer, sealedSecret, allowedOrigins, createdBy, createdAt: now.getTime() }
  await insertWhileHeld(database, authority, partnerCredentials, row, now)
  forgetPartnerCredential(kid)
  return { kid, secret, issuer, audience, allowed_origins: allowedOrigins }
}

/**
 * The partner credentials of a workspace that are not revoked, oldest first, without their secrets.
 *
 * @param audience as for `createPartnerCredential`
 * @throws ApiError 404 for an unknown workspace
 */
export async function listPartnerCredentials(
  database: Database,
  workspaceId: string,
  audience: string,
  page: PageRequest,
): Promise<Page<PartnerCredential>> {
  const { kid, issuer, allowedOrigins, createdBy, createdAt, lastUsedAt, revokedAt } = partnerCredentials
  const live = and(eq(partnerCredentials.workspaceId, workspaceId), isNull(revokedAt))
  const [[workspace], rows, [counted]] = await database.orm.batch([
    workspaceQuery(database, workspaceId),
    database.orm
      .select({ kid, issuer, allowedOrigins, createdBy, createdAt, lastUsedAt })
      .from(partnerCredentials)
      .where(live)
      .orderBy(createdAt, sql`rowid`)
      .limit(page.limit)
      .offset(page.offset),
    database.orm.select({ total: count() }).from(partnerCredentials).where(live),
  ])
  if (!workspace) throw noSuchWorkspace()
  const items = rows.map((row) => ({
    kid: row.kid,
    issuer: row.issuer,
    audience,
    allowed_origins: row.allowedOrigins,
    ...keyUse(row),
  }))
  return asPage(items, counted!.total, page)
}

/**
 * Revokes a partner credential of a workspace with its tokens and the access tokens that were issued for them: at
 * once in this isolate, within 60 seconds everywhere. Its secret is destroyed. A second call changes nothing.
 *
 * @throws ApiError 404 when the workspace never had such a credential; as `authorityLostError`
 */
export async function revokePartnerCredential(
  database: Database,
  authority: Authority,
  kid: string,
  now: Date,
): Promise<void> {
  const revocation = database.orm
    .update(partnerCredentials)
    .set({
      revokedAt: sql`coalesce(${partnerCredentials.revokedAt}, ${int(now.getTime())})`,
      sealedSecret: '',
    })
    .where(
      and(
        eq(partnerCredentials.workspaceId, authority.workspaceId),
        eq(partnerCredentials.kid, kid),
        whileHeld(database, authority),
      ),
    )
    .returning({ kid: partnerCredentials.kid })
  const [revoked] = await changeWhileHeld(database, authority, revocation, now)
  if (!revoked) throw new ApiError('not_found', 'The workspace has no partner credential with this kid.')
  forgetPartnerCredential(kid)
}
