import { masterKeysOf } from '#crypto/master-keys'
import { configOf } from '#env'
import { enveloped } from '#http/answers'
import type { AppContext } from '#http/context'
import { type Access, endpoint } from '#http/endpoint'
import { listQuery, pageOf } from '#http/page'
import { json } from '#http/request-body'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys'
import type { Authority } from './authority'
import { createEncryptionKey, listEncryptionKeys, revokeEncryptionKey } from './encryption-keys'
import { addMember, listMembers, revokeMember } from './members'
import {
  createPartnerCredential,
  listPartnerCredentials,
  revokePartnerCredential,
} from './partner-credentials'
import {
  apiKeySchema,
  apiKeySecretSchema,
  encryptionKeySchema,
  encryptionKeySecretSchema,
  memberRoleSchema,
  memberSchema,
  newApiKeySchema,
  newEncryptionKeySchema,
  newMemberSchema,
  newPartnerCredentialSchema,
  partnerCredentialSchema,
  partnerCredentialSecretSchema,
  REVOKED,
  revokedSchema,
} from './schemas'

/** Who manages keys and members: the operator or an admin. */
export interface Administration<Base extends string, Prefix extends string> {
  tag: string
  access: Access
  base: Base
  /** Comes before the noun in an operation id: `createWorkspaceApiKey`. */
  prefix: Prefix
  /** The authority of a request, and its workspace. Access has been checked before. */
  authorityOf: (c: AppContext) => Authority
  /** Whether the workspace must keep an admin. */
  keepsAdmin: boolean
}

const SHOWN_ONCE = 'is shown once, in this answer.'
const REVOCATION = 'Takes effect within 60 seconds. Revoking it again changes nothing.'

/**
 * The endpoints for keys and members of a workspace, for the operator and for the workspace's own admins.
 * Each change checks in its own statement that the authority still holds.
 */
