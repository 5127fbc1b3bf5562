import * as z from 'zod'
import { type MasterKeys, masterKeysOf } from '#worker/crypto/master-keys'
import { randomAlphanumeric, randomId } from '#worker/crypto/random'
import { rowContext, seal } from '#worker/crypto/seal'
import { envelopedAs } from '#worker/http/endpoint/answers'
import { requireMasterKeys } from '#worker/storage/lookup-keys'
import { encryptionKeys } from '#worker/storage/schema/control'
import type { AdminContext } from './admin-context'
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

const encryptionKeySchema = z.strictObject({ kid: z.string(), ...keyUseMembers })

const encryptionKeySecretSchema = z.strictObject({
  kid: z.string().meta({ description: 'Key ID: `kid` of an encrypted body.' }),
  key: z.string().meta({ description: 'The shared key string, 16 characters. Shown only once.' }),
})

export type EncryptionKeySecret = z.output<typeof encryptionKeySecretSchema>

/** Characters of a shared key string. Twice the string is the 32-byte key of A128CBC-HS256. */
const KEY_LENGTH = 16

const ENCRYPTION_KEY: RevocableRows = {
  table: encryptionKeys,
  id: encryptionKeys.kid,
  quota: 'encryption_keys',
  noun: 'encryption key with this kid',
  secret: 'sealedKey',
}

async function createEncryptionKey(admin: AdminContext, masterKeys: MasterKeys, now: Date) {
  const kid = randomId('dcs_enckey_')
  const key = randomAlphanumeric(KEY_LENGTH)
  const keys = await requireMasterKeys(admin.database, masterKeys)
  const sealedKey = await seal(keys, rowContext('encryption_keys', kid), key)
  const { workspaceId, actor: createdBy } = admin
  const row = { kid, workspaceId, sealedKey, createdBy, createdAt: now.getTime() }
  const room = roomFor(admin, ENCRYPTION_KEY, kid)
  await insertRevocableRow(admin, [room], (insert) => [insert(encryptionKeys, row)], now)
  return { kid, key }
}

export const encryptionKeyEndpoints = <const Base extends string>(administration: Administration<Base, AdminContext>) =>
  collectionEndpoints(administration, {
    segment: 'encryption-keys',
    idParameter: 'kid',
    noun: 'EncryptionKey',
    create: {
      summary: 'Create a shared key for encrypted bodies',
      description: 'The key is shown once, in this response.',
      body: z.strictObject({}),
      answer: envelopedAs('Encryption key created. It is not shown again.', encryptionKeySecretSchema),
      run: async (admin, _, now, { env }) => createEncryptionKey(admin, await masterKeysOf(env), now),
    },
    list: {
      summary: 'List the encryption keys of the workspace that are not revoked, oldest first',
      description: 'The response does not contain the keys themselves.',
      message: 'Encryption keys.',
      itemSchema: encryptionKeySchema,
      run: (admin, page) =>
        listLive(admin, encryptionKeys, { kid: encryptionKeys.kid, ...keyUse(encryptionKeys) }, page),
    },
    remove: revocation('Revoke an encryption key', 'Encryption key revoked.', (admin: AdminContext, kid, now) =>
      revokeKey(admin, ENCRYPTION_KEY, kid, now),
    ),
  })
