import { Text, Textarea, TextInput } from '@mantine/core'
import type { Body, Data } from '#client/api'
import type { FieldMessages } from '../widgets/form'
import type { Column } from '../widgets/item-table'
import { authorText, linesOf, timeText } from '../wording'
import { type AccessKind, Id } from './access-list'
import { ONE_PAGE } from './use-items'

interface KeyUse {
  created_by: string | null
  created_at: string
  last_used_at: string | null
}

const USE_COLUMNS: readonly Column<KeyUse>[] = [
  {
    label: 'Last used',
    // The service only stores the hour.
    cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : timeText(last_used_at)),
    className: 'time-cell',
  },
  {
    label: 'Created',
    cell: ({ created_at, created_by }) => (
      <>
        <span className="time-cell">{timeText(created_at)}</span>
        {created_by !== null && (
          <Text size="xs" c="dimmed" className="breakable">
            by {authorText(created_by)}
          </Text>
        )}
      </>
    ),
  },
]

interface CredentialKind<Item, Body, Created>
  extends Omit<AccessKind<Item, Body, Created>, 'create' | 'nameOf' | 'end' | 'consequence' | 'secretOf'>,
    Required<Pick<AccessKind<Item, Body, Created>, 'secretOf'>> {
  afterRevocation: string
}

const credentialKind = <Item extends KeyUse, Body, Created>(
  kind: CredentialKind<Item, Body, Created>,
): AccessKind<Item, Body, Created> => ({
  ...kind,
  create: `Create ${kind.one}`,
  columns: [...kind.columns, ...USE_COLUMNS],
  nameOf: (item) => `${kind.one} ${kind.idOf(item)}`,
  end: 'Revoke',
  consequence: () => <Text>{kind.afterRevocation} It cannot be undone.</Text>,
})

const ENCRYPTION_KEYS_PATH = '/admin/workspace/v1/encryption-keys'

type EncryptionKey = Data<'get', typeof ENCRYPTION_KEYS_PATH>['items'][number]
type EncryptionKeySecret = Data<'post', typeof ENCRYPTION_KEYS_PATH>

export const encryptionKeys = credentialKind<EncryptionKey, Record<string, never>, EncryptionKeySecret>({
  resource: {
    name: 'encryption-keys',
    list: (client, signal) => client.get(ENCRYPTION_KEYS_PATH, { query: ONE_PAGE, signal }),
    create: (client, body) => client.post(ENCRYPTION_KEYS_PATH, { body }),
    revoke: (client, kid) => client.delete(`${ENCRYPTION_KEYS_PATH}/{kid}`, { params: { kid } }),
  },
  one: 'encryption key',
  many: 'encryption keys',
  purpose:
    'For integrations and partners that encrypt request and response bodies in addition to HTTPS. They share the key ' +
    'with this service.',
  whenEmpty: 'No encryption keys yet. Create one when an integration or partner asks for it.',
  columns: [{ label: 'Key ID', cell: ({ kid }) => <Id>{kid}</Id>, isRowHeader: true }],
  idOf: ({ kid }) => kid,
  Fields: () => (
    <Text>
      The service creates the key. Give it, together with its ID, to the integration or partner that encrypts with it.
    </Text>
  ),
  bodyOf: () => ({}),
  secretOf: ({ key, kid }) => [
    { label: 'Encryption key', value: key },
    { label: 'Key ID (kid)', value: kid },
  ],
  afterRevocation: 'Requests that are encrypted with this key are rejected within a minute.',
})

const API_KEYS_PATH = '/admin/workspace/v1/api-keys'

type ApiKey = Data<'get', typeof API_KEYS_PATH>['items'][number]
type NewApiKey = Body<'post', typeof API_KEYS_PATH>
type ApiKeySecret = Data<'post', typeof API_KEYS_PATH>

