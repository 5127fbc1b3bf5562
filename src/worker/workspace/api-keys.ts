import { and, eq, exists, isNull, notExists, sql } from 'drizzle-orm'
import { CLIENT_SCOPES } from '#shared/access/caller'
import { invalidField } from '#shared/errors/errors'
import { newClient } from '#worker/auth/client-credentials'
import { forgetApiKey } from '#worker/auth/live-grants'
import { sha256Hex } from '#worker/crypto/hash'
import { randomId, randomSecret } from '#worker/crypto/random'
import type { PageRequest } from '#worker/storage/list-page'
import { apiKeys, clients } from '#worker/storage/schema/control'
import { type Authority, changeAs } from './authority'
import { insertRevocableRow, keyUse, listLive, type RevocableKeys, revokeKey } from './revocable-rows'
import type { NewApiKey } from './schemas'

const API_KEY: RevocableKeys = {
  table: apiKeys,
  id: apiKeys.apiKeyId,
  quota: 'api_keys',
  noun: 'API key with this id',
  forget: forgetApiKey,
}

/**
 * The clients that an authority may give a key of its workspace: any for the operator; for an admin, those that have,
 * or had, a key of the workspace. So an admin cannot find out which other clients exist.
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

/** @throws ApiError 400 for a client to which the authority may give no key; as `authorityLostError` */
async function requireGrantable(authority: Authority, clientId: string | undefined, now: Date): Promise<string> {
  if (clientId === undefined) throw invalidField('client_id', 'required', 'is required', clientId)
  const [[client]] = await changeAs(authority, [grantableClient(authority, clientId)], now)
  // A client that is revoked after this check does no harm: every use of the key checks the client too.
  if (client) return clientId
  throw invalidField(
    'client_id',
    'not_found',
    'must be the id of a client that is not revoked; an admin may name only clients that have, or had, a ' +
      'key of this workspace',
    clientId,
  )
}

/**
 * The key is in the answer only, and so is the secret of a client that is made for it; hashes of them are stored.
 *
 * @throws ApiError 400 if not one client is named that the authority may choose; as `insertRevocableRow`
 */
export async function createApiKey(
  authority: Authority,
  { client_id: namedClient, client_name: clientName, scopes: requested, name: keyName }: NewApiKey,
  now: Date,
) {
  if (namedClient !== undefined && clientName !== undefined) {
    throw invalidField('client_name', 'conditional', 'must not be sent together with client_id', clientName)
  }
  const addition = clientName === undefined ? undefined : await newClient(clientName, now)
  const clientId = addition?.row.clientId ?? (await requireGrantable(authority, namedClient, now))
  const name = keyName ?? null
  const apiKeyId = randomId('dcs_keyid_')
  const apiKey = randomSecret('dcs_key_')
  const scopes = CLIENT_SCOPES.filter((scope) => requested === undefined || requested.includes(scope))
  const { workspaceId, actor: createdBy, memberId } = authority
  const keyHash = await sha256Hex(apiKey)
  const row = { apiKeyId, workspaceId, clientId, keyHash, scopes, name, createdBy, createdAt: now.getTime() }
  // A client that the operator makes belongs to no workspace, also if its first key is for one.
  const client = addition && (memberId === undefined ? addition.row : { ...addition.row, workspaceId })
  const insertions: Parameters<typeof insertRevocableRow>[3] = (insert) => [
    ...(client === undefined ? [] : [insert(clients, client)]),
    insert(apiKeys, row),
  ]
  await insertRevocableRow(authority, API_KEY, apiKeyId, insertions, now)
  return { api_key_id: apiKeyId, api_key: apiKey, scopes, name, ...addition?.credentials }
}

/** Lists keys as `listLive`, with the names of their clients. */
export function listApiKeys(authority: Authority, page: PageRequest) {
  const { apiKeyId, clientId, scopes, name } = apiKeys
  const columns = {
    api_key_id: apiKeyId,
    client_id: clientId,
    client_name: sql<string>`(
      select ${clients}.name from ${clients} where ${clients}.client_id = ${apiKeys}.client_id)`,
    scopes,
    name,
    ...keyUse(apiKeys),
  }
  return listLive(authority, apiKeys, columns, page)
}

/** Deletes clients that admins of the workspace made, when the last row of their keys is gone. */
const purgeClients = ({ database: { orm }, workspaceId }: Authority) =>
  orm
    .delete(clients)
    .where(
      and(
        eq(clients.workspaceId, workspaceId),
        notExists(
          orm.select({ apiKeyId: apiKeys.apiKeyId }).from(apiKeys).where(eq(apiKeys.clientId, clients.clientId)),
        ),
      ),
    )

/** @throws ApiError as `revokeKey` */
export const revokeApiKey = (authority: Authority, apiKeyId: string, now: Date) =>
  revokeKey(authority, API_KEY, apiKeyId, now, [purgeClients(authority)])
