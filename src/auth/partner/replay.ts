import { sha256Hex } from '#crypto/hash'
import type { Env } from '#env'
import { PARTNER_CLOCK_TOLERANCE_SECONDS } from '#limits'

/** The shortest lifetime of a KV entry, in seconds. */
const SHORTEST_KV_TTL = 60

/** The id of a token that is to be used up. */
export interface TokenId {
  /** Key id of the credential. The same id under two credentials is two ids. */
  kid: string
  jti: string
  /** Seconds since the epoch. */
  exp: number
}

/** Runs work after the answer, and logs its faults. */
export interface Background {
  waitUntil(work: Promise<unknown>): void
  report(fault: string): void
}

/**
 * Uses up the id of a partner token. Of any number of calls with one id, on any number of machines, one gets
 * `true`, until the token's `exp` and the tolerance for clocks have passed.
 *
 * The credential's `ReplayGuard` decides. KV is a filter in front of it, which refuses known replays near the
 * caller. It could not decide, because it is eventually consistent. A fault of the filter is logged and
 * ignored.
 *
 * @throws Error when the guard cannot be reached
 */
export async function claimTokenId(
  env: Pick<Env, 'SEEN_JTI' | 'REPLAY_GUARD'>,
  { kid, jti, exp }: TokenId,
  now: Date,
  background: Background,
): Promise<boolean> {
  // A digest, because an id may be longer than a KV key and may hold any character.
  const id = await sha256Hex(jti)
  const key = `${kid}/${id}`
  const seen = await env.SEEN_JTI.get(key).catch(() => {
    background.report('replay filter: read failed')
    return null
  })
  if (seen !== null) return false

  const forgottenAt = exp + PARTNER_CLOCK_TOLERANCE_SECONDS
  const first = await env.REPLAY_GUARD.getByName(kid).claim(id, forgottenAt * 1000, now.getTime())
  if (first) {
    const ttl = Math.max(SHORTEST_KV_TTL, forgottenAt - Math.floor(now.getTime() / 1000))
    const written = env.SEEN_JTI.put(key, '', { expirationTtl: ttl })
    background.waitUntil(written.catch(() => background.report('replay filter: write failed')))
  }
  return first
}
