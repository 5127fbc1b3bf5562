import * as z from 'zod'
import { CLIENT_SCOPES, ROLES } from '#shared/access/caller'
import { LOOPBACK_HOSTS } from '#shared/access/loopback-hosts'
import { MAX_ADDRESS_LENGTH, MAX_ALLOWED_ORIGINS, MAX_EMAIL_LENGTH } from '#shared/limits'
import { atMost, oneOf, required, text, timestampSchema } from '#worker/http/endpoint/values'

const MAX_NAME_LENGTH = 200

export const nameTextSchema = text()
  .refine((value) => value.trim() !== '', { error: 'is required', abort: true, params: { code: 'required' } })
  .refine(...atMost(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`))
  .refine((value) => !value.includes('\0') && value.isWellFormed(), {
    error: 'must be valid Unicode without U+0000',
    params: { code: 'malformed' },
  })
  .meta({ description: 'For people.', minLength: 1, maxLength: MAX_NAME_LENGTH })

const scopesSchema = z.array(oneOf(CLIENT_SCOPES), {
  error: `must be a list of scopes; the scopes are ${CLIENT_SCOPES.join(', ')}`,
})

export const newApiKeySchema = z
  .strictObject({
    client_id: text()
      .min(1, 'is required')
      .optional()
      .meta({ description: 'The client that may use the key; required without `client_name`.' }),
    client_name: nameTextSchema
      .optional()
      .meta({ description: 'In place of `client_id`: a new client with this name is made for the key.' }),
    scopes: scopesSchema
      .min(1, 'must name at least one scope')
      .max(CLIENT_SCOPES.length, 'must name each scope once')
      .optional()
      .meta({ description: 'Permissions of access tokens of the key; all of them by default.' }),
    name: nameTextSchema.optional().meta({ description: 'What the key is for.' }),
  })
  .meta({ example: { client_id: 'dcs_client_example', scopes: ['catalog:read', 'search'], name: 'Reports' } })

/** The URL, if it is absolute, has https (or stays on this machine) and holds no user name or password. */
function safeUrl(value: string): URL | undefined {
  if (!/^https?:\/\/[^\s\\]+$/i.test(value) || !URL.canParse(value)) return undefined
  const url = new URL(value)
  // Parsers accept a wildcard as a name, but it would match no host.
  if (url.username !== '' || url.password !== '' || url.hostname.includes('*')) return undefined
  return url.protocol === 'https:' || LOOPBACK_HOSTS.includes(url.hostname) ? url : undefined
}

const issuerSchema = text()
  .min(1, { error: 'is required', abort: true })
  .max(MAX_ADDRESS_LENGTH, `must have at most ${MAX_ADDRESS_LENGTH} characters`)
  .refine((value) => safeUrl(value)?.hash === '' && !value.includes('#'), {
    error: 'must be an absolute https URL without a fragment (http for localhost only)',
  })
  .meta({ description: '`iss` of the partner’s tokens, compared character by character.', format: 'uri' })

/** What the pages of hybrid apps send: Capacitor on iOS, and Ionic. Anybody can make an app that sends them. */
const APP_ORIGINS: readonly string[] = ['capacitor://localhost', 'ionic://localhost']

/** As browsers send it in `Origin`: scheme, host and port, and nothing after them. */
const originSchema = text()
  .max(MAX_ADDRESS_LENGTH, `must have at most ${MAX_ADDRESS_LENGTH} characters`)
  .refine((value) => safeUrl(value)?.origin === value || APP_ORIGINS.includes(value), {
    error:
      'must be an https origin such as https://partner.example, without a path (http for localhost only), or ' +
      APP_ORIGINS.join(' or '),
  })
  .meta({ description: 'A web origin, exactly as browsers send it.' })

const originsSchema = z
  .array(originSchema, { error: 'must be a list of web origins' })
  .max(MAX_ALLOWED_ORIGINS, `must have at most ${MAX_ALLOWED_ORIGINS} origins`)
  .refine((origins) => new Set(origins).size === origins.length, { error: 'must name each origin once' })
  .meta({ description: 'Web origins whose pages may call the service with the partner’s tokens.' })

export const newPartnerCredentialSchema = z.strictObject({
  issuer: issuerSchema,
  allowed_origins: originsSchema.default([]),
})

export const changedOriginsSchema = z.strictObject({ allowed_origins: originsSchema })

const NO_EMAIL = 'must be an email address, such as name@clinic.example'

export const newMemberSchema = z.object({
  email: text()
    .min(1, { error: 'is required', abort: true })
    .max(MAX_EMAIL_LENGTH, `must have at most ${MAX_EMAIL_LENGTH} characters`)
    // The login provider checks the address. These checks only refuse texts that cannot be one.
    .refine((value) => /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(value), { error: NO_EMAIL })
    .refine((value) => value.isWellFormed(), { error: NO_EMAIL, params: { code: 'malformed' } })
    .meta({ description: 'Stored in lower case.', format: 'email' }),
  role: z.enum(ROLES, required(`must be one of ${ROLES.join(', ')}`)),
})

const keyUseMembers = {
  created_by: z.string().nullable().meta({
    description: '`operator`, or `user:` and an email address; null when it is not known.',
    example: 'operator',
  }),
  created_at: timestampSchema,
  last_used_at: timestampSchema
    .nullable()
    .meta({ description: 'Start of the hour in which the key was last used; null before the first use.' }),
}

const apiKeyRights = {
  scopes: scopesSchema,
  name: z.string().nullable().meta({ description: 'What the key is for.', example: 'Reports' }),
}

export const apiKeySchema = z.strictObject({
  api_key_id: z.string(),
  client_id: z.string(),
  client_name: z.string().meta({ description: 'For people.' }),
  ...apiKeyRights,
  ...keyUseMembers,
})

export const apiKeySecretSchema = z.strictObject({
  api_key_id: z.string(),
  api_key: z.string().meta({ description: 'Shown this once.' }),
  ...apiKeyRights,
  client_id: z.string().optional().meta({ description: 'Of the client that was made for the key.' }),
  client_secret: z.string().optional().meta({ description: 'Of that client. Shown this once.' }),
})

const partnerCredential = {
  kid: z.string().meta({ description: 'Key id: `kid` in the protected header of a token.' }),
  issuer: z.string().meta({ description: '`iss` of the tokens.' }),
  audience: z.string().meta({ description: '`aud` of the tokens.' }),
  allowed_origins: z.array(z.string()),
}

export const partnerCredentialSchema = z.strictObject({ ...partnerCredential, ...keyUseMembers })

export const partnerCredentialSecretSchema = z.strictObject({
  ...partnerCredential,
  secret: z.string().meta({ description: 'Base64url of the 32-byte key. Shown this once.' }),
})

export const encryptionKeySchema = z.strictObject({ kid: z.string(), ...keyUseMembers })

export const encryptionKeySecretSchema = z.strictObject({
  kid: z.string().meta({ description: 'Key id: `kid` of an encrypted body.' }),
  key: z.string().meta({ description: 'The shared key string, 16 characters. Shown this once.' }),
})

const memberRole = { email: z.string().meta({ description: 'In lower case.' }), role: z.enum(ROLES) }

export const memberRoleSchema = z.strictObject(memberRole)

export const memberSchema = z.strictObject({ ...memberRole, created_at: timestampSchema })

export const revocationSchema = z.strictObject({ revoked: z.literal(true) })

export type Revocation = z.output<typeof revocationSchema>
export const REVOKED: Revocation = { revoked: true }

export type NewApiKey = z.output<typeof newApiKeySchema>
export type NewPartnerCredential = z.output<typeof newPartnerCredentialSchema>
export type MemberRole = z.output<typeof memberRoleSchema>
export type ApiKey = z.output<typeof apiKeySchema>
export type ApiKeySecret = z.output<typeof apiKeySecretSchema>
export type PartnerCredential = z.output<typeof partnerCredentialSchema>
export type PartnerCredentialSecret = z.output<typeof partnerCredentialSecretSchema>
export type EncryptionKey = z.output<typeof encryptionKeySchema>
export type EncryptionKeySecret = z.output<typeof encryptionKeySecretSchema>
export type Member = z.output<typeof memberSchema>
