import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import { forgetPartnerCredential } from '#worker/auth/partner/credentials'
import type { MasterKeys } from '#worker/crypto/master-keys'
import { randomId, randomSecret } from '#worker/crypto/random'
import { rowContext, seal } from '#worker/crypto/seal'
import type { PageRequest } from '#worker/storage/list-page'
import { requireMasterKeys } from '#worker/storage/lookup-keys'
import { partnerCredentials, partnerOrigins } from '#worker/storage/schema/control'
import { type Authority, changeAs, ifAuthorized } from './authority'
import { insertRevocableRow, keyUse, listLive, type RevocableKeys, revokeKey } from './revocable-rows'
import type { NewPartnerCredential } from './schemas'

const PARTNER_CREDENTIAL: RevocableKeys = {
  table: partnerCredentials,
  id: partnerCredentials.kid,
  quota: 'partner_credentials',
  noun: 'partner credential with this kid',
  secret: 'sealedSecret',
  forget: forgetPartnerCredential,
}

/**
 * Its secret is in the answer only. `audience` is `aud` of the partner's tokens. @throws ApiError as
 * `insertRevocableRow`
 */
export async function createPartnerCredential(
  authority: Authority,
  masterKeys: MasterKeys,
  { issuer, allowed_origins: allowedOrigins }: NewPartnerCredential,
  audience: string,
  now: Date,
) {
  const kid = randomId('dcs_partner_')
  // Without a prefix: partners decode it to 32 bytes as it is (docs/contract.md#partner-token-header).
  const secret = randomSecret('')
  const keys = await requireMasterKeys(authority.database, masterKeys)
  const sealedSecret = await seal(keys, rowContext('partner_credentials', kid), secret)
  const { workspaceId, actor: createdBy } = authority
  const row = { kid, workspaceId, issuer, sealedSecret, allowedOrigins, createdBy, createdAt: now.getTime() }
  const insertions: Parameters<typeof insertRevocableRow>[3] = (insert) => [
    insert(partnerCredentials, row),
    insertOrigins(authority, kid),
  ]
  await insertRevocableRow(authority, PARTNER_CREDENTIAL, kid, insertions, now)
  forgetPartnerCredential(kid)
  return { kid, secret, issuer, audience, allowed_origins: allowedOrigins }
}

/** The origins of a credential of the workspace, as rows of `partner_origins`. */
const originsOf = ({ workspaceId }: Authority, kid: string, state: 'null' | 'not null'): SQL =>
  sql`select value, kid from ${partnerCredentials}, json_each(allowed_origins)
    where kid = ${kid} and workspace_id = ${workspaceId} and revoked_at is ${sql.raw(state)}`

/** Comes after the insertion of the credential, which may have had no effect. */
const insertOrigins = (authority: Authority, kid: string) =>
  authority.database.orm
    .insert(partnerOrigins)
    .select(originsOf(authority, kid, 'null'))
    .onConflictDoNothing()

/** Comes after the revocation of the credential, which may have had no effect. */
const deleteOrigins = (authority: Authority, kid: string) =>
  authority.database.orm.delete(partnerOrigins).where(sql`(origin, kid) in (${originsOf(authority, kid, 'not null')})`)

/** A credential as it is returned, without its secret. */
const columnsOf = (audience: string) => ({
  kid: partnerCredentials.kid,
  issuer: partnerCredentials.issuer,
  audience: sql<string>`${audience}`,
  allowed_origins: partnerCredentials.allowedOrigins,
  ...keyUse(partnerCredentials),
})

/** Lists credentials as `listLive`. `audience` as for `createPartnerCredential`. */
export const listPartnerCredentials = (authority: Authority, audience: string, page: PageRequest) =>
  listLive(authority, partnerCredentials, columnsOf(audience), page)

/**
 * Replaces the origins of a credential. Its secret stays.
 *
 * @throws ApiError 404 when the workspace has no such credential, or it is revoked; as `changeAs`
 */
export async function changeAllowedOrigins(
  authority: Authority,
  kid: string,
  allowedOrigins: string[],
  audience: string,
  now: Date,
) {
  const { database, workspaceId } = authority
  const isLive = and(
    eq(partnerCredentials.workspaceId, workspaceId),
    eq(partnerCredentials.kid, kid),
    isNull(partnerCredentials.revokedAt),
  )
  const change = database.orm
    .update(partnerCredentials)
    .set({ allowedOrigins })
    .where(and(isLive, ifAuthorized(authority)))
    .returning(columnsOf(audience))
  // Compares with what the row has now, so it has no effect if the change had none.
  const deletion = database.orm.delete(partnerOrigins).where(
    sql`kid in (select kid from ${partnerCredentials} where ${isLive})
      and (origin, kid) not in (${originsOf(authority, kid, 'null')})`,
  )
  const [[row]] = await changeAs(authority, [change, deletion, insertOrigins(authority, kid)], now)
  if (!row) throw new ApiError('not_found', `The workspace has no ${PARTNER_CREDENTIAL.noun}.`)
  forgetPartnerCredential(kid)
  return row
}

/** @throws ApiError as `revokeKey` */
export const revokePartnerCredential = (authority: Authority, kid: string, now: Date) =>
  revokeKey(authority, PARTNER_CREDENTIAL, kid, now, [deleteOrigins(authority, kid)])
