import { Textarea, TextInput } from '@mantine/core'
import type { Data } from '#client/api'
import { linesOf } from '../lines'
import { ONE_PAGE } from './administration'
import type { CredentialKind } from './credential-kind'
import { Id } from './id'

const PARTNER_CREDENTIALS_PATH = '/admin/workspace/v1/partner-credentials'

type PartnerCredential = Data<'get', typeof PARTNER_CREDENTIALS_PATH>['items'][number]
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

export const partnerCredentials: CredentialKind<
  PartnerCredential,
  NewPartnerCredential,
  PartnerCredentialSecret
> = {
  resource: {
    name: 'partner-credentials',
    list: (client, signal) => client.get(PARTNER_CREDENTIALS_PATH, { query: ONE_PAGE, signal }),
    create: (client, body) => client.post(PARTNER_CREDENTIALS_PATH, { body }),
    revoke: (client, kid) => client.delete(`${PARTNER_CREDENTIALS_PATH}/{kid}`, { params: { kid } }),
  },
  one: 'partner credential',
  many: 'partner credentials',
  purpose:
    'For partners whose own applications search your catalogs on behalf of their users. The partner’s developers ask you for one.',
  whenEmpty: 'No partner has access to this workspace. Create a partner credential for the first one.',
  columns: [
    { label: 'Issuer', cell: ({ issuer }) => <Id>{issuer}</Id>, isRowHeader: true },
    { label: 'Key id', cell: ({ kid }) => <Id>{kid}</Id> },
    { label: 'Web origins', cell: ({ allowed_origins }) => <Origins origins={allowed_origins} /> },
  ],
  idOf: ({ kid }) => kid,
  Fields: ({ messages }) => (
    <>
      <TextInput
        name="issuer"
        label="Issuer"
        description="The https address by which the partner names itself in its tokens, such as https://partner.example. Compared character by character."
        required
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        error={messages.issuer}
        data-autofocus
      />
      <Textarea
        name="allowed_origins"
        label="Allowed web origins"
        description="One per line: the sites whose pages may call this service directly, such as https://shop.partner.example. Leave empty where only the partner’s servers do."
        autosize
        minRows={2}
        spellCheck={false}
        error={messages.allowed_origins}
      />
    </>
  ),
  bodyOf: (form) => ({
    issuer: String(form.get('issuer')).trim(),
    allowed_origins: linesOf(String(form.get('allowed_origins'))),
  }),
  valuesOf: ({ secret, kid, issuer, audience }) => [
    { label: 'Secret', value: secret },
    { label: 'Key id (kid)', value: kid },
    { label: 'Issuer', value: issuer },
    { label: 'Audience', value: audience },
  ],
  afterRevocation: 'The partner’s applications that use this credential lose access within a minute.',
}
