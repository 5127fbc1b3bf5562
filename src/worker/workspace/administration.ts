import * as z from 'zod'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { configOf } from '#worker/env'
import { json } from '#worker/http/body/request-body'
import { requireWritableWorkspace } from '#worker/http/databases'
import { envelopedAs } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { pathParameter } from '#worker/http/endpoint/values'
import { encryptionKeys } from '#worker/storage/schema/control'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys'
import type { Authority } from './authority'
import { type Administration, collectionEndpoints } from './collection-endpoints'
import { createEncryptionKey, ENCRYPTION_KEY } from './encryption-keys'
import { addMember, listMembers, revokeMember } from './members'
import {
  changeAllowedOrigins,
  createPartnerCredential,
  listPartnerCredentials,
  revokePartnerCredential,
} from './partner-credentials'
import { keyUse, listLive, revokeKey } from './revocable-rows'
import {
  apiKeySchema,
  apiKeySecretSchema,
  changedOriginsSchema,
  encryptionKeySchema,
  encryptionKeySecretSchema,
  memberRoleSchema,
  memberSchema,
  newApiKeySchema,
  newMemberSchema,
  newPartnerCredentialSchema,
  partnerCredentialSchema,
  partnerCredentialSecretSchema,
  revocationSchema,
} from './schemas'

type By<Base extends string> = Administration<Base, Authority>

const SHOWN_ONCE = 'is shown once, in this answer.'
const REVOCATION = 'Takes effect within 60 seconds. Revoking it again changes nothing.'
const ONLY_ADMIN =
  'Admins can neither remove the only admin of their workspace nor change that role (409); the operator can.'

const apiKeyEndpoints = <const Base extends string>(administration: By<Base>) =>
  collectionEndpoints(administration, {
    segment: 'api-keys',
    idParameter: 'api_key_id',
    noun: 'ApiKey',
    create: {
      summary: 'Create an API key: lets a client act on the workspace',
      description:
        `The key ${SHOWN_ONCE} With \`client_name\` in place of \`client_id\`, a client is made too, and its ` +
        'secret is in the answer. An admin may name only clients that have, or had, a key of the workspace.',
      body: newApiKeySchema,
      answer: envelopedAs('API key created. It is not shown again.', apiKeySecretSchema),
      run: createApiKey,
    },
    list: {
      summary: 'List the API keys of the workspace that can be used, oldest first',
      description: 'Without the keys themselves.',
      message: 'API keys.',
      itemSchema: apiKeySchema,
      run: listApiKeys,
    },
    remove: {
      summary: 'Revoke an API key and its access tokens',
      description: REVOCATION,
      answer: envelopedAs('API key revoked.', revocationSchema),
      run: revokeApiKey,
    },
  })

const partnerCredentialEndpoints = <const Base extends string>(administration: By<Base>) =>
  collectionEndpoints(administration, {
    segment: 'partner-credentials',
    idParameter: 'kid',
    noun: 'PartnerCredential',
    create: {
      summary: 'Create a partner credential: lets a partner make tokens for its users',
      description: `The secret ${SHOWN_ONCE}`,
      body: newPartnerCredentialSchema,
      answer: envelopedAs('Partner credential created. Its secret is not shown again.', partnerCredentialSecretSchema),
      run: async (authority, input, now, { env }) =>
        createPartnerCredential(authority, await masterKeysOf(env), input, configOf(env).partnerAudience, now),
    },
    list: {
      summary: 'List the partner credentials of the workspace that are not revoked, oldest first',
      description: 'Without their secrets.',
      message: 'Partner credentials.',
      itemSchema: partnerCredentialSchema,
      run: (authority, page, { env }) => listPartnerCredentials(authority, configOf(env).partnerAudience, page),
    },
    remove: {
      summary: 'Revoke a partner credential, its tokens and the access tokens exchanged for them',
      description: REVOCATION,
      answer: envelopedAs('Partner credential revoked.', revocationSchema),
      run: revokePartnerCredential,
    },
  })

const changeOrigins = <const Base extends string>(administration: By<Base>) =>
  endpoint(
    {
      tag: administration.tag,
      access: administration.access,
      method: 'put',
      path: `${administration.base}/partner-credentials/{kid}`,
      operationId: `change${administration.prefix}PartnerCredentialOrigins`,
      summary: 'Change the web origins of a partner credential',
      description: 'The secret and the tokens stay as they are. Takes effect within 60 seconds.',
      body: json(changedOriginsSchema),
      answer: envelopedAs('Origins changed.', partnerCredentialSchema),
      errors: ['not_found'],
      writes: true,
    },
    async ({ c, body, now }) => {
      requireWritableWorkspace(c)
      const authority = await administration.adminOf(c, now)
      const { partnerAudience } = configOf(c.env)
      return changeAllowedOrigins(authority, pathParameter(c, 'kid'), body.allowed_origins, partnerAudience, now)
    },
  )

/** Shared keys of encrypted bodies. */
const encryptionKeyEndpoints = <const Base extends string>(administration: By<Base>) =>
  collectionEndpoints(administration, {
    segment: 'encryption-keys',
    idParameter: 'kid',
    noun: 'EncryptionKey',
    create: {
      summary: 'Create a shared key for encrypted bodies',
      description: `The key ${SHOWN_ONCE}`,
      body: z.object({}),
      answer: envelopedAs('Encryption key created. It is not shown again.', encryptionKeySecretSchema),
      run: async (authority, _, now, { env }) => createEncryptionKey(authority, await masterKeysOf(env), now),
    },
    list: {
      summary: 'List the encryption keys of the workspace that are not revoked, oldest first',
      description: 'Without the keys themselves.',
      message: 'Encryption keys.',
      itemSchema: encryptionKeySchema,
      run: (authority, page) =>
        listLive(authority, encryptionKeys, { kid: encryptionKeys.kid, ...keyUse(encryptionKeys) }, page),
    },
    remove: {
      summary: 'Revoke an encryption key',
      description: REVOCATION,
      answer: envelopedAs('Encryption key revoked.', revocationSchema),
      run: (authority, kid, now) => revokeKey(authority, ENCRYPTION_KEY, kid, now),
    },
  })

const memberEndpoints = <const Base extends string>(administration: By<Base>) =>
  collectionEndpoints(administration, {
    segment: 'members',
    idParameter: 'email',
    noun: 'Member',
    create: {
      verb: 'add',
      summary: 'Add a member to the workspace, or give a member another role',
      description:
        'The role is for everybody who logs in with this verified email address, in upper or lower case. A ' +
        '`viewer` reads, an `editor` also writes and switches search, an `admin` also manages keys and members. ' +
        ONLY_ADMIN,
      body: newMemberSchema,
      answer: envelopedAs('Member added.', memberRoleSchema),
      run: addMember,
    },
    list: {
      summary: 'List the members of the workspace, oldest first',
      description: 'With their roles.',
      message: 'Members.',
      itemSchema: memberSchema,
      run: listMembers,
    },
    remove: {
      summary: 'Revoke a membership and its access tokens',
      description: `${REVOCATION} ${ONLY_ADMIN}`,
      errors: ['conflict'],
      answer: envelopedAs('Member revoked.', revocationSchema),
      run: revokeMember,
    },
  })

/** The endpoints for keys and members of a workspace, for the operator and for the workspace's own admins. */
export const administrationEndpoints = <const Base extends string>(administration: By<Base>) =>
  [
    ...apiKeyEndpoints(administration),
    ...partnerCredentialEndpoints(administration),
    changeOrigins(administration),
    ...encryptionKeyEndpoints(administration),
    ...memberEndpoints(administration),
  ] as const
