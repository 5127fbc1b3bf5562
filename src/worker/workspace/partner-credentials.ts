import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { LOOPBACK_HOSTS } from '#shared/access/loopback-hosts'
import { ApiError } from '#shared/errors/errors'
import { MAX_ADDRESS_LENGTH, MAX_ALLOWED_ORIGINS } from '#shared/limits'
import { type MasterKeys, masterKeysOf } from '#worker/crypto/master-keys'
import { randomId, randomSecret } from '#worker/crypto/random'
import { rowContext, seal } from '#worker/crypto/seal'
import { configOf } from '#worker/env'
import { json } from '#worker/http/body/request-body'
import { requireWritableWorkspace } from '#worker/http/databases'
import { envelopedAs } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { pathParameter, text } from '#worker/http/endpoint/values'
import type { PageRequest } from '#worker/storage/list-page'
import { requireMasterKeys } from '#worker/storage/lookup-keys'
import { partnerCredentials, partnerOrigins } from '#worker/storage/schema/control'
import { forgetCached } from '#worker/storage/timed-cache'
import { type AdminContext, ifAuthorized, runAsAdmin } from './admin-context'
import { type Administration, collectionEndpoints } from './collection-endpoints'
import {
  insertRevocableRow,
  keyUse,
  keyUseMembers,
  listLive,
  type RevocableRows,
  revocation,
  revokeKey,
  roomFor,
} from './revocable-rows'

/** The parsed URL, if it is absolute, uses https (or a loopback host) and has no user name or password. */
function safeUrl(value: string): URL | undefined {
  if (!/^https?:\/\/[^\s\\]+$/i.test(value) || !URL.canParse(value)) return undefined
  const url = new URL(value)
  // Parsers accept a wildcard in the host, but it would match nothing.
  if (url.username !== '' || url.password !== '' || url.hostname.includes('*')) return undefined
  return url.protocol === 'https:' || LOOPBACK_HOSTS.includes(url.hostname) ? url : undefined
}

const issuerSchema = text()
  .min(1, { error: 'is required', abort: true })
  .max(MAX_ADDRESS_LENGTH, `must have at most ${MAX_ADDRESS_LENGTH} characters`)
  .refine((value) => safeUrl(value)?.hash === '' && !value.includes('#'), {
    error: 'must be an absolute https URL without a fragment (http for localhost only)',
  })
  .meta({ description: '`iss` of the partner’s tokens, compared character by character.', format: 'uri' })

/** Origins of hybrid apps (Capacitor on iOS, Ionic). Anyone can create an app that sends them. */
const APP_ORIGINS: readonly string[] = ['capacitor://localhost', 'ionic://localhost']

/** As browsers send it in `Origin`: only scheme, host and port. */
const originSchema = text()
  .max(MAX_ADDRESS_LENGTH, `must have at most ${MAX_ADDRESS_LENGTH} characters`)
  .refine((value) => safeUrl(value)?.origin === value || APP_ORIGINS.includes(value), {
    error:
      'must be an https origin such as https://partner.example, without a path (http for localhost only), or ' +
      APP_ORIGINS.join(' or '),
  })
  .meta({ description: 'A web origin, exactly as browsers send it.' })

const originsSchema = z
  .array(originSchema, { error: 'must be a list of web origins' })
  .max(MAX_ALLOWED_ORIGINS, `must have at most ${MAX_ALLOWED_ORIGINS} origins`)
  .refine((origins) => new Set(origins).size === origins.length, { error: 'must name each origin once' })
  .meta({ description: 'Web origins whose pages may call the service with the partner’s tokens.' })

export const newPartnerCredentialSchema = z.strictObject({
  issuer: issuerSchema,
  allowed_origins: originsSchema.default([]),
})

const changedOriginsSchema = z.strictObject({ allowed_origins: originsSchema })

const partnerCredential = {
  kid: z.string().meta({ description: 'Key ID: `kid` in the protected header of a token.' }),
  issuer: z.string().meta({ description: '`iss` of the tokens.' }),
  audience: z.string().meta({ description: '`aud` of the tokens.' }),
  allowed_origins: z.array(z.string()),
}

const partnerCredentialSchema = z.strictObject({ ...partnerCredential, ...keyUseMembers })

const partnerCredentialSecretSchema = z.strictObject({
  ...partnerCredential,
  secret: z.string().meta({ description: 'Base64url of the 32-byte key. Shown only once.' }),
})

export type PartnerCredential = z.output<typeof partnerCredentialSchema>
export type PartnerCredentialSecret = z.output<typeof partnerCredentialSecretSchema>

const PARTNER_CREDENTIAL: RevocableRows = {
  table: partnerCredentials,
  id: partnerCredentials.kid,
  quota: 'partner_credentials',
  noun: 'partner credential with this kid',
  secret: 'sealedSecret',
}

async function createPartnerCredential(
  admin: AdminContext,
  masterKeys: MasterKeys,
  { issuer, allowed_origins: allowedOrigins }: z.output<typeof newPartnerCredentialSchema>,
  audience: string,
  now: Date,
) {
  const kid = randomId('dcs_partner_')
  // No prefix, because partners decode the whole text to 32 bytes (docs/contract.md#partner-token-header).
  const secret = randomSecret('')
  const keys = await requireMasterKeys(admin.database, masterKeys)
  const sealedSecret = await seal(keys, rowContext('partner_credentials', kid), secret)
  const { workspaceId, actor: createdBy } = admin
  const row = { kid, workspaceId, issuer, sealedSecret, allowedOrigins, createdBy, createdAt: now.getTime() }
  const insertions: Parameters<typeof insertRevocableRow>[2] = (insert) => [
    insert(partnerCredentials, row),
    insertOrigins(admin, kid),
  ]
  await insertRevocableRow(admin, [roomFor(admin, PARTNER_CREDENTIAL, kid)], insertions, now)
  forgetCached(...allowedOrigins)
  return { kid, secret, issuer, audience, allowed_origins: allowedOrigins }
}

