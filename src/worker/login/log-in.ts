import { generateRandomCodeVerifier, generateRandomNonce, generateRandomState } from 'oauth4webapi'
import { ApiError, type ErrorNumbers, invalidField } from '#shared/errors/errors'
import { LOGIN_TRANSACTION_SECONDS, MAX_RETURN_TO_LENGTH } from '#shared/limits'
import { sha256Hex } from '#worker/crypto/hash'
import type { Database } from '#worker/storage/database'
import { finishedLogins } from '#worker/storage/schema/control'
import { issueCode } from './codes'
import type { LoginTransaction, PendingLogin } from './cookies'
import { membershipsOf } from './memberships'
import { authorizationUrl, identify, type RelyingParty } from './provider'
import type { LoginQuery } from './schemas'
import { beginSession } from './sessions'

const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/

// Browsers read a backslash as a slash. URL parsers drop control characters, which joins the text on both sides.
const UNSAFE = /[\\\p{Cc}]/u

const refusedAddress = (value: string, msg: string, numbers?: ErrorNumbers) =>
  invalidField('return_to', 'not_allowed', msg, value, numbers)

/**
 * Checks the address to return to after a login (docs/contract.md#return-addresses): a path of this service, or a
 * numeric loopback address.
 *
 * @throws ApiError 400 for anything else
 */
export function parseReturnTo(value: string, issuer: string) {
  if (value.length > MAX_RETURN_TO_LENGTH) {
    const msg = `must have at most ${MAX_RETURN_TO_LENGTH} characters`
    throw refusedAddress(value.slice(0, MAX_RETURN_TO_LENGTH), msg, { limit: MAX_RETURN_TO_LENGTH })
  }
  const url = UNSAFE.test(value) || !value.isWellFormed() ? null : URL.parse(value, issuer)
  if (url !== null) {
    if (/^\/(?!\/)/.test(value) && url.origin === new URL(issuer).origin && !url.pathname.startsWith('//')) {
      return { kind: 'page' as const, url }
    }
    // For command-line clients (RFC 8252, section 7.3).
    if (LOOPBACK.test(value) && url.hash === '' && !value.includes('#')) return { kind: 'loopback' as const, url }
  }
  throw refusedAddress(value, 'must be a path of this service, or a loopback address such as http://127.0.0.1:4711/')
}

/**
 * @returns where to send the browser, and the transaction that it must send back
 * @throws ApiError 400 for a bad `return_to` or challenge; 503 if the provider cannot be reached
 */
export async function beginLogin(
  party: RelyingParty,
  { return_to: returnTo, code_challenge: codeChallenge, prompt }: LoginQuery,
  now: Date,
): Promise<{ location: string; transaction: LoginTransaction }> {
  const { kind } = parseReturnTo(returnTo, party.issuer)
  if (kind === 'loopback' && codeChallenge === undefined) {
    throw invalidField('code_challenge', 'conditional', 'is required with a loopback return_to')
  }
  if (kind === 'page' && codeChallenge !== undefined) {
    throw invalidField('code_challenge', 'conditional', 'is allowed with a loopback return_to only', codeChallenge)
  }
  const transaction = {
    state: generateRandomState(),
    nonce: generateRandomNonce(),
    codeVerifier: generateRandomCodeVerifier(),
    returnTo,
    codeChallenge: codeChallenge ?? null,
    expiresAt: now.getTime() + LOGIN_TRANSACTION_SECONDS * 1000,
  }
  // A link from someone else must not use the account that happens to be logged in at the provider.
  const providerPrompt = kind === 'loopback' ? ('select_account' as const) : prompt
  return { location: await authorizationUrl(party, { ...transaction, prompt: providerPrompt }, now), transaction }
}

const lostTransaction = (reason: string): ApiError =>
  new ApiError(
    'invalid_request',
    'The login has expired, is already finished or was started in another browser. Start it again.',
    { reason: `login: ${reason}` },
  )

/** Finishes a login. Only one request succeeds. @throws ApiError 400 for a login that is already finished */
async function finishOnce(
  { orm }: Database,
  { state, expiresAt }: Pick<LoginTransaction, 'state' | 'expiresAt'>,
): Promise<void> {
  const [first] = await orm
    .insert(finishedLogins)
    .values({ stateHash: await sha256Hex(state), expiresAt })
    .onConflictDoNothing()
    .returning({ stateHash: finishedLogins.stateHash })
  if (!first) throw lostTransaction('already finished')
}

/**
 * Checks the provider's response, and logs in members of a workspace. For strangers, it writes nothing.
 *
 * @param transaction as the browser sent it back
 * @param admit may reject a user who logs in too often
 * @throws ApiError 400 for a login of another browser, or a finished one; 401; 403 without a verified email address or
 *   a membership; 503
 */
export async function finishLogin(
  database: Database,
  party: RelyingParty,
  answer: URLSearchParams,
  transaction: LoginTransaction | undefined,
  admit: (userId: string) => Promise<void>,
  now: Date,
) {
  if (transaction === undefined) throw lostTransaction('no valid cookie of a login')
  const states = answer.getAll('state')
  if (states.length !== 1 || states[0] !== transaction.state) throw lostTransaction('wrong state')
  const identity = await identify(party, answer, transaction, now)
  await admit(identity.userId)
  await finishOnce(database, transaction)
  if (identity.verifiedEmail === undefined) {
    throw new ApiError(
      'forbidden',
      'The account has no verified email address. Verify it at the login provider, then log in again.',
    )
  }
  const user = { userId: identity.userId, email: identity.verifiedEmail }
  await membershipsOf(database, user.email)

  const { url } = parseReturnTo(transaction.returnTo, party.issuer)
  if (transaction.codeChallenge === null) {
    return { location: url.href, session: await beginSession(database, user, now) }
  }
  const { state, returnTo, codeChallenge, expiresAt } = transaction
  const pending: PendingLogin = { state, ...user, returnTo, codeChallenge, expiresAt }
  return { pending }
}

/** Gives a command-line client the confirmed login: its own address, with a one-time code. @throws ApiError 400 */
export async function allowLogin(
  database: Database,
  { issuer }: RelyingParty,
  pending: PendingLogin | undefined,
  now: Date,
): Promise<string> {
  if (pending === undefined) throw lostTransaction('no login to allow')
  // The plain state is already marked as finished. No state contains a space, so this key differs.
  await finishOnce(database, { state: `allowed ${pending.state}`, expiresAt: pending.expiresAt })
  const { url } = parseReturnTo(pending.returnTo, issuer)
  url.searchParams.set('code', await issueCode(database, pending, pending.codeChallenge, now))
  return url.href
}