export const apiKeys = credentialKind<ApiKey, NewApiKey, ApiKeySecret>({
  resource: {
    name: 'api-keys',
    list: (client, signal) => client.get(API_KEYS_PATH, { query: ONE_PAGE, signal }),
    create: (client, body) => client.post(API_KEYS_PATH, { body }),
    revoke: (client, api_key_id) => client.delete(`${API_KEYS_PATH}/{api_key_id}`, { params: { api_key_id } }),
  },
  one: 'API key',
  many: 'API keys',
  purpose:
    'For your own integrations, such as a pharmacy system that keeps the catalogs up to date. Users of this console ' +
    'do not need one.',
  whenEmpty: 'No API keys yet. Create one for the first integration.',
  columns: [
    { label: 'Name', cell: ({ name }) => name ?? 'Without a name', isRowHeader: true, className: 'name-cell' },
    { label: 'Integration', cell: ({ client_name }) => client_name, className: 'name-cell' },
    { label: 'Key ID', cell: ({ api_key_id }) => <Id>{api_key_id}</Id> },
    { label: 'Client ID', cell: ({ client_id }) => <Id>{client_id}</Id> },
  ],
  idOf: ({ api_key_id }) => api_key_id,
  Fields: ({ messages }) => (
    <>
      <TextInput
        name="name"
        label="Name"
        description="What the key is for, such as “Nightly price update”. It helps you to tell keys apart later."
        required
        error={messages.name ?? messages.client_name}
        data-autofocus
      />
      <TextInput
        name="client_id"
        label="Client ID"
        description={
          'Leave empty for a new integration. This also creates a client ID and a client secret. To add a key to an ' +
          'integration in the list, enter its client ID.'
        }
        spellCheck={false}
        error={messages.client_id}
      />
    </>
  ),
  bodyOf: (form) => {
    const name = String(form.get('name')).trim()
    const client_id = String(form.get('client_id')).trim()
    return client_id === '' ? { client_name: name, name } : { client_id, ...(name !== '' && { name }) }
  },
  secretOf: ({ api_key, client_id, client_secret }, body) => [
    { label: 'API key', value: api_key },
    { label: 'Client ID', value: client_id ?? body.client_id ?? '' },
    ...(client_secret === undefined ? [] : [{ label: 'Client secret', value: client_secret }]),
  ],
  afterRevocation: 'Programs that use this key lose access within a minute.',
})

export const PARTNER_CREDENTIALS_PATH = '/admin/workspace/v1/partner-credentials'

export type PartnerCredential = Data<'get', typeof PARTNER_CREDENTIALS_PATH>['items'][number]
type NewPartnerCredential = { issuer: string; allowed_origins: string[] }
type PartnerCredentialSecret = Data<'post', typeof PARTNER_CREDENTIALS_PATH>

const Origins = ({ origins }: { origins: readonly string[] }) =>
  origins.length === 0
    ? 'None'
    : origins.map((origin) => (
        <div key={origin} className="breakable">
          {origin}
        </div>
      ))

export const originsIn = (form: FormData): string[] => linesOf(String(form.get('allowed_origins')))

export const OriginsInput = ({ messages, origins = [] }: { messages: FieldMessages; origins?: readonly string[] }) => (
  <Textarea
    name="allowed_origins"
    label="Allowed web origins"
    description={
      'One per line: the sites whose pages may call this service directly, such as ' +
      'https://shop.partner.example. Leave it empty if only the partner’s servers call it.'
    }
    autosize
    minRows={2}
    spellCheck={false}
    defaultValue={origins.join('\n')}
    error={messages.allowed_origins}
  />
)

export const partnerCredentials = credentialKind<PartnerCredential, NewPartnerCredential, PartnerCredentialSecret>({
  resource: {
    name: 'partner-credentials',
    list: (client, signal) => client.get(PARTNER_CREDENTIALS_PATH, { query: ONE_PAGE, signal }),
    create: (client, body) => client.post(PARTNER_CREDENTIALS_PATH, { body }),
    revoke: (client, kid) => client.delete(`${PARTNER_CREDENTIALS_PATH}/{kid}`, { params: { kid } }),
  },
  one: 'partner credential',
  many: 'partner credentials',
  purpose:
    'For partners whose own applications search your catalogs on behalf of their users. The partner’s ' +
    'developers ask you for one.',
  whenEmpty: 'No partner has access to this workspace. Create a partner credential for the first one.',
  columns: [
    { label: 'Issuer', cell: ({ issuer }) => <Id>{issuer}</Id>, isRowHeader: true },
    { label: 'Key ID', cell: ({ kid }) => <Id>{kid}</Id> },
    { label: 'Web origins', cell: ({ allowed_origins }) => <Origins origins={allowed_origins} /> },
  ],
  idOf: ({ kid }) => kid,
  Fields: ({ messages }) => (
    <>
      <TextInput
        name="issuer"
        label="Issuer"
        description={
          'The https address by which the partner names itself in its tokens, such as ' +
          'https://partner.example. Compared character by character.'
        }
        required
        inputMode="url"
        spellCheck={false}
        error={messages.issuer}
        data-autofocus
      />
      <OriginsInput messages={messages} />
    </>
  ),
  bodyOf: (form) => ({
    issuer: String(form.get('issuer')).trim(),
    allowed_origins: originsIn(form),
  }),
  secretOf: ({ secret, kid, issuer, audience }) => [
    { label: 'Secret', value: secret },
    { label: 'Key ID (kid)', value: kid },
    { label: 'Issuer', value: issuer },
    { label: 'Audience', value: audience },
  ],
  afterRevocation: 'The partner’s applications that use this credential lose access within a minute.',
})
