import * as oauth from 'oauth4webapi'
import { ApiError } from '#shared/errors/errors'
import { sha256Hex } from '#worker/crypto/hash'
import type { LoginProvider } from '#worker/env'
import { timedCache } from '#worker/storage/timed-cache'
import type { LoginTransaction } from './cookies'
import type { LoginQuery } from './schemas'

const PROVIDER_METADATA_SECONDS = 3600

const PROVIDER_TIMEOUT_MS = 8000

/** The OpenID provider: authorization code flow (OpenID Connect Core 1.0, section 3.1) with PKCE (RFC 7636). */

export interface RelyingParty {
  provider: LoginProvider
  issuer: string
}

const redirectUri = ({ issuer }: RelyingParty): string => `${issuer}/api/v1/auth/oidc/callback`

interface Identity {
  /** Derived from provider and subject. Reveals nothing about the user. */
  userId: string
  /** As the provider spells it; undefined unless verified by the provider. */
  verifiedEmail: string | undefined
}

type AuthorizationRequest = Pick<LoginTransaction & LoginQuery, 'state' | 'nonce' | 'codeVerifier' | 'prompt'>

const CLOCK_TOLERANCE_SECONDS = 30

const clientOf = ({ clientId }: LoginProvider): oauth.Client => ({
  client_id: clientId,
  [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
})

const requestOptions = ({ issuer }: LoginProvider) => ({
  // The configuration only allows http for a provider on this machine.
  [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
  signal: () => AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
})

/** The library's error code, such as `OAUTH_JWT_CLAIM_COMPARISON_FAILED`: nothing from the response. */
const oauthCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? `: ${error.code}` : ''

const providerUnavailable = (step: string, cause?: unknown): ApiError =>
  new ApiError('unavailable', 'The login provider cannot be reached. Try again later.', {
    reason: `login provider, ${step}${oauthCode(cause)}`,
    cause,
  })

/** The 401 for a login that the provider rejected or that fails a check. */
const refusedByProvider = (cause: unknown): ApiError =>
  new ApiError('unauthorized', 'The login provider did not confirm the login. Start it again.', {
    reason: `login${oauthCode(cause)}`,
    cause,
  })

/** The library caches a provider's keys with its metadata, and reloads them if a key is missing. */
const servers = timedCache<oauth.AuthorizationServer>(PROVIDER_METADATA_SECONDS * 1000, 10)

/** The provider's metadata (OpenID Connect Discovery 1.0). @throws ApiError 503 if it cannot be read */
export async function readMetadata(provider: LoginProvider): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(provider.issuer)
  try {
    const response = await oauth.discoveryRequest(issuer, requestOptions(provider))
    return await oauth.processDiscoveryResponse(issuer, response)
  } catch (cause) {
    throw providerUnavailable('discovery', cause)
  }
}

async function discover(provider: LoginProvider, now: Date): Promise<oauth.AuthorizationServer> {
  const server = servers.get(provider.issuer) ?? (await readMetadata(provider))
  if (!servers.has(provider.issuer)) servers.set(provider.issuer, server, { start: now.getTime() })
  return server
}

/** Whether an error means that a response of the provider was rejected, rather than missing. */
const isProviderRefusal = (error: unknown): boolean =>
  error instanceof oauth.OperationProcessingError ||
  error instanceof oauth.ResponseBodyError ||
  error instanceof oauth.AuthorizationResponseError ||
  error instanceof oauth.UnsupportedOperationError ||
  error instanceof oauth.WWWAuthenticateChallengeError

/** The URL at which a browser starts to log in. @throws ApiError 503 if the provider cannot be reached */
export async function authorizationUrl(
  party: RelyingParty,
  { state, nonce, codeVerifier, prompt }: AuthorizationRequest,
  now: Date,
): Promise<string> {
  const { provider } = party
  const { authorization_endpoint: endpoint } = await discover(provider, now)
  if (endpoint === undefined) throw providerUnavailable('discovery: no authorization endpoint')
  const url = new URL(endpoint)
  const parameters = {
    client_id: provider.clientId,
    redirect_uri: redirectUri(party),
    response_type: 'code',
    scope: 'openid email',
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(prompt === undefined ? {} : { prompt }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** A client authentication that the provider accepts, by default `client_secret_basic`. */
function clientAuthentication(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic') ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)
}

/** Exchanges the provider's code for an ID token. Checks the token's signature, times and nonce. */
async function idTokenClaims(
  party: RelyingParty,
  server: oauth.AuthorizationServer,
  answer: URLSearchParams,
  { state, nonce, codeVerifier }: LoginTransaction,
): Promise<oauth.IDToken> {
  const { provider } = party
  const client = clientOf(provider)
  const options = requestOptions(provider)
  const parameters = oauth.validateAuthResponse(server, client, answer, state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    clientAuthentication(server, provider.clientSecret),
    parameters,
    redirectUri(party),
    codeVerifier,
    options,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  // The standard accepts TLS instead of a signature check. This does not rely on TLS.
  await oauth.validateApplicationLevelSignature(server, response, options)
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (!claims) throw new Error('a required id token is missing')
  return claims
}

/** Finds out who logged in, not what that user may do. @throws ApiError 401 if the response fails a check; 503 */
export async function identify(
  party: RelyingParty,
  answer: URLSearchParams,
  transaction: LoginTransaction,
  now: Date,
): Promise<Identity> {
  const server = await discover(party.provider, now)
  try {
    const claims = await idTokenClaims(party, server, answer, transaction)
    const { iss, sub, iat, email, email_verified: verified } = claims
    if (sub === '' || iat > now.getTime() / 1000 + CLOCK_TOLERANCE_SECONDS) {
      throw new oauth.OperationProcessingError('the id token has no subject, or is from the future')
    }
    return {
      // A JSON list, so that no other pair of issuer and subject has the same text.
      userId: `user_${await sha256Hex(JSON.stringify([iss, sub]))}`,
      verifiedEmail: verified === true && typeof email === 'string' && email !== '' ? email : undefined,
    }
  } catch (error) {
    throw isProviderRefusal(error) ? refusedByProvider(error) : providerUnavailable('token request', error)
  }
}
