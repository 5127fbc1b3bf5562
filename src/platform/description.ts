import type { Endpoint } from '../description/endpoint'
import { enveloped } from '../description/enveloped'
import type { ErrorCode } from '../errors'
import {
  apiKeySchema,
  apiKeySecretSchema,
  encryptionKeySchema,
  encryptionKeySecretSchema,
  listOf,
  memberRoleSchema,
  memberSchema,
  newApiKeySchema,
  newEncryptionKeySchema,
  newMemberSchema,
  newPartnerCredentialSchema,
  partnerCredentialSchema,
  partnerCredentialSecretSchema,
  revokedSchema,
} from '../workspace/schemas'
import {
  clientSchema,
  clientSecretSchema,
  newClientSchema,
  newWorkspaceSchema,
  resealedSchema,
  workspaceSchema,
} from './schemas'

const operator = { tag: 'Operator', access: 'operator' } as const

const WORKSPACES = '/platform/v1/workspaces'
const CLIENTS = '/platform/v1/clients'
const API_KEYS = `${WORKSPACES}/{workspace_id}/api-keys`
const PARTNER_CREDENTIALS = `${WORKSPACES}/{workspace_id}/partner-credentials`
const ENCRYPTION_KEYS = `${WORKSPACES}/{workspace_id}/encryption-keys`
const MEMBERS = `${WORKSPACES}/{workspace_id}/members`

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
  {
    ...operator,
    method: 'post',
    path: PARTNER_CREDENTIALS,
    operationId: 'createPartnerCredential',
    summary: 'Create a partner credential: lets a partner make tokens for its users',
    description: 'The secret is shown once, in this answer.',
    body: { 'application/json': newPartnerCredentialSchema },
    response: enveloped(partnerCredentialSecretSchema),
    errors: CREATE_ERRORS,
  },
  {
    ...operator,
    method: 'get',
    path: PARTNER_CREDENTIALS,
    operationId: 'listPartnerCredentials',
    summary: 'List the partner credentials of a workspace that are not revoked, oldest first',
    response: enveloped(listOf(partnerCredentialSchema)),
    errors: READ_ERRORS,
  },
  {
    ...operator,
    method: 'delete',
    path: `${PARTNER_CREDENTIALS}/{kid}`,
    operationId: 'revokePartnerCredential',
    summary: 'Revoke a partner credential, its tokens and the access tokens exchanged for them',
    description: 'Takes effect within 60 seconds. Revoking it again changes nothing.',
    response: enveloped(revokedSchema),
    errors: READ_ERRORS,
  },
  {
    ...operator,
    method: 'post',
    path: ENCRYPTION_KEYS,
    operationId: 'createEncryptionKey',
    summary: 'Create a shared key for encrypted bodies',
    description: 'The key is shown once, in this answer.',
    body: { 'application/json': newEncryptionKeySchema },
    response: enveloped(encryptionKeySecretSchema),
    errors: CREATE_ERRORS,
  },
  {
    ...operator,
    method: 'get',
    path: ENCRYPTION_KEYS,
    operationId: 'listEncryptionKeys',
    summary: 'List the encryption keys of a workspace that are not revoked, oldest first',
    response: enveloped(listOf(encryptionKeySchema)),
    errors: READ_ERRORS,
  },
  {
    ...operator,
    method: 'delete',
    path: `${ENCRYPTION_KEYS}/{kid}`,
    operationId: 'revokeEncryptionKey',
    summary: 'Revoke an encryption key',
    description: 'Takes effect within 60 seconds. Revoking it again changes nothing.',
    response: enveloped(revokedSchema),
    errors: READ_ERRORS,
  },
  {
    ...operator,
    method: 'post',
    path: MEMBERS,
    operationId: 'addMember',
    summary: 'Let somebody log in to a workspace, or give a member another role',
    description:
      'Whoever logs in with a verified email address that equals this one, whatever the case, has the role. A `viewer` ' +
      'reads, an `editor` also writes and switches search, an `admin` also manages keys and members.',
    body: { 'application/json': newMemberSchema },
    response: enveloped(memberRoleSchema),
    errors: CREATE_ERRORS,
  },
  {
    ...operator,
    method: 'get',
    path: MEMBERS,
    operationId: 'listMembers',
    summary: 'List the members of a workspace, oldest first',
    response: enveloped(listOf(memberSchema)),
    errors: READ_ERRORS,
  },
  {
    ...operator,
    method: 'delete',
    path: `${MEMBERS}/{email}`,
    operationId: 'revokeMember',
    summary: 'Revoke a membership and its access tokens',
    description: 'Takes effect within 60 seconds. Revoking it again changes nothing.',
    response: enveloped(revokedSchema),
    errors: READ_ERRORS,
  },
  {
    ...operator,
    method: 'post',
    path: '/platform/v1/reseal',
    operationId: 'reseal',
    summary: 'Seal secrets anew under the current master key',
    description:
      'For the rotation of the master key. Each call takes a share; to be repeated until `remaining` is 0, after ' +
      'which the previous master keys are no longer needed.',
    response: enveloped(resealedSchema),
    errors: READ_ERRORS,
  },
]
