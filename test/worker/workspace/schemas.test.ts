import { expect, it } from 'vitest'
import { newQuotaSchema, newWorkspaceSchema } from '#worker/platform/schemas'
import { newWebhookSchema } from '#worker/webhooks/schemas'
import { newApiKeySchema } from '#worker/workspace/api-keys'
import { newMemberSchema } from '#worker/workspace/members'
import { newPartnerCredentialSchema } from '#worker/workspace/partner-credentials'

const NOT_AN_ADDRESS = 'must be an email address, such as name@clinic.example'
const NOT_A_URL = 'must be an absolute https URL without a fragment (http for localhost only)'
const NOT_AN_ORIGIN =
  'must be an https origin such as https://partner.example, without a path (http for localhost only), or ' +
  'capacitor://localhost or ionic://localhost'
const UNKNOWN_SCOPE = 'must be one of catalog:read, catalog:write, search, documents, registration'

/** For each body: the wrong field, its value, and the message. */
const REFUSED = [
  {
    body: 'API key',
    schema: newApiKeySchema,
    valid: { client_id: 'a-client' },
    values: [
      ['client_name', ' ', 'is required'],
      ['scopes', [], 'must name at least one scope'],
      ['scopes', 'search', expect.stringContaining('must be a list of scopes')],
      ['scopes.1', ['search', 'workspace:admin'], UNKNOWN_SCOPE],
    ],
  },
  {
    body: 'member',
    schema: newMemberSchema,
    valid: { email: 'a@b.example', role: 'viewer' },
    values: [
      ...['asha', 'a b@clinic.example', 'a@b@clinic.example'].map((email) => ['email', email, NOT_AN_ADDRESS]),
      ['email', `${'a'.repeat(250)}@b.example`, 'must have at most 254 characters'],
      ['role', 'owner', 'must be one of viewer, editor, admin'],
    ],
  },
  {
    body: 'partner credential',
    schema: newPartnerCredentialSchema,
    valid: { issuer: 'https://partner.test' },
    values: [
      ...[
        ...['partner.test', '//partner.test', 'http://partner.test', 'http://localhost.partner.test'],
        ...['javascript:alert(1)', 'https://user:password@partner.test', 'https://partner.test#part'],
        ...[' https://partner.test', 'https://partner.test/a b'],
      ].map((issuer) => ['issuer', issuer, NOT_A_URL]),
      ['issuer', `https://partner.test/${'x'.repeat(255 - 20)}`, 'must have at most 255 characters'],
      ...[
        ...['*', '', 'partner.test', 'https://*.partner.test', 'https://partner.test/', 'https://partner.test:443'],
        ...['https://PARTNER.test', 'http://partner.test', 'https://a@partner.test'],
      ].map((origin) => ['allowed_origins.1', ['https://partner.test', origin], NOT_AN_ORIGIN]),
      ['allowed_origins', null, 'must be a list of web origins'],
      ['allowed_origins', Array.from({ length: 21 }, (_, n) => `https://${n}.test`), 'must have at most 20 origins'],
    ],
  },
] as const

it.each(REFUSED)('the schema of a new $body rejects each wrong value by its field', ({ schema, valid, values }) => {
  for (const [path, value, message] of values) {
    const { error } = schema.safeParse({ ...valid, [String(path).split('.')[0]!]: value })
    const issues = error?.issues.map((issue) => [issue.path.join('.'), issue.message])
    expect(issues?.[0], JSON.stringify(value)).toEqual([path, message])
  }
})

it.each([
  ['API key', newApiKeySchema, { client_id: 'a-client' }],
  ['partner credential', newPartnerCredentialSchema, { issuer: 'https://partner.test' }],
  ['webhook', newWebhookSchema, { url: 'https://hooks.clinic.example/' }],
  ['workspace', newWorkspaceSchema, { name: 'a workspace' }],
  ['quota', newQuotaSchema, {}],
])('the schema of a new %s rejects a misspelled property, because it would count as missing', (_, schema, valid) => {
  expect(schema.safeParse(valid).success).toBe(true)
  const { error } = schema.safeParse({ ...valid, misspelt: [] })
  expect(error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['misspelt'] }])
})
