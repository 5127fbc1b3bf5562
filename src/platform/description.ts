import type { ErrorCode } from '#errors'
import type { Endpoint } from '#http/endpoint'
import { enveloped } from '#http/enveloped'
import { administrationEndpoints } from '#workspace/description'
import { listOf, revokedSchema } from '#workspace/schemas'
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
  ...administrationEndpoints({
    ...operator,
    base: `${WORKSPACES}/{workspace_id}`,
    operationIdOf: (verb, noun) => verb + noun,
    errors: READ_ERRORS,
    keepsAdmin: false,
  }),
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
