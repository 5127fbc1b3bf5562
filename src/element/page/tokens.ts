import { type GrantedToken, RenewedToken } from '#client/token-source'
import { accepted, Failure } from './failure'

/** Where the element comes from: the service that it searches. */
export const SERVICE = new URL(import.meta.url).origin

/** A partner token, an access token, or the answer of a backend that has exchanged one. */
type Given = string | Partial<GrantedToken>

/** A token, or a function that gets one. It is called again for each renewal. */
export type AuthToken = string | (() => Given | Promise<Given>)

/** How long a backend may take, in milliseconds. */
const TIMEOUT_MS = 15_000

/** By what they come from: boxes with the same token share one session. */
const sessions = new Map<unknown, RenewedToken>()

function sessionFrom(source: unknown, obtain: () => Promise<GrantedToken>): RenewedToken {
  const known = sessions.get(source)
  if (known !== undefined) return known
  // Each is renewed when a fifth of its life is left.
  const session = new RenewedToken(() => inTime(obtain()), undefined, Number.POSITIVE_INFINITY)
  sessions.set(source, session)
  return session
}

const inTime = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Failure('no token came in time')), TIMEOUT_MS)
    }),
  ])

/** A compact JWE, such as a partner token, has five parts; a signed access token has three. */
const isPartnerToken = (token: string): boolean => token.split('.').length === 5

const withoutEnd = (token: string): GrantedToken => ({
  access_token: token,
  expires_in: Number.POSITIVE_INFINITY,
})

/** Exchanges a partner token for a session that can only search. */
async function exchange(token: string): Promise<GrantedToken> {
  const response = await fetch(`${SERVICE}/api/v1/auth/session`, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'X-Auth-Token': token, 'Content-Type': 'application/json' },
    body: '{"scope":"search"}',
  })
  return grantOf(await (await accepted(response)).json())
}

/** @throws Failure if it is neither a token nor the answer of a token endpoint */
async function grantOf(given: Given): Promise<GrantedToken> {
  if (typeof given === 'string') return isPartnerToken(given) ? exchange(given) : withoutEnd(given)
  const { access_token, expires_in } = given ?? {}
  if (typeof access_token !== 'string') {
    throw new Failure('the token must come as {"access_token", "expires_in"}', undefined, 'failed')
  }
  return { access_token, expires_in: Number(expires_in) || Number.POSITIVE_INFINITY }
}

async function fromBackend(url: string): Promise<GrantedToken> {
  const response = await fetch(url, { method: 'POST', headers: { Accept: 'application/json' } })
  return grantOf(await (await accepted(response)).json())
}

/**
 * A token that is given once can be exchanged once: its session is used to its end. Only a refusal that leaves the
 * token unused is tried again.
 */
function once(token: string): () => Promise<GrantedToken> {
  let session: { access_token: string; endsAt: number } | undefined
  let refusal: Failure | undefined
  return async () => {
    if (refusal !== undefined) throw refusal
    if (session === undefined) {
      const grant = await grantOf(token).catch((error) => {
        if (error instanceof Failure && error.status === 401) refusal = error
        throw error
      })
      session = { access_token: grant.access_token, endsAt: Date.now() + grant.expires_in * 1000 }
    }
    return { access_token: session.access_token, expires_in: (session.endsAt - Date.now()) / 1000 }
  }
}

/**
 * The session of a box.
 *
 * @param tokenUrl of the partner's backend, used if there is no token
 * @throws Failure if it has neither
 */
export function sessionOf(authToken: AuthToken | null, tokenUrl: string | null): RenewedToken {
  if (typeof authToken === 'function') {
    return sessionFrom(authToken, async () => grantOf(await authToken()))
  }
  if (authToken) return sessionFrom(authToken, once(authToken))
  if (tokenUrl === null) {
    throw new Failure('catalog-search needs token-url, auth-token or authToken', undefined, 'failed')
  }
  const url = new URL(tokenUrl, document.baseURI).href
  return sessionFrom(url, () => fromBackend(url))
}
