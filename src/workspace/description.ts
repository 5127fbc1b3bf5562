import type { ErrorCode } from '#errors'
import type { Endpoint } from '#http/endpoint'
import { enveloped } from '#http/enveloped'
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
} from './schemas'

/** What an endpoint of `administration.ts` is, wherever it is mounted. */
interface Template
  extends Pick<Endpoint, 'method' | 'path' | 'summary' | 'description' | 'body' | 'response'> {
  verb: 'create' | 'list' | 'revoke' | 'add'
  noun: string
  /** Whether it can take an admin away. */
  changesMember?: true
}

const SHOWN_ONCE = 'is shown once, in this answer.'
const REVOCATION = 'Takes effect within 60 seconds. Revoking it again changes nothing.'

const templates: readonly Template[] = [
  {
    method: 'post',
    path: '/api-keys',
    verb: 'create',
    noun: 'ApiKey',
    summary: 'Create an API key: lets a client act on the workspace',
    description: `The key ${SHOWN_ONCE}`,
    body: { 'application/json': newApiKeySchema },
    response: enveloped(apiKeySecretSchema),
  },
  {
    method: 'get',
    path: '/api-keys',
    verb: 'list',
    noun: 'ApiKeys',
    summary: 'List the API keys of the workspace that can be used, oldest first',
    response: enveloped(listOf(apiKeySchema)),
  },
  {
    method: 'delete',
    path: '/api-keys/{api_key_id}',
    verb: 'revoke',
    noun: 'ApiKey',
    summary: 'Revoke an API key and its access tokens',
    description: REVOCATION,
    response: enveloped(revokedSchema),
  },
  {
    method: 'post',
    path: '/partner-credentials',
    verb: 'create',
    noun: 'PartnerCredential',
    summary: 'Create a partner credential: lets a partner make tokens for its users',
    description: `The secret ${SHOWN_ONCE}`,
    body: { 'application/json': newPartnerCredentialSchema },
    response: enveloped(partnerCredentialSecretSchema),
  },
  {
    method: 'get',
    path: '/partner-credentials',
    verb: 'list',
    noun: 'PartnerCredentials',
    summary: 'List the partner credentials of the workspace that are not revoked, oldest first',
    response: enveloped(listOf(partnerCredentialSchema)),
  },
  {
    method: 'delete',
    path: '/partner-credentials/{kid}',
    verb: 'revoke',
    noun: 'PartnerCredential',
    summary: 'Revoke a partner credential, its tokens and the access tokens exchanged for them',
    description: REVOCATION,
    response: enveloped(revokedSchema),
  },
  {
    method: 'post',
    path: '/encryption-keys',
    verb: 'create',
    noun: 'EncryptionKey',
    summary: 'Create a shared key for encrypted bodies',
    description: `The key ${SHOWN_ONCE}`,
    body: { 'application/json': newEncryptionKeySchema },
    response: enveloped(encryptionKeySecretSchema),
  },
  {
    method: 'get',
    path: '/encryption-keys',
    verb: 'list',
    noun: 'EncryptionKeys',
    summary: 'List the encryption keys of the workspace that are not revoked, oldest first',
    response: enveloped(listOf(encryptionKeySchema)),
  },
  {
    method: 'delete',
    path: '/encryption-keys/{kid}',
    verb: 'revoke',
    noun: 'EncryptionKey',
    summary: 'Revoke an encryption key',
    description: REVOCATION,
    response: enveloped(revokedSchema),
  },
  {
    method: 'post',
    path: '/members',
    verb: 'add',
    noun: 'Member',
    summary: 'Let somebody log in to the workspace, or give a member another role',
    description:
      'Whoever logs in with a verified email address that equals this one, whatever the case, has the role. A `viewer` ' +
      'reads, an `editor` also writes and switches search, an `admin` also manages keys and members.',
    body: { 'application/json': newMemberSchema },
    response: enveloped(memberRoleSchema),
    changesMember: true,
  },
  {
    method: 'get',
    path: '/members',
    verb: 'list',
    noun: 'Members',
    summary: 'List the members of the workspace, oldest first',
    response: enveloped(listOf(memberSchema)),
  },
  {
    method: 'delete',
    path: '/members/{email}',
    verb: 'revoke',
    noun: 'Member',
    summary: 'Revoke a membership and its access tokens',
    description: REVOCATION,
    response: enveloped(revokedSchema),
    changesMember: true,
  },
]

/** Where the routes of `administration.ts` are mounted, and for whom. */
interface Mount extends Pick<Endpoint, 'tag' | 'access' | 'errors'> {
  base: string
  operationIdOf: (verb: Template['verb'], noun: string) => string
  /** As in `Administration`. */
  keepsAdmin: boolean
}

const METHOD_ERRORS: Record<Endpoint['method'], readonly ErrorCode[]> = {
  get: [],
  post: ['invalid_request', 'unsupported_media_type'],
  delete: ['not_found'],
}

const ONLY_ADMIN = 'The only admin of the workspace stays one: 409.'

/** The endpoints for the keys and members of a workspace, as they are at one mount; `errors` are those that all have there. */
export const administrationEndpoints = ({
  base,
  operationIdOf,
  keepsAdmin,
  errors,
  ...mount
}: Mount): Endpoint[] =>
  templates.map(({ verb, noun, changesMember, ...template }) => {
    const guarded = keepsAdmin && changesMember === true
    const description = [template.description, guarded ? ONLY_ADMIN : undefined]
      .filter((sentence) => sentence !== undefined)
      .join(' ')
    return {
      ...mount,
      ...template,
      ...(description === '' ? {} : { description }),
      path: base + template.path,
      operationId: operationIdOf(verb, noun),
      errors: [...errors, ...METHOD_ERRORS[template.method], ...(guarded ? (['conflict'] as const) : [])],
    }
  })

export const workspaceEndpoints: readonly Endpoint[] = administrationEndpoints({
  tag: 'Workspace',
  access: 'workspace:admin',
  base: '/admin/workspace/v1',
  operationIdOf: (verb, noun) => `${verb}Workspace${noun}`,
  errors: ['unauthorized', 'forbidden', 'rate_limited'],
  keepsAdmin: true,
})
