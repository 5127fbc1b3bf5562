import { PARTNER_CLOCK_TOLERANCE_SECONDS } from '#shared/limits'
import { sha256Hex } from '#worker/crypto/hash'
import type { Env } from '#worker/env'

interface TokenId {
  /** Key id of the credential. The same id under two credentials is two ids. */
  kid: string
  jti: string
  /** Seconds since the epoch. */
  exp: number
}

/** The claim of a request on the id of its token. */
export interface TokenIdClaim {
  /** For a request that was refused, so that its token may be sent again. @throws Error when that cannot be done */
  release(): Promise<void>
}

/**
 * Claims the id of a partner token at the `ReplayGuard` of its credential. Of any number of calls with one id, on any
 * number of machines, one gets the claim, until the token's `exp` and the tolerance for clocks have passed. The others
 * get null.
 *
 * @throws Error when the guard cannot be reached
 */
export async function claimTokenId(
  guards: Env['REPLAY_GUARD'],
  { kid, jti, exp }: TokenId,
  now: Date,
): Promise<TokenIdClaim | null> {
  // A digest, because an id may be long.
  const id = await sha256Hex(jti)
  const forgottenAt = (exp + PARTNER_CLOCK_TOLERANCE_SECONDS) * 1000
  const guard = guards.getByName(kid)
  const isFirst = await guard.claim(id, forgottenAt, now.getTime())
  return isFirst ? { release: () => guard.release(id, forgottenAt) } : null
}
