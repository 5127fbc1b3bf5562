import * as z from 'zod'
import { CLIENT_SCOPES, SCOPES } from '#shared/access/caller'
import { required, text } from '#worker/http/endpoint/values'

/** Longer than any identifier or secret of the service, in characters. */
const MAX_CREDENTIAL_LENGTH = 512

const shortTextSchema = text().max(MAX_CREDENTIAL_LENGTH, `must have at most ${MAX_CREDENTIAL_LENGTH} characters`)

const credential = (description: string) => shortTextSchema.min(1, 'is required').meta({ description })

const requestedScope = (description: string) => shortTextSchema.optional().meta({ description })

export const tokenRequestSchema = z.object({
  client_id: credential('Identifier of the client.'),
  client_secret: credential('Secret of the client.'),
  grant_type: z.literal('client_credentials', required('must be client_credentials')),
  scope: requestedScope('Requests fewer scopes than the API key has, separated by spaces.'),
  api_key: credential('API key, from a client that cannot send the header X-API-KEY.').optional(),
})

export const tokenBodySchema = tokenRequestSchema.partial({ client_id: true, client_secret: true }).meta({
  example: { client_id: 'dcs_client_example', client_secret: 'dcs_secret_example', grant_type: 'client_credentials' },
})

export const tokenRequestHeadersSchema = z.object({
  'X-API-KEY': z.string().optional().meta({
    description: 'API key; selects the workspace. Clients that cannot send it put `api_key` into the body.',
  }),
})

export const sessionRequestSchema = z.strictObject({
  scope: requestedScope('Requests fewer scopes than the partner token has, separated by spaces.'),
})

/** RFC 6749, section 5.1. */
export const tokenResponseSchema = z.strictObject({
  access_token: z.string().meta({ description: 'A JWT (RFC 9068), signed with ES256.' }),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Lifetime in seconds.' }),
  scope: z.string().meta({ description: `Permissions, separated by spaces: ${SCOPES.join(', ')}.` }),
})

/** RFC 7517, section 5; RFC 7518, section 6.2.1: public keys only. */
export const jwksSchema = z.strictObject({
  keys: z.array(
    z.strictObject({
      kty: z.literal('EC'),
      crv: z.literal('P-256'),
      x: z.string(),
      y: z.string(),
      kid: z.string(),
      alg: z.literal('ES256'),
      use: z.literal('sig'),
    }),
  ),
})

/** RFC 8414, section 2. */
export const metadataSchema = z.strictObject({
  issuer: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  scopes_supported: z.array(z.enum(CLIENT_SCOPES)),
  response_types_supported: z.array(z.string()),
  grant_types_supported: z.array(z.literal('client_credentials')),
  token_endpoint_auth_methods_supported: z.array(z.enum(['client_secret_basic', 'client_secret_post'])),
  service_documentation: z.url(),
})
