import { Text } from '@mantine/core'
import type { Data } from '#client/api'
import { ONE_PAGE } from './administration'
import type { CredentialKind } from './credential-kind'
import { Id } from './id'

const ENCRYPTION_KEYS_PATH = '/admin/workspace/v1/encryption-keys'

type EncryptionKey = Data<'get', typeof ENCRYPTION_KEYS_PATH>['items'][number]
type EncryptionKeySecret = Data<'post', typeof ENCRYPTION_KEYS_PATH>

export const encryptionKeys: CredentialKind<EncryptionKey, Record<string, never>, EncryptionKeySecret> = {
  resource: {
    name: 'encryption-keys',
    list: (client, signal) => client.get(ENCRYPTION_KEYS_PATH, { query: ONE_PAGE, signal }),
    create: (client, body) => client.post(ENCRYPTION_KEYS_PATH, { body }),
    revoke: (client, kid) => client.delete(`${ENCRYPTION_KEYS_PATH}/{kid}`, { params: { kid } }),
  },
  one: 'encryption key',
  many: 'encryption keys',
  purpose:
    'For programs and partners that encrypt what they send and receive, in addition to the encrypted connection that everybody has. They share the key with this service.',
  whenEmpty:
    'Nobody encrypts what is sent to this workspace. Create an encryption key when a program or partner asks for one.',
  columns: [{ label: 'Key id', cell: ({ kid }) => <Id>{kid}</Id>, isRowHeader: true }],
  idOf: ({ kid }) => kid,
  Fields: () => (
    <Text>
      The service makes up the key. Give it to the program or partner that will encrypt with it, together with
      its id.
    </Text>
  ),
  bodyOf: () => ({}),
  valuesOf: ({ key, kid }) => [
    { label: 'Encryption key', value: key },
    { label: 'Key id (kid)', value: kid },
  ],
  afterRevocation: 'What is encrypted with this key is refused within a minute.',
}
