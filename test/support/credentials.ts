import { env } from 'cloudflare:workers'
import { exportJWK, generateKeyPair } from 'jose'
import { beforeEach } from 'vitest'
import { CLIENT_SCOPES, type Scope } from '#shared/access/caller'
import { issueAccessToken } from '#worker/auth/access-token'
import { signingKeysOf } from '#worker/auth/signing-keys'
import { sha256Hex } from '#worker/crypto/hash'
import { configOf, type SigningKey } from '#worker/env'
import { controlDatabase } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { apiKeys, clients, workspaces } from '#worker/storage/schema/control'
import { workspaceQuotas } from '#worker/storage/schema/workspace'
import { bearer, callService, dataFrom, type Fetch, jsonBody } from './service'

export interface TestWorkspace {
  workspaceId: string
  clientId: string
  clientSecret: string
  apiKeyId: string
  apiKey: string
  /** An access token with every scope. */
  token: string
}

const OPERATOR = bearer(String(env.PLATFORM_ADMIN_TOKEN))

/** Sends a request to an operator endpoint with the operator's token. A body makes it a POST. */
export const callOperator = (
  path: string,
  body?: unknown,
  method?: string,
  call: Fetch = callService,
): Promise<Response> =>
  call(`/platform/v1${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(body === undefined ? { headers: OPERATOR } : jsonBody(body, OPERATOR)),
  })

export const createClient = (name = 'a client') =>
  dataFrom<{ client_id: string; client_secret: string }>(callOperator('/clients', { name }))

export const createApiKey = (workspaceId: string, clientId: string, scopes?: readonly Scope[]) =>
  dataFrom<{ api_key_id: string; api_key: string }>(
    callOperator(`/workspaces/${workspaceId}/api-keys`, { client_id: clientId, scopes }),
  )

export const createWorkspace = async (workspaceId?: string): Promise<string> => {
  const body = { name: 'a workspace', workspace_id: workspaceId }
  return (await dataFrom<{ workspace_id: string }>(callOperator('/workspaces', body))).workspace_id
}

/** A key that signs access tokens, in the form of the secret SIGNING_KEYS. */
export async function newSigningKey(kid: string): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid } as SigningKey
}

export const requestToken = (
  workspace: Pick<TestWorkspace, 'clientId' | 'clientSecret' | 'apiKey'>,
  call: Fetch = callService,
): Promise<Response> =>
  call('/api/v1/auth/token', {
    method: 'POST',
    ...jsonBody(
      {
        client_id: workspace.clientId,
        client_secret: workspace.clientSecret,
        grant_type: 'client_credentials',
      },
      { 'X-API-KEY': workspace.apiKey },
    ),
  })

/**
 * A new workspace with a client, an API key and an access token, written to the database like by the operator's
 * endpoints, which have their own tests.
 *
 * @param workspaceId for a workspace with this ID, such as `provider`
 */
export async function newWorkspace(workspaceId: string = crypto.randomUUID()): Promise<TestWorkspace> {
  const [clientId, clientSecret, apiKeyId, apiKey] = [1, 2, 3, 4].map(() => crypto.randomUUID()) as [
    ...[string, string, string, string],
  ]
  const createdAt = Date.now()
  const [secretHash, keyHash] = await Promise.all([sha256Hex(clientSecret), sha256Hex(apiKey)])
  const { orm: db } = controlDatabase(env, new Meter())
  await db.batch([
    db.insert(workspaces).values({ workspaceId, name: 'a workspace', createdAt }),
    db.insert(workspaceQuotas).values({ workspaceId }),
    db.insert(clients).values({ clientId, name: 'a client', secretHash, createdAt }),
    db.insert(apiKeys).values({ apiKeyId, workspaceId, clientId, keyHash, createdAt }),
  ])
  const workspace = { workspaceId, clientId, clientSecret, apiKeyId, apiKey, token: '' }
  return { ...workspace, token: await tokenWith(CLIENT_SCOPES, workspace) }
}

/** A workspace that each test creates for itself. */
export function workspaceOfEachTest(): TestWorkspace {
  const workspace = {} as TestWorkspace
  beforeEach(async () => void Object.assign(workspace, await newWorkspace()))
  return workspace
}

export async function tokenWith(scopes: readonly Scope[], workspace?: TestWorkspace): Promise<string> {
  const { workspaceId: workspace_id, clientId: client_id, apiKeyId: api_key_id } = workspace ?? (await newWorkspace())
  const grant = { workspace_id, client_id, api_key_id }
  return issueAccessToken(await signingKeysOf(env), configOf(env).issuer, { ...grant, scopes }, new Date())
}

export const tokenWithout = (scope: Scope, workspace?: TestWorkspace): Promise<string> =>
  tokenWith(
    CLIENT_SCOPES.filter((other) => other !== scope),
    workspace,
  )

/** The quotas of a workspace, and its usage. @param change sets some of them first */
export const quotaOf = ({ workspaceId }: Pick<TestWorkspace, 'workspaceId'>, change?: object) =>
  dataFrom<Record<string, number>>(callOperator(`/workspaces/${workspaceId}/quota`, change))
