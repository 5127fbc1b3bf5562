import { masterKeysOf } from '#crypto/master-keys'
import { configOf } from '#env'
import { json } from '#http/body/request-body'
import type { AppContext } from '#http/context'
import { envelopedAs } from '#http/endpoint/answers'
import { type Access, endpoint } from '#http/endpoint/endpoint'
import { listQuery, pageOf } from '#http/endpoint/page'
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
  revokedSchema,
} from './schemas'

/** Who manages keys and members: the operator or an admin. */
interface Administration<Base extends string, Prefix extends string> {
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
  const creation = { ...common, method: 'post', writes: true } as const
  const listing = { ...common, method: 'get', query: listQuery } as const
  const revocation = {
    ...common,
    method: 'delete',
    description: REVOCATION,
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
        ...creation,
        path: `${base}/api-keys`,
        operationId: `create${prefix}ApiKey`,
        summary: 'Create an API key: lets a client act on the workspace',
        description: `The key ${SHOWN_ONCE}${ownClients}`,
        body: json(newApiKeySchema),
        answer: envelopedAs('API key created. It is not shown again.', apiKeySecretSchema),
      },
      ({ c, body, now }) => createApiKey(authorityOf(c), body, now),
    ),
    endpoint(
      {
        ...listing,
        path: `${base}/api-keys`,
        operationId: `list${prefix}ApiKeys`,
        summary: 'List the API keys of the workspace that can be used, oldest first',
        description: 'Without the keys themselves.',
        answer: envelopedAs('API keys.', pageOf(apiKeySchema)),
      },
      ({ c, query }) => listApiKeys(authorityOf(c), query),
    ),
    endpoint(
      {
        ...revocation,
        path: `${base}/api-keys/{api_key_id}`,
        operationId: `revoke${prefix}ApiKey`,
        summary: 'Revoke an API key and its access tokens',
        answer: envelopedAs('API key revoked.', revokedSchema),
      },
      ({ c, params, now }) => revokeApiKey(authorityOf(c), params.api_key_id, now),
    ),
    endpoint(
      {
        ...creation,
        path: `${base}/partner-credentials`,
        operationId: `create${prefix}PartnerCredential`,
        summary: 'Create a partner credential: lets a partner make tokens for its users',
        description: `The secret ${SHOWN_ONCE}`,
        body: json(newPartnerCredentialSchema),
        answer: envelopedAs(
          'Partner credential created. Its secret is not shown again.',
          partnerCredentialSecretSchema,
        ),
      },
      async ({ c, body, now }) =>
        createPartnerCredential(
          authorityOf(c),
          await masterKeysOf(c.env),
          body,
          configOf(c.env).partnerAudience,
          now,
        ),
    ),
    endpoint(
      {
        ...listing,
        path: `${base}/partner-credentials`,
        operationId: `list${prefix}PartnerCredentials`,
        summary: 'List the partner credentials of the workspace that are not revoked, oldest first',
        description: 'Without their secrets.',
        answer: envelopedAs('Partner credentials.', pageOf(partnerCredentialSchema)),
      },
      ({ c, query }) => listPartnerCredentials(authorityOf(c), configOf(c.env).partnerAudience, query),
    ),
    endpoint(
      {
        ...revocation,
        path: `${base}/partner-credentials/{kid}`,
        operationId: `revoke${prefix}PartnerCredential`,
        summary: 'Revoke a partner credential, its tokens and the access tokens exchanged for them',
        answer: envelopedAs('Partner credential revoked.', revokedSchema),
      },
      ({ c, params, now }) => revokePartnerCredential(authorityOf(c), params.kid, now),
    ),
    endpoint(
      {
        ...creation,
        path: `${base}/encryption-keys`,
        operationId: `create${prefix}EncryptionKey`,
        summary: 'Create a shared key for encrypted bodies',
        description: `The key ${SHOWN_ONCE}`,
        body: json(newEncryptionKeySchema),
        answer: envelopedAs('Encryption key created. It is not shown again.', encryptionKeySecretSchema),
      },
      async ({ c, now }) => createEncryptionKey(authorityOf(c), await masterKeysOf(c.env), now),
    ),
    endpoint(
      {
        ...listing,
        path: `${base}/encryption-keys`,
        operationId: `list${prefix}EncryptionKeys`,
        summary: 'List the encryption keys of the workspace that are not revoked, oldest first',
        description: 'Without the keys themselves.',
        answer: envelopedAs('Encryption keys.', pageOf(encryptionKeySchema)),
      },
      ({ c, query }) => listEncryptionKeys(authorityOf(c), query),
    ),
    endpoint(
      {
        ...revocation,
        path: `${base}/encryption-keys/{kid}`,
        operationId: `revoke${prefix}EncryptionKey`,
        summary: 'Revoke an encryption key',
        answer: envelopedAs('Encryption key revoked.', revokedSchema),
      },
      ({ c, params, now }) => revokeEncryptionKey(authorityOf(c), params.kid, now),
    ),
    endpoint(
      {
        ...creation,
        path: `${base}/members`,
        operationId: `add${prefix}Member`,
        summary: 'Add a member to the workspace, or give a member another role',
        description:
          'The role is for everybody who logs in with this verified email address, in upper or lower case. A `viewer` ' +
          'reads, an `editor` also writes and switches search, an `admin` also manages keys and members.' +
          onlyAdmin,
        body: json(newMemberSchema),
        answer: envelopedAs('Member added.', memberRoleSchema),
        errors: memberErrors,
      },
      ({ c, body, now }) => addMember(authorityOf(c), body, now),
    ),
    endpoint(
      {
        ...listing,
        path: `${base}/members`,
        operationId: `list${prefix}Members`,
        summary: 'List the members of the workspace, oldest first',
        description: 'With their roles.',
        answer: envelopedAs('Members.', pageOf(memberSchema)),
      },
      ({ c, query }) => listMembers(authorityOf(c), query),
    ),
    endpoint(
      {
        ...revocation,
        path: `${base}/members/{email}`,
        operationId: `revoke${prefix}Member`,
        summary: 'Revoke a membership and its access tokens',
        description: REVOCATION + onlyAdmin,
        errors: [...memberErrors, 'not_found'],
        answer: envelopedAs('Member revoked.', revokedSchema),
      },
      ({ c, params, now }) => revokeMember(authorityOf(c), params.email, now),
    ),
  ] as const
}