const originsOf = ({ workspaceId }: AdminContext, kid: string, state: 'null' | 'not null'): SQL =>
  sql`select value, kid from ${partnerCredentials}, json_each(allowed_origins)
    where kid = ${kid} and workspace_id = ${workspaceId} and revoked_at is ${sql.raw(state)}`

/** Runs after the insertion of the credential, which may have had no effect. */
const insertOrigins = (admin: AdminContext, kid: string) =>
  admin.database.orm
    .insert(partnerOrigins)
    .select(originsOf(admin, kid, 'null'))
    .onConflictDoNothing()

/** Runs after the revocation of the credential, which may have had no effect. */
const deleteOrigins = (admin: AdminContext, kid: string) =>
  admin.database.orm.delete(partnerOrigins).where(sql`(origin, kid) in (${originsOf(admin, kid, 'not null')})`)

const credentialColumns = (audience: string) => ({
  kid: partnerCredentials.kid,
  issuer: partnerCredentials.issuer,
  audience: sql<string>`${audience}`,
  allowed_origins: partnerCredentials.allowedOrigins,
  ...keyUse(partnerCredentials),
})

const listPartnerCredentials = (admin: AdminContext, audience: string, page: PageRequest) =>
  listLive(admin, partnerCredentials, credentialColumns(audience), page)

/** Replaces the origins of a credential. @throws ApiError 404 if it is unknown or revoked; as `lostRightsError` */
async function changeAllowedOrigins(
  admin: AdminContext,
  kid: string,
  allowedOrigins: string[],
  audience: string,
  now: Date,
) {
  const { database, workspaceId } = admin
  const isLive = and(
    eq(partnerCredentials.workspaceId, workspaceId),
    eq(partnerCredentials.kid, kid),
    isNull(partnerCredentials.revokedAt),
  )
  const change = database.orm
    .update(partnerCredentials)
    .set({ allowedOrigins })
    .where(and(isLive, ifAuthorized(admin, 'adds')))
    .returning(credentialColumns(audience))
  // Compares with the current row, so it has no effect if the change had none.
  const deletion = database.orm.delete(partnerOrigins).where(
    sql`kid in (select kid from ${partnerCredentials} where ${isLive})
      and (origin, kid) not in (${originsOf(admin, kid, 'null')})`,
  )
  const [[row]] = await runAsAdmin(admin, [change, deletion, insertOrigins(admin, kid)], now, 'adds')
  if (!row) throw new ApiError('not_found', `The workspace has no ${PARTNER_CREDENTIAL.noun}.`)
  forgetCached(kid, ...allowedOrigins)
  return row
}

const revokePartnerCredential = (admin: AdminContext, kid: string, now: Date) =>
  revokeKey(admin, PARTNER_CREDENTIAL, kid, now, [deleteOrigins(admin, kid)])

const listEndpoints = <const Base extends string>(administration: Administration<Base, AdminContext>) =>
  collectionEndpoints(administration, {
    segment: 'partner-credentials',
    idParameter: 'kid',
    noun: 'PartnerCredential',
    create: {
      summary: 'Create a partner credential: lets a partner create tokens for its users',
      description: 'The secret is shown once, in this response.',
      body: newPartnerCredentialSchema,
      answer: envelopedAs('Partner credential created. Its secret is not shown again.', partnerCredentialSecretSchema),
      run: async (admin, input, now, { env }) =>
        createPartnerCredential(admin, await masterKeysOf(env), input, configOf(env).partnerAudience, now),
    },
    list: {
      summary: 'List the partner credentials of the workspace that are not revoked, oldest first',
      description: 'The response does not contain their secrets.',
      message: 'Partner credentials.',
      itemSchema: partnerCredentialSchema,
      run: (admin, page, { env }) => listPartnerCredentials(admin, configOf(env).partnerAudience, page),
    },
    remove: revocation(
      'Revoke a partner credential, its tokens and the access tokens exchanged for them',
      'Partner credential revoked.',
      revokePartnerCredential,
    ),
  })

const changeOrigins = <const Base extends string>(administration: Administration<Base, AdminContext>) =>
  endpoint(
    {
      tag: administration.tag,
      access: administration.access,
      method: 'put',
      path: `${administration.base}/partner-credentials/{kid}`,
      operationId: `change${administration.prefix}PartnerCredentialOrigins`,
      summary: 'Change the web origins of a partner credential',
      description: 'The secret and the tokens stay as they are. Takes effect within 60 seconds.',
      body: json(changedOriginsSchema),
      answer: envelopedAs('Origins changed.', partnerCredentialSchema),
      errors: ['not_found'],
      writes: true,
    },
    async ({ c, body, now }) => {
      requireWritableWorkspace(c)
      const admin = await administration.adminOf(c, now)
      const { partnerAudience } = configOf(c.env)
      return changeAllowedOrigins(admin, pathParameter(c, 'kid'), body.allowed_origins, partnerAudience, now)
    },
  )

export const partnerCredentialEndpoints = <const Base extends string>(
  administration: Administration<Base, AdminContext>,
) => [...listEndpoints(administration), changeOrigins(administration)] as const