export function administrationEndpoints<const Base extends string, Prefix extends string>({
  tag,
  access,
  base,
  prefix,
  authorityOf,
  keepsAdmin,
}: Administration<Base, Prefix>) {
  const common = { tag, access } as const
  const revocation = {
    ...common,
    method: 'delete',
    answer: enveloped(revokedSchema),
    errors: ['not_found'],
    writes: true,
  } as const
  const memberErrors = keepsAdmin ? (['conflict'] as const) : []
  const onlyAdmin = keepsAdmin
    ? ' The only admin of the workspace cannot be removed or get another role: 409.'
    : ''

  const ownClients = keepsAdmin
    ? ' The client must have, or have had, a key of the workspace. The operator makes its first one.'
    : ''

  return [
    endpoint(
      {
        ...common,
        method: 'post',
        path: `${base}/api-keys`,
        operationId: `create${prefix}ApiKey`,
        summary: 'Create an API key: lets a client act on the workspace',
        description: `The key ${SHOWN_ONCE}${ownClients}`,
        body: json(newApiKeySchema),
        answer: enveloped(apiKeySecretSchema),
        writes: true,
      },
      async ({ c, body, now }) => ({
        message: 'API key created. It is not shown again.',
        data: await createApiKey(authorityOf(c), body, now),
      }),
    ),
    endpoint(
      {
        ...common,
        method: 'get',
        path: `${base}/api-keys`,
        operationId: `list${prefix}ApiKeys`,
        summary: 'List the API keys of the workspace that can be used, oldest first',
        description: 'Without the keys themselves.',
        query: listQuery,
        answer: enveloped(pageOf(apiKeySchema)),
      },
      async ({ c, query }) => ({
        message: 'API keys.',
        data: await listApiKeys(authorityOf(c), query),
      }),
    ),
    endpoint(
      {
        ...revocation,
        path: `${base}/api-keys/{api_key_id}`,
        operationId: `revoke${prefix}ApiKey`,
        summary: 'Revoke an API key and its access tokens',
        description: REVOCATION,
      },
      async ({ c, params, now }) => {
        await revokeApiKey(authorityOf(c), params.api_key_id, now)
        return { message: 'API key revoked.', data: REVOKED }
      },
    ),
    endpoint(
      {
        ...common,
        method: 'post',
        path: `${base}/partner-credentials`,
        operationId: `create${prefix}PartnerCredential`,
        summary: 'Create a partner credential: lets a partner make tokens for its users',
        description: `The secret ${SHOWN_ONCE}`,
        body: json(newPartnerCredentialSchema),
        answer: enveloped(partnerCredentialSecretSchema),
        writes: true,
      },
      async ({ c, body, now }) => ({
        message: 'Partner credential created. Its secret is not shown again.',
        data: await createPartnerCredential(
          authorityOf(c),
          await masterKeysOf(c.env),
          body,
          configOf(c.env).partnerAudience,
          now,
        ),
      }),
    ),
    endpoint(
      {
        ...common,
        method: 'get',
        path: `${base}/partner-credentials`,
        operationId: `list${prefix}PartnerCredentials`,
        summary: 'List the partner credentials of the workspace that are not revoked, oldest first',
        description: 'Without their secrets.',
        query: listQuery,
        answer: enveloped(pageOf(partnerCredentialSchema)),
      },
      async ({ c, query }) => ({
        message: 'Partner credentials.',
        data: await listPartnerCredentials(authorityOf(c), configOf(c.env).partnerAudience, query),
      }),
    ),
    endpoint(
      {
        ...revocation,
        path: `${base}/partner-credentials/{kid}`,
        operationId: `revoke${prefix}PartnerCredential`,
        summary: 'Revoke a partner credential, its tokens and the access tokens exchanged for them',
        description: REVOCATION,
      },
      async ({ c, params, now }) => {
        await revokePartnerCredential(authorityOf(c), params.kid, now)
        return { message: 'Partner credential revoked.', data: REVOKED }
      },
    ),
    endpoint(
      {
        ...common,
        method: 'post',
        path: `${base}/encryption-keys`,
        operationId: `create${prefix}EncryptionKey`,
        summary: 'Create a shared key for encrypted bodies',
        description: `The key ${SHOWN_ONCE}`,
        body: json(newEncryptionKeySchema),
        answer: enveloped(encryptionKeySecretSchema),
        writes: true,
      },
      async ({ c, now }) => ({
        message: 'Encryption key created. It is not shown again.',
        data: await createEncryptionKey(authorityOf(c), await masterKeysOf(c.env), now),
      }),
    ),
    endpoint(
      {
        ...common,
        method: 'get',
        path: `${base}/encryption-keys`,
        operationId: `list${prefix}EncryptionKeys`,
        summary: 'List the encryption keys of the workspace that are not revoked, oldest first',
        description: 'Without the keys themselves.',
        query: listQuery,
        answer: enveloped(pageOf(encryptionKeySchema)),
      },
      async ({ c, query }) => ({
        message: 'Encryption keys.',
        data: await listEncryptionKeys(authorityOf(c), query),
      }),
    ),
    endpoint(
      {
        ...revocation,
        path: `${base}/encryption-keys/{kid}`,
        operationId: `revoke${prefix}EncryptionKey`,
        summary: 'Revoke an encryption key',
        description: REVOCATION,
      },
      async ({ c, params, now }) => {
        await revokeEncryptionKey(authorityOf(c), params.kid, now)
        return { message: 'Encryption key revoked.', data: REVOKED }
      },
    ),
    endpoint(
      {
        ...common,
        method: 'post',
        path: `${base}/members`,
        operationId: `add${prefix}Member`,
        summary: 'Add a member to the workspace, or give a member another role',
        description:
          'The role is for everybody who logs in with this verified email address, in upper or lower case. A `viewer` ' +
          'reads, an `editor` also writes and switches search, an `admin` also manages keys and members.' +
          onlyAdmin,
        body: json(newMemberSchema),
        answer: enveloped(memberRoleSchema),
        errors: memberErrors,
        writes: true,
      },
      async ({ c, body, now }) => ({
        message: 'Member added.',
        data: await addMember(authorityOf(c), body, now),
      }),
    ),
    endpoint(
      {
        ...common,
        method: 'get',
        path: `${base}/members`,
        operationId: `list${prefix}Members`,
        summary: 'List the members of the workspace, oldest first',
        description: 'With their roles.',
        query: listQuery,
        answer: enveloped(pageOf(memberSchema)),
      },
      async ({ c, query }) => ({
        message: 'Members.',
        data: await listMembers(authorityOf(c), query),
      }),
    ),
    endpoint(
      {
        ...revocation,
        path: `${base}/members/{email}`,
        operationId: `revoke${prefix}Member`,
        summary: 'Revoke a membership and its access tokens',
        description: REVOCATION + onlyAdmin,
        errors: [...memberErrors, 'not_found'],
      },
      async ({ c, params, now }) => {
        await revokeMember(authorityOf(c), params.email, now)
        return { message: 'Member revoked.', data: REVOKED }
      },
    ),
  ] as const
}
