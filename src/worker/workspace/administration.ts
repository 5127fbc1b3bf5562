import { masterKeysOf } from '#worker/crypto/master-keys'
import { configOf } from '#worker/env'
import { json } from '#worker/http/body/request-body'
import { envelopedAs } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { pageOf } from '#worker/http/endpoint/parameters'
import { type Administration, administrationDefaults } from './administrator'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys'
import { createEncryptionKey, listEncryptionKeys, revokeEncryptionKey } from './encryption-keys'
import { memberEndpoints } from './member-endpoints'
import { createPartnerCredential, listPartnerCredentials, revokePartnerCredential } from './partner-credentials'
import {
  apiKeySchema,
  apiKeySecretSchema,
  encryptionKeySchema,
  encryptionKeySecretSchema,
  newApiKeySchema,
  newEncryptionKeySchema,
  newPartnerCredentialSchema,
  partnerCredentialSchema,
  partnerCredentialSecretSchema,
  revokedSchema,
} from './schemas'

const SHOWN_ONCE = 'is shown once, in this answer.'

/** Keys of clients. */
function apiKeyEndpoints<const Base extends string, const Prefix extends string>(
  administration: Administration<Base, Prefix>,
) {
  const { base, prefix, authorityOf, keepsAdmin } = administration
  const { creation, listing, revocation } = administrationDefaults(administration)
  const ownClients = keepsAdmin ? ' The client must have, or have had, a key of the workspace.' : ''
  return [
    endpoint(
      {
        ...creation,
        path: `${base}/api-keys`,
        operationId: `create${prefix}ApiKey`,
        summary: 'Create an API key: lets a client act on the workspace',
        description:
          `The key ${SHOWN_ONCE} With \`client_name\` in place of \`client_id\`, a client is made too, and its ` +
          `secret is in the answer.${ownClients}`,
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
  ] as const
}

/** Credentials of partners. */
function partnerCredentialEndpoints<const Base extends string, const Prefix extends string>(
  administration: Administration<Base, Prefix>,
) {
  const { base, prefix, authorityOf } = administration
  const { creation, listing, revocation } = administrationDefaults(administration)
  return [
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
        createPartnerCredential(authorityOf(c), await masterKeysOf(c.env), body, configOf(c.env).partnerAudience, now),
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
  ] as const
}

/** Shared keys of encrypted bodies. */
function encryptionKeyEndpoints<const Base extends string, const Prefix extends string>(
  administration: Administration<Base, Prefix>,
) {
  const { base, prefix, authorityOf } = administration
  const { creation, listing, revocation } = administrationDefaults(administration)
  return [
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
  ] as const
}

/**
 * The endpoints for keys and members of a workspace, for the operator and for the workspace's own admins.
 * Each change checks in its own statement that the authority still holds.
 */
export const administrationEndpoints = <const Base extends string, const Prefix extends string>(
  administration: Administration<Base, Prefix>,
) =>
  [
    ...apiKeyEndpoints(administration),
    ...partnerCredentialEndpoints(administration),
    ...encryptionKeyEndpoints(administration),
    ...memberEndpoints(administration),
  ] as const
