import { Text } from '@mantine/core'
import type { EncryptionKey, EncryptionKeySecret } from '#workspace/schemas'
import type { CredentialKind } from './credential-kind'
import { Id } from './id'

export const encryptionKeys: CredentialKind<EncryptionKey, object, EncryptionKeySecret> = {
  resource: 'encryption-keys',
  one: 'encryption key',
  many: 'encryption keys',
  purpose:
    'For programs and partners that encrypt what they send and receive, in addition to the encrypted connection that everybody has. They share the key with this service.',
  whenEmpty:
    'Nobody encrypts what is sent to this workspace. Create an encryption key for whoever asks for one.',
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
