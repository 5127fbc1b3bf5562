import { sha256Hex } from '#crypto/hash'
import type { Env } from '#env'
import { PARTNER_CLOCK_TOLERANCE_SECONDS } from '#limits'

/** KV keeps nothing for a shorter time, in seconds. */
const SHORTEST_KV_TTL = 60

/** A token whose id is to be used up. */
export interface TokenId {
  /** Key id of the credential: ids of different credentials have nothing to do with each other. */
  kid: string
  jti: string
  /** Seconds since the epoch. */
  exp: number
}

/** What may go on after the answer, and where its faults are told. */
export interface Background {
  waitUntil(work: Promise<unknown>): void
  report(fault: string): void
}

/**
 * Uses up the id of a partner token: of any number of calls with one id, on any number of machines, one gets `true`,
 * until the token's `exp` and the tolerance for clocks have passed.
 *
 * The credential's `ReplayGuard` decides. KV in front of it is a filter, which refuses what is known to be a replay
 * near where it arrives: being read-then-write and eventually consistent, it could not decide. A fault of the filter is
 * told and gone past.
 *
 * @throws Error when the guard cannot be reached
 */
export async function claimTokenId(
  env: Pick<Env, 'SEEN_JTI' | 'REPLAY_GUARD'>,
  { kid, jti, exp }: TokenId,
  now: Date,
  background: Background,
): Promise<boolean> {
  // A digest, because an id may be longer than a key of KV, and may be anything.
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
