import { type GrantedToken, RenewedToken } from '#client/token-source'
import { Failure, requireSuccess } from './failure'

/** The service that the element comes from and searches. */
const SERVICE = new URL(import.meta.url).origin

/** Sends JSON to the service, without cookies. */
export const post = (
  path: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal | null = null,
): Promise<Response> =>
  fetch(SERVICE + path, {
    method: 'POST',
    credentials: 'omit',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
    signal,
  })

/** Waits. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A partner token, an access token, or the answer of a backend that has exchanged one. */
type TokenInput = string | Partial<GrantedToken>

/** A token, or a function that gets one. It is called again for each renewal. */
export type AuthToken = string | (() => TokenInput | Promise<TokenInput>)

/** How long getting a token may take, in milliseconds. */
const TIMEOUT_MS = 15_000

/** Sessions by the source of their tokens: elements with the same source share a session. */
const sessions = new Map<unknown, RenewedToken>()

function sharedSession(source: unknown, obtain: () => Promise<GrantedToken>): RenewedToken {
  const existing = sessions.get(source)
  if (existing !== undefined) return existing
  const session = new RenewedToken(() => withTimeout(obtain()))
  sessions.set(source, session)
  return session
}

const withTimeout = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    pause(TIMEOUT_MS).then(() => {
      throw new Failure('no answer in time')
    }),
  ])

/** A compact JWE, such as a partner token, has five parts; a signed access token has three. */
const isPartnerToken = (token: string): boolean => token.split('.').length === 5

/** Exchanges a partner token for a session that can only search. */
async function exchange(token: string): Promise<GrantedToken> {
  const response = await post('/api/v1/auth/session', { 'X-Auth-Token': token }, '{"scope":"search"}')
  return grantOf(await (await requireSuccess(response)).json())
}

/** @throws Failure if it is neither a token nor the answer of a token endpoint */
async function grantOf(input: TokenInput): Promise<GrantedToken> {
  if (typeof input === 'string') return isPartnerToken(input) ? exchange(input) : grantOf({ access_token: input })
  const { access_token, expires_in } = input ?? {}
  if (typeof access_token !== 'string') {
    throw new Failure('the token must come as {"access_token", "expires_in"}', undefined, 'failed')
  }
  // Without a lifetime it is used until it is refused.
  return { access_token, expires_in: Number(expires_in) || Number.POSITIVE_INFINITY }
}

/** Gets a token from the partner's backend. */
async function fromBackend(url: string, credentials: RequestCredentials): Promise<GrantedToken> {
  const response = await fetch(url, { method: 'POST', credentials, headers: { Accept: 'application/json' } })
  return grantOf(await (await requireSuccess(response)).json())
}

/**
 * A token that the page gives once can be exchanged only once, so its grant is kept. After a 401 the token is not sent
 * again; after any other failure it may still be unused, and is.
 */
function grantOnce(token: string): () => Promise<GrantedToken> {
  let grant: Promise<GrantedToken> | undefined
  return () => {
    grant ??= grantOf(token).catch((error) => {
      if (!(error instanceof Failure && error.status === 401)) grant = undefined
      throw error
    })
    return grant
  }
}

/**
 * The session of a `<catalog-search>` element.
 *
 * @param authToken as the page gives it
 * @param tokenUrl of the partner's backend, used if there is no token
 * @param credentials `include` sends cookies to a backend on another origin too
 */
export function sessionOf(
  authToken: AuthToken | null,
  tokenUrl: string | null,
  credentials: string | null,
): RenewedToken {
  if (typeof authToken === 'function') {
    return sharedSession(authToken, async () => grantOf(await authToken()))
  }
  if (authToken) return sharedSession(authToken, grantOnce(authToken))
  if (tokenUrl === null) {
    const missing = new Failure('catalog-search needs token-url, auth-token or authToken', undefined, 'failed')
    return sharedSession(null, () => Promise.reject(missing))
  }
  const url = new URL(tokenUrl, document.baseURI).href
  const cookies = credentials === 'include' ? 'include' : 'same-origin'
  return sharedSession(`${cookies} ${url}`, () => fromBackend(url, cookies))
}
