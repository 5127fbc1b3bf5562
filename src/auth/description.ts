import { PARTNER_SCOPES } from '#auth/partner/caller'
import type { Endpoint } from '#http/endpoint'
import {
  jwksSchema,
  metadataSchema,
  tokenRequestHeadersSchema,
  tokenRequestSchema,
  tokenResponseSchema,
} from './schemas'

export const authEndpoints: readonly Endpoint[] = [
  {
    method: 'post',
    path: '/api/v1/auth/token',
    operationId: 'createAccessToken',
    tag: 'Authentication',
    summary: 'Exchange client credentials for an access token',
    description:
      'The API key selects the workspace that the token acts on. Errors also carry `error`, the OAuth 2.0 code ' +
      '(RFC 6749, section 5.2): `invalid_request`, `invalid_client` or `unsupported_grant_type`.',
    access: 'none',
    headers: tokenRequestHeadersSchema,
    body: { 'application/json': tokenRequestSchema },
    response: { 'application/json': tokenResponseSchema },
    errors: ['invalid_request', 'unauthorized', 'unsupported_media_type', 'rate_limited'],
  },
  {
    method: 'post',
    path: '/api/v1/auth/session',
    operationId: 'exchangePartnerToken',
    tag: 'Authentication',
    summary: 'Exchange a partner token for an access token of 15 minutes',
    description:
      'So that a widget makes many calls on one partner token. The access token has the same `sub` and the scopes ' +
      `\`${PARTNER_SCOPES.join(' ')}\`, and ends with the partner credential. No body is needed.`,
    access: 'partner',
    response: { 'application/json': tokenResponseSchema },
    errors: ['invalid_request', 'unauthorized', 'rate_limited'],
  },
  {
    method: 'get',
    path: '/.well-known/jwks.json',
    operationId: 'getSigningKeys',
    tag: 'Authentication',
    summary: 'Public keys that verify access tokens',
    description: 'A JWK Set (RFC 7517).',
    access: 'none',
    response: { 'application/json': jwksSchema },
    errors: [],
  },
  {
    method: 'get',
    path: '/.well-known/oauth-authorization-server',
    operationId: 'getAuthorizationServerMetadata',
    tag: 'Authentication',
    summary: 'Metadata of the authorization server',
    description: 'RFC 8414.',
    access: 'none',
    response: { 'application/json': metadataSchema },
    errors: [],
  },
]
