import type * as z from 'zod'
import { CLIENT_SCOPES } from '#shared/access/caller'
import type { metadataSchema } from './schemas'

/**
 * Authorization server metadata (RFC 8414, section 2).
 *
 * No registered name says that a request also has an API key; the linked documentation does. The scopes are those of
 * client credentials, the only grant described here.
 */
export const serverMetadata = (issuer: string): z.output<typeof metadataSchema> => ({
  issuer,
  token_endpoint: `${issuer}/api/v1/auth/token`,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  scopes_supported: [...CLIENT_SCOPES],
  response_types_supported: [],
  grant_types_supported: ['client_credentials'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  service_documentation: `${issuer}/docs`,
})
