import type { AuthToken, TokenFunction, TokenInput } from '#client/element'
import type { FoundRecord } from '#client/found-record'
import { type GrantedToken, RenewedToken } from '#client/token-source'
import { Failure, jsonOf, send, setupFailure } from './failure'

/** The service that the element comes from and searches. */
const SERVICE = new URL(import.meta.url).origin

/** How long getting a token may take, in milliseconds. */
const TIMEOUT_MS = 15_000

/** Most sessions that are kept. */
const MOST_SESSIONS = 20

/** Sends JSON to the service, without cookies. @throws Failure if there is no answer that the page may read */
export function post(
  path: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<Response> {
  const all = { ...headers, 'Content-Type': 'application/json' }
  return send(SERVICE + path, { method: 'POST', credentials: 'omit', headers: all, body, signal })
}

/** An access to the search. */
export interface Session {
  readonly tokens: RenewedToken
  obtain: TokenFunction
  /** The catalog that has answered last, by type: the same id is another record in another one. */
  readonly sources: Map<string, unknown>
  /** Records that were chosen or looked up, by type and id. */
  readonly records: Map<string, FoundRecord>
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

/** Exchanges a partner token, a compact JWE of five parts, for a session that can only search. */
const exchange = (token: string): Promise<TokenInput> =>
  tokenOf(
    post('/api/v1/auth/session', { 'X-Auth-Token': token }, '{"scope":"search"}', AbortSignal.timeout(TIMEOUT_MS)),
  )

/** @throws Failure if it is neither a token nor the answer of a token endpoint */
async function grantOf(input: TokenInput): Promise<GrantedToken> {
  if (typeof input === 'string')
    return grantOf(input.split('.').length === 5 ? await exchange(input) : { access_token: input })
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

/** Gets a token from the partner's backend. */
function fromBackend(url: string, credentials: RequestCredentials): TokenFunction {
  const { href } = new URL(url, document.baseURI)
  return () => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    return tokenOf(send(href, { method: 'POST', credentials, headers: { Accept: 'application/json' }, signal }))
  }
}

const noToken = (): never => {
  throw setupFailure('token-url or auth-token is missing')
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
  const cookies = credentials === 'include' ? 'include' : 'same-origin'
  const other = authToken ? grantOnce(String(authToken)) : url === null ? noToken : fromBackend(url, cookies)
  const session: Session = sessions.get(source) ?? {
    tokens: new RenewedToken(async () => grantOf(await session.obtain())),
    obtain: typeof authToken === 'function' ? authToken : other,
    sources: new Map(),
    records: new Map(),
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
