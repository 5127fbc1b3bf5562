import type * as z from 'zod'
import { CLIENT_SCOPES, type Scope } from '#shared/access/caller'
import { ApiError, fieldError } from '#shared/errors/errors'
import { configOf } from '#worker/env'
import { optionalJson } from '#worker/http/body/request-body'
import type { AppContext } from '#worker/http/context'
import { controlDatabaseOf } from '#worker/http/databases'
import { bare } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { addressOf, limitRate } from '#worker/http/limits/rate-limit'
import { addToLog } from '#worker/http/log'
import { timedCache } from '#worker/storage/timed-cache'
import { anyone, clientOrAnyone, partnerToken } from './access'
import { tokenAnswer } from './access-token'
import { CLIENT_ID_PREFIX, exchangeClientCredentials } from './client-credentials'
import { storeLastUse } from './last-use'
import { PARTNER_SCOPES } from './partner/verify-partner'
import {
  jwksSchema,
  metadataSchema,
  sessionRequestSchema,
  tokenRequestHeadersSchema,
  tokenResponseSchema,
} from './schemas'
import { signingKeysOf } from './signing-keys'
import { tokenRequestBody } from './token-request'

/**
 * The scopes of a credential, or those that the request asks for (RFC 6749, section 3.3).
 *
 * @throws ApiError 400 `invalid_scope`
 */
function grantedScopes(
  credential: 'API key' | 'partner token',
  permittedScopes: readonly Scope[],
  requestedScopes: string | undefined,
): readonly Scope[] {
  if (requestedScopes === undefined) return permittedScopes
  const names = new Set(requestedScopes.split(' ').filter((name) => name !== ''))
  const scopes = permittedScopes.filter((scope) => names.has(scope))
  if (scopes.length === names.size && names.size > 0) return scopes
  throw new ApiError('invalid_request', `The request asks for a scope that the ${credential} does not have.`, {
    oauth: 'invalid_scope',
    errors: [
      fieldError(
        null,
        'scope',
        'not_allowed',
        `must name scopes of the ${credential}, separated by spaces; they are: ${permittedScopes.join(' ')}`,
        requestedScopes,
      ),
    ],
  })
}

const authentication = { tag: 'Authentication' } as const

/** The form of our own IDs. Any other text may be a misplaced secret, and is not logged. */
const CLIENT_ID = new RegExp(`^${CLIENT_ID_PREFIX}[\\w-]{1,64}$`)

const PUBLIC_CACHE = 'public, max-age=300'

/** The clients and addresses seen by this isolate in the last minute. */
const seenClients = timedCache<true>(60_000, 10_000)

/**
 * Limits the requests of a client from one address, and the distinct clients from one address. So no one can try many
 * IDs from one place, and a job with a wrong secret only locks out itself.
 *
 * @throws ApiError 429
 */
async function limitGuessing(c: AppContext, clientId: string): Promise<void> {
  const address = addressOf(c)
  const client = `${clientId}:${address}`
  // OAuth 2.0 has no error code for this case. The status shows it.
  const count = (key: string) => limitRate(c.env.TOKEN_RATE_LIMIT, key, 'Too many token requests.', 'invalid_request')
  await count(client)
  if (address === '' || seenClients.has(client)) return
  await count(`address ${address}`)
  seenClients.set(client, true)
}

const createAccessToken = endpoint(
  {
    tag: 'Core',
    method: 'post',
    path: '/api/v1/auth/token',
    operationId: 'createAccessToken',
    summary: 'Exchange client credentials for an access token',
    description:
      'The API key selects the workspace that the token acts on. The body is JSON, or a form as in OAuth 2.0; a ' +
      'form may have further parameters. The client may also use HTTP Basic (RFC 6749, section 2.3.1), with both ' +
      'parts form-encoded. Two different values for one parameter, and a parameter that is sent twice, return ' +
      '400. Errors also carry `error`, the OAuth 2.0 code (RFC 6749, section 5.2): `invalid_request`, ' +
      '`invalid_client`, `invalid_scope` or `unsupported_grant_type`. The token has the scopes of the API key, or ' +
      'only those of them that `scope` names.',
    access: clientOrAnyone,
    headers: tokenRequestHeadersSchema,
    body: tokenRequestBody,
    oauthErrors: true,
    answer: bare(tokenResponseSchema),
    errors: ['unauthorized', 'forbidden', 'rate_limited'],
  },
  async ({ c, body, now }) => {
    if (CLIENT_ID.test(body.clientId)) addToLog(c, { client: body.clientId })
    await limitGuessing(c, body.clientId)
    const { grant, key: apiKey } = await exchangeClientCredentials(controlDatabaseOf(c), body)
    const scopes = grantedScopes('API key', apiKey.scopes, body.scope)
    addToLog(c, { key: apiKey.apiKeyId })
    storeLastUse(c, 'api_keys', apiKey.apiKeyId, apiKey, now)
    return tokenAnswer(c, grant, scopes)
  },
)

const exchangePartnerToken = endpoint(
  {
    ...authentication,
    method: 'post',
    path: '/api/v1/auth/session',
    operationId: 'exchangePartnerToken',
    summary: 'Exchange a partner token for an access token of 15 minutes',
    description:
      'A widget can then send many requests with one partner token. The access token has the same `sub` and the ' +
      `scopes \`${PARTNER_SCOPES.join(' ')}\`, or those of them that \`scope\` names, and stops working when the ` +
      'partner credential is revoked. No body is needed. A scope that the partner token does not have returns 400 ' +
      'with the `error` `invalid_scope`.',
    access: partnerToken,
    body: optionalJson(sessionRequestSchema),
    answer: bare(tokenResponseSchema),
  },
  ({ c, body }) => {
    const { workspaceId, partner } = c.var.caller
    if (!partner) throw new Error('a partner token without a partner')
    const grant = { workspace_id: workspaceId, partner_kid: partner.kid, sub: partner.subject }
    return tokenAnswer(c, grant, grantedScopes('partner token', PARTNER_SCOPES, body.scope))
  },
)

const getSigningKeys = endpoint(
  {
    ...authentication,
    method: 'get',
    path: '/.well-known/jwks.json',
    operationId: 'getSigningKeys',
    summary: 'Get the public keys that verify access tokens',
    description: 'Returns a JWK Set (RFC 7517).',
    access: anyone,
    answer: bare(jwksSchema),
  },
  async ({ c }) => {
    c.header('Cache-Control', PUBLIC_CACHE)
    return (await signingKeysOf(c.env)).jwks
  },
)

/** RFC 8414, section 2. The linked documentation describes the additional API key. */
const serverMetadata = (issuer: string): z.output<typeof metadataSchema> => ({
  issuer,
  token_endpoint: `${issuer}/api/v1/auth/token`,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  scopes_supported: [...CLIENT_SCOPES],
  response_types_supported: [],
  grant_types_supported: ['client_credentials'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  service_documentation: `${issuer}/docs`,
})

const getServerMetadata = endpoint(
  {
    ...authentication,
    method: 'get',
    path: '/.well-known/oauth-authorization-server',
    operationId: 'getAuthorizationServerMetadata',
    summary: 'Get the metadata of the authorization server',
    description: 'Returns the metadata that RFC 8414 defines.',
    access: anyone,
    answer: bare(metadataSchema),
  },
  ({ c }) => {
    c.header('Cache-Control', PUBLIC_CACHE)
    return serverMetadata(configOf(c.env).issuer)
  },
)

export const authEndpoints = [createAccessToken, exchangePartnerToken, getSigningKeys, getServerMetadata] as const
