import type { Endpoint } from '../description/endpoint'
import { enveloped } from '../description/enveloped'
import type { ErrorCode } from '../errors'
import {
  apiKeySchema,
  apiKeySecretSchema,
  clientSchema,
  clientSecretSchema,
  listOf,
  newApiKeySchema,
  newClientSchema,
  newWorkspaceSchema,
  revokedSchema,
  workspaceSchema,
} from './schemas'

const operator = { tag: 'Operator', access: 'operator' } as const

const WORKSPACES = '/platform/v1/workspaces'
const CLIENTS = '/platform/v1/clients'
const API_KEYS = `${WORKSPACES}/{workspace_id}/api-keys`

/** What each operator endpoint can answer: 404 also stands for a service without an operator token. */
const READ_ERRORS: readonly ErrorCode[] = ['unauthorized', 'not_found']
const CREATE_ERRORS: readonly ErrorCode[] = [...READ_ERRORS, 'invalid_request', 'unsupported_media_type']

export const platformEndpoints: readonly Endpoint[] = [
  {
    ...operator,
    method: 'post',
    path: WORKSPACES,
    operationId: 'createWorkspace',
    summary: 'Create a workspace',
    body: { 'application/json': newWorkspaceSchema },
    response: enveloped(workspaceSchema),
    errors: [...CREATE_ERRORS, 'conflict'],
  },
  {
    ...operator,
    method: 'get',
    path: WORKSPACES,
    operationId: 'listWorkspaces',
    summary: 'List the workspaces, oldest first',
    response: enveloped(listOf(workspaceSchema)),
    errors: READ_ERRORS,
  },
  {
    ...operator,
    method: 'post',
    path: CLIENTS,
    operationId: 'createClient',
    summary: 'Create a client',
    description: 'The secret is shown once, in this answer.',
    body: { 'application/json': newClientSchema },
    response: enveloped(clientSecretSchema),
    errors: CREATE_ERRORS,
  },
  {
    ...operator,
    method: 'get',
    path: CLIENTS,
    operationId: 'listClients',
    summary: 'List the clients that are not revoked, oldest first',
    response: enveloped(listOf(clientSchema)),
    errors: READ_ERRORS,
  },
  {
    ...operator,
    method: 'delete',
    path: `${CLIENTS}/{client_id}`,
    operationId: 'revokeClient',
    summary: 'Revoke a client, its API keys and their access tokens',
    description: 'Takes effect within 60 seconds. Revoking it again changes nothing.',
    response: enveloped(revokedSchema),
    errors: READ_ERRORS,
  },
  {
    ...operator,
    method: 'post',
    path: API_KEYS,
    operationId: 'createApiKey',
    summary: 'Create an API key: lets a client act on a workspace',
    description: 'The key is shown once, in this answer.',
    body: { 'application/json': newApiKeySchema },
    response: enveloped(apiKeySecretSchema),
    errors: CREATE_ERRORS,
  },
  {
    ...operator,
    method: 'get',
    path: API_KEYS,
    operationId: 'listApiKeys',
    summary: 'List the API keys of a workspace that can be used, oldest first',
    response: enveloped(listOf(apiKeySchema)),
    errors: READ_ERRORS,
  },
  {
    ...operator,
    method: 'delete',
    path: `${API_KEYS}/{api_key_id}`,
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key and its access tokens',
    description: 'Takes effect within 60 seconds. Revoking it again changes nothing.',
    response: enveloped(revokedSchema),
    errors: READ_ERRORS,
  },
]
