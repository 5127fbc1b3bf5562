import { TextInput } from '@mantine/core'
import type { Body, Data } from '#client/api'
import { ONE_PAGE } from './administration'
import type { CredentialKind } from './credential-kind'
import { Id } from './id'

const API_KEYS_PATH = '/admin/workspace/v1/api-keys'

type ApiKey = Data<'get', typeof API_KEYS_PATH>['items'][number]
type NewApiKey = Body<'post', typeof API_KEYS_PATH>
type ApiKeySecret = Data<'post', typeof API_KEYS_PATH>

export const apiKeys: CredentialKind<ApiKey, NewApiKey, ApiKeySecret> = {
  resource: {
    name: 'api-keys',
    list: (client, signal) => client.get(API_KEYS_PATH, { query: ONE_PAGE, signal }),
    create: (client, body) => client.post(API_KEYS_PATH, { body }),
    revoke: (client, api_key_id) =>
      client.delete(`${API_KEYS_PATH}/{api_key_id}`, { params: { api_key_id } }),
  },
  one: 'API key',
  many: 'API keys',
  purpose:
    'For programs of your own, such as a pharmacy system that keeps the catalogs up to date. People who use only this console need none.',
  whenEmpty: 'No program has access to this workspace. Create an API key for the first one.',
  columns: [
    { label: 'Name', cell: ({ name }) => name ?? 'Without a name', isRowHeader: true },
    { label: 'Program', cell: ({ client_name }) => client_name },
    { label: 'Key id', cell: ({ api_key_id }) => <Id>{api_key_id}</Id> },
    { label: 'Client id', cell: ({ client_id }) => <Id>{client_id}</Id> },
  ],
  idOf: ({ api_key_id }) => api_key_id,
  Fields: ({ messages }) => (
    <>
      <TextInput
        name="name"
        label="Name"
        description="What the key is for, such as “Nightly price update”. It helps you to tell keys apart later."
        required
        autoComplete="off"
        error={messages.name ?? messages.client_name}
        data-autofocus
      />
      <TextInput
        name="client_id"
        label="Client id"
        description="Leave it empty for a new program: its client id and client secret are made too. For another key of a program in the list, take the client id from there."
        autoComplete="off"
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
  valuesOf: ({ api_key, client_id, client_secret }, body) => [
    { label: 'API key', value: api_key },
    { label: 'Client id', value: client_id ?? body.client_id ?? '' },
    ...(client_secret === undefined ? [] : [{ label: 'Client secret', value: client_secret }]),
  ],
  afterRevocation: 'Programs that use this key lose access within a minute.',
}
