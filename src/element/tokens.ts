import type { AuthToken, TokenFunction, TokenInput } from '#client/element'
import type { FoundRecord } from '#client/found-record'
import { type GrantedToken, RenewedToken } from '#client/token-source'
import { Failure, jsonOf, send, setupFailure } from './failure'
import { MOST_SESSIONS } from './limits'

/** The service that the element comes from and searches. */
const SERVICE = new URL(import.meta.url).origin

/**
 * Sends JSON to the service, without cookies.
 *
 * @param token an access token, or a partner token to exchange
 * @param signal without one, the request goes on when the person leaves the page
 * @throws Failure if there is no answer that the page may read
 */
export function post(path: string, token: string, body: string, signal: AbortSignal | null = null): Promise<Response> {
  const headers = {
    'Content-Type': 'application/json',
    ...(isPartnerToken(token) ? { 'X-Auth-Token': token } : { Authorization: `Bearer ${token}` }),
  }
  return send(SERVICE + path, { method: 'POST', credentials: 'omit', headers, body, signal, keepalive: !signal })
}

/** A partner token is a compact JWE of five parts. */
const isPartnerToken = (token: string): boolean => token.split('.').length === 5

/** An access to the search. */
export interface Session {
  readonly tokens: RenewedToken
  obtain: TokenFunction
  /** The catalog that has answered last, by type: the same id is another record in another one. */
  readonly sources: Map<string, unknown>
  /** Records that were chosen or looked up, by type and id, and when: the catalog may change while a page is open. */
  readonly seen: Map<string, readonly [record: FoundRecord, time: number]>
}

/** Sessions by their token, their function or their address: elements with the same one share a session. */
const sessions = new Map<unknown, Session>()

function keep(source: unknown, session: Session): void {
  sessions.delete(source)
  sessions.set(source, session)
  const [oldest] = sessions.keys()
  if (sessions.size > MOST_SESSIONS) sessions.delete(oldest)
}

/** The answer to a request for a token. @throws Failure if it is a refusal or no JSON */
const tokenOf = async (response: Promise<Response>): Promise<TokenInput> =>
  (await jsonOf(await response)) as Partial<GrantedToken>

/** @throws Failure if it is neither a token nor the answer of a token endpoint */
async function grantOf(input: TokenInput): Promise<GrantedToken> {
  if (typeof input === 'string')
    return grantOf(
      isPartnerToken(input)
        ? // A session that can only search.
          await tokenOf(post('/api/v1/auth/session', input, '{"scope":"search"}'))
        : { access_token: input },
    )
  const { access_token, expires_in } = input ?? {}
  if (typeof access_token !== 'string') throw setupFailure('the token is not {"access_token", "expires_in"}')
  // Without a lifetime it is used until it is refused.
  return { access_token, expires_in: Number(expires_in) || Number.POSITIVE_INFINITY }
}

/**
 * A token that the page gives once can be exchanged only once, so its grant is kept. After a 401 the token is not sent
 * again; after any other failure it may still be unused, and is.
 */
function grantOnce(token: string): TokenFunction {
  let grant: Promise<GrantedToken> | undefined
  return () => {
    grant ??= grantOf(token).catch((error) => {
      if (!(error instanceof Failure && error.status === 401)) grant = undefined
      throw error
    })
    return grant
  }
}

/** Gets a token from the partner's backend. @throws Failure if the page names none */
function fromBackend(url: string | null, credentials: RequestCredentials): TokenFunction {
  return () => {
    if (url === null) throw setupFailure('token-url or auth-token is missing')
    const { href } = new URL(url, document.baseURI)
    return tokenOf(send(href, { method: 'POST', credentials, headers: { Accept: 'application/json' } }))
  }
}

/**
 * The session of a `<catalog-search>` element.
 *
 * @param authToken as the page gives it
 * @param url of the partner's backend, used if there is no token
 * @param credentials `include` sends cookies to a backend on another origin too
 */
export function sessionOf(authToken: AuthToken | null, url: string | null, credentials: string | null): Session {
  const source = authToken || `${credentials} ${url}`
  const other = authToken
    ? grantOnce(String(authToken))
    : fromBackend(url, credentials === 'include' ? 'include' : 'same-origin')
  const session: Session = sessions.get(source) ?? {
    tokens: new RenewedToken(async () => grantOf(await session.obtain())),
    obtain: typeof authToken === 'function' ? authToken : other,
    sources: new Map(),
    seen: new Map(),
  }
  keep(source, session)
  return session
}

/** The session of a function goes on with another one: frameworks make a new function with each letter. */
export function replaceFunction(old: AuthToken | undefined, now: AuthToken | null): void {
  const session = sessions.get(old)
  if (typeof old === 'function' && typeof now === 'function' && session !== undefined)
    keep(now, Object.assign(session, { obtain: now }))
}
