import { and, count, eq, exists, isNull, sql } from 'drizzle-orm'
import { CLIENT_SCOPES } from '#shared/access/caller'
import { invalidField } from '#shared/errors/errors'
import { forgetApiKey } from '#worker/auth/live-clients'
import { sha256Hex } from '#worker/crypto/hash'
import { randomId, randomSecret } from '#worker/crypto/random'
import { firstOf } from '#worker/storage/database'
import { asPage, type Page, type PageRequest } from '#worker/storage/paged'
import { apiKeys, clients } from '#worker/storage/schema/control'
import { type Authority, authorityLostError, authorityQuery, insertWhileHeld } from './authority'
import { newClient } from './new-client'
import { keyUse, revokeKey } from './rows'
import type { ApiKey, ApiKeySecret, NewApiKey, Revoked } from './schemas'
import { noSuchWorkspace, workspaceQuery } from './workspace'

const API_KEY = { table: apiKeys, column: apiKeys.apiKeyId, noun: 'API key with this id' }

/**
 * The clients that an authority may give a key of its workspace. The operator may choose any client. An admin may
 * choose only clients that have, or had, a key of the workspace, or have a new one made. So an admin cannot find out
 * which other clients exist.
 */
const grantableClient = ({ database: { orm }, workspaceId, memberId }: Authority, clientId: string) =>
  orm
    .select({ clientId: clients.clientId })
    .from(clients)
    .where(
      and(
        eq(clients.clientId, clientId),
        isNull(clients.revokedAt),
        memberId === undefined
          ? undefined
          : exists(
              orm
                .select({ apiKeyId: apiKeys.apiKeyId })
                .from(apiKeys)
                .where(and(eq(apiKeys.workspaceId, workspaceId), eq(apiKeys.clientId, clientId))),
            ),
      ),
    )

/**
 * The key is in the answer only, and so is the secret of a client that is made for it; hashes of them are stored.
 *
 * @throws ApiError 400 for a client that is unknown, revoked or of another workspace, and if not one is named; as
 *   `authorityLostError`
 */
export async function createApiKey(
  authority: Authority,
  { client_id: clientId, client_name: clientName, ...rights }: NewApiKey,
  now: Date,
): Promise<ApiKeySecret> {
  if (clientName !== undefined) {
    if (clientId !== undefined) {
      throw invalidField('client_name', 'conditional', 'must not be sent together with client_id', clientName)
    }
    const { row, credentials } = await newClient(clientName, now)
    // If the key then fails, this client can do nothing: nobody knows its secret, and it has no key.
    await insertWhileHeld(authority, clients, row, now)
    return { ...(await addApiKey(authority, row.clientId, rights, now)), ...credentials }
  }
  if (clientId === undefined) throw invalidField('client_id', 'required', 'is required', clientId)
  await requireGrantable(authority, clientId, now)
  return addApiKey(authority, clientId, rights, now)
}

/** @throws ApiError 400 for a client to which the authority may give no key; as `authorityLostError` */
async function requireGrantable(authority: Authority, clientId: string, now: Date): Promise<void> {
  const [[held], [client]] = await authority.database.orm.batch([
    authorityQuery(authority),
    grantableClient(authority, clientId),
  ])
  if (!held) throw await authorityLostError(authority, now)
  // A client that is revoked after this check does no harm: every use of the key checks the client too.
  if (!client)
    throw invalidField(
      'client_id',
      'not_found',
      'must be the id of a client that is not revoked; an admin may name only clients that have, or had, a key of this workspace',
      clientId,
    )
}

async function addApiKey(
  authority: Authority,
  clientId: string,
  { scopes: asked, name: given }: Pick<NewApiKey, 'scopes' | 'name'>,
  now: Date,
): Promise<ApiKeySecret> {
  const apiKeyId = randomId('dcs_keyid_')
  const apiKey = randomSecret('dcs_key_')
  const name = given ?? null
  const scopes = CLIENT_SCOPES.filter((scope) => asked === undefined || asked.includes(scope))
  const { workspaceId, actor: createdBy } = authority
  const keyHash = await sha256Hex(apiKey)
  const row = { apiKeyId, workspaceId, clientId, keyHash, scopes, name, createdBy, createdAt: now.getTime() }
  await insertWhileHeld(authority, apiKeys, row, now)
  return { api_key_id: apiKeyId, api_key: apiKey, scopes, name }
}

/**
 * The keys that can be used: neither they nor their clients are revoked. Clients without a key of this workspace are
 * not named. @throws ApiError 404 for an unknown workspace
 */
export async function listApiKeys(authority: Authority, page: PageRequest): Promise<Page<ApiKey>> {
  const { database, workspaceId } = authority
  const { orm } = database
  const usable = and(
    eq(apiKeys.workspaceId, workspaceId),
    isNull(apiKeys.revokedAt),
    isNull(clients.revokedAt),
  )
  const [[workspace], rows, counted] = await orm.batch([
    workspaceQuery(database, workspaceId),
    orm
      .select({
        api_key_id: apiKeys.apiKeyId,
        client_id: apiKeys.clientId,
        client_name: clients.name,
        scopes: apiKeys.scopes,
        // Rows of a batch are objects, so two columns of the same name would become one.
        name: sql<string | null>`${apiKeys.name}`.as('key_name'),
        ...keyUse(apiKeys),
      })
      .from(apiKeys)
      .innerJoin(clients, eq(clients.clientId, apiKeys.clientId))
      .where(usable)
      .orderBy(apiKeys.createdAt, sql`${apiKeys}.rowid`)
      .limit(page.limit)
      .offset(page.offset),
    orm
      .select({ total: count() })
      .from(apiKeys)
      .innerJoin(clients, eq(clients.clientId, apiKeys.clientId))
      .where(usable),
  ])
  if (!workspace) throw noSuchWorkspace()
  return asPage(rows, firstOf(counted).total, page)
}

/** With its access tokens: at once in this isolate, within 60 seconds everywhere. @throws ApiError as `revokeKey` */
export async function revokeApiKey(authority: Authority, apiKeyId: string, now: Date): Promise<Revoked> {
  const revoked = await revokeKey(authority, API_KEY, apiKeyId, now)
  forgetApiKey(apiKeyId)
  return revoked
}
