import { and, eq, exists, isNull, notExists, sql } from 'drizzle-orm'
import * as z from 'zod'
import { CLIENT_SCOPES } from '#shared/access/caller'
import { invalidField } from '#shared/errors/errors'
import { newClient, roomForClient } from '#worker/auth/client-credentials'
import { sha256Hex } from '#worker/crypto/hash'
import { randomId, randomSecret } from '#worker/crypto/random'
import { envelopedAs } from '#worker/http/endpoint/answers'
import { nameTextSchema, oneOf, text } from '#worker/http/endpoint/values'
import type { PageRequest } from '#worker/storage/list-page'
import { apiKeys, clients } from '#worker/storage/schema/control'
import { type AdminContext, runAsAdmin } from './admin-context'
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

const scopesSchema = z.array(oneOf(CLIENT_SCOPES), {
  error: `must be a list of scopes; the scopes are ${CLIENT_SCOPES.join(', ')}`,
})

export const newApiKeySchema = z
  .strictObject({
    client_id: text()
      .min(1, 'is required')
      .optional()
      .meta({ description: 'The client that may use the key; required without `client_name`.' }),
    client_name: nameTextSchema
      .optional()
      .meta({ description: 'In place of `client_id`: a new client with this name is created for the key.' }),
    scopes: scopesSchema
      .min(1, 'must name at least one scope')
      .max(CLIENT_SCOPES.length, 'must name each scope once')
      .optional()
      .meta({ description: 'Permissions of access tokens of the key; all of them by default.' }),
    name: nameTextSchema.optional().meta({ description: 'What the key is for.' }),
  })
  .meta({ example: { client_id: 'dcs_client_example', scopes: ['catalog:read', 'search'], name: 'Reports' } })

const apiKeyRights = {
  scopes: scopesSchema,
  name: z.string().nullable().meta({ description: 'What the key is for.', example: 'Reports' }),
}

const apiKeySchema = z.strictObject({
  api_key_id: z.string(),
  client_id: z.string(),
  client_name: z.string().meta({ description: 'Name of the client, for people.' }),
  ...apiKeyRights,
  ...keyUseMembers,
})

const apiKeySecretSchema = z.strictObject({
  api_key_id: z.string(),
  api_key: z.string().meta({ description: 'Shown only once.' }),
  ...apiKeyRights,
  client_id: z.string().optional().meta({ description: 'ID of the client that was created for the key.' }),
  client_secret: z.string().optional().meta({ description: 'Secret of that client. Shown only once.' }),
})

export type ApiKey = z.output<typeof apiKeySchema>
export type ApiKeySecret = z.output<typeof apiKeySecretSchema>

const API_KEY: RevocableRows = {
  table: apiKeys,
  id: apiKeys.apiKeyId,
  quota: 'api_keys',
  noun: 'API key with this id',
}

/** The clients that may get a key: all for the operator; for an admin, those that have or had one of the workspace. */
const grantableClient = ({ database: { orm }, workspaceId, memberId }: AdminContext, clientId: string) =>
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

async function requireGrantable(admin: AdminContext, clientId: string | undefined, now: Date): Promise<string> {
  if (clientId === undefined) throw invalidField('client_id', 'required', 'is required', clientId)
  const [[client]] = await runAsAdmin(admin, [grantableClient(admin, clientId)], now)
  // A client revoked after this check is harmless, because every use of the key also checks the client.
  if (client) return clientId
  throw invalidField(
    'client_id',
    'not_found',
    'must be the ID of a client that is not revoked; an admin may name only clients that have, or had, a key of ' +
      'this workspace',
    clientId,
  )
}

/** Only this response contains the key and a new client's secret; their hashes are stored. @throws ApiError 400; 409 */
async function createApiKey(
  admin: AdminContext,
  {
    client_id: namedClient,
    client_name: clientName,
    scopes: requested,
    name: keyName,
  }: z.output<typeof newApiKeySchema>,
  now: Date,
) {
  if (namedClient !== undefined && clientName !== undefined) {
    throw invalidField('client_name', 'conditional', 'must not be sent together with client_id', clientName)
  }
  const addition = clientName === undefined ? undefined : await newClient(clientName, now)
  const clientId = addition?.row.clientId ?? (await requireGrantable(admin, namedClient, now))
  const name = keyName ?? null
  const apiKeyId = randomId('dcs_keyid_')
  const apiKey = randomSecret('dcs_key_')
  const scopes = CLIENT_SCOPES.filter((scope) => requested === undefined || requested.includes(scope))
  const { workspaceId, actor: createdBy, memberId } = admin
  const keyHash = await sha256Hex(apiKey)
  const row = { apiKeyId, workspaceId, clientId, keyHash, scopes, name, createdBy, createdAt: now.getTime() }
  // A client created by the operator belongs to no workspace, even if its first key is for one.
  const client = addition && (memberId === undefined ? addition.row : { ...addition.row, workspaceId })
  const insertions: Parameters<typeof insertRevocableRow>[2] = (insert) => [
    ...(client === undefined ? [] : [insert(clients, client)]),
    insert(apiKeys, row),
  ]
  const rooms = [
    roomFor(admin, API_KEY, apiKeyId),
    ...(client !== undefined && memberId === undefined ? [roomForClient(admin.database, clientId)] : []),
  ]
  await insertRevocableRow(admin, rooms, insertions, now)
  return { api_key_id: apiKeyId, api_key: apiKey, scopes, name, ...addition?.credentials }
}

function listApiKeys(admin: AdminContext, page: PageRequest) {
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
  return listLive(admin, apiKeys, columns, page)
}

/** Deletes clients created by the workspace's admins once the last of their keys' rows is deleted. */
const purgeClients = ({ database: { orm }, workspaceId }: AdminContext) =>
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

const revokeApiKey = (admin: AdminContext, apiKeyId: string, now: Date) =>
  revokeKey(admin, API_KEY, apiKeyId, now, [purgeClients(admin)])

export const apiKeyEndpoints = <const Base extends string>(administration: Administration<Base, AdminContext>) =>
  collectionEndpoints(administration, {
    segment: 'api-keys',
    idParameter: 'api_key_id',
    noun: 'ApiKey',
    create: {
      summary: 'Create an API key: lets a client act on the workspace',
      description:
        'The key is shown once, in this response. With `client_name` in place of `client_id`, a client is created, ' +
        'too, and the response contains its secret. An admin may name only clients that have, or had, a key of the ' +
        'workspace.',
      body: newApiKeySchema,
      answer: envelopedAs('API key created. It is not shown again.', apiKeySecretSchema),
      run: createApiKey,
    },
    list: {
      summary: 'List the API keys of the workspace that can be used, oldest first',
      description: 'The response does not contain the keys themselves.',
      message: 'API keys.',
      itemSchema: apiKeySchema,
      run: listApiKeys,
    },
    remove: revocation('Revoke an API key and its access tokens', 'API key revoked.', revokeApiKey),
  })
