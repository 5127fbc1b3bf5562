import { PARTNER_CLOCK_TOLERANCE_SECONDS } from '#shared/limits'
import { sha256Hex } from '#worker/crypto/hash'
import { type Env, replayGuards } from '#worker/env'

/** The shortest lifetime of a KV entry, in seconds. */
const SHORTEST_KV_TTL = 60

interface TokenId {
  /** Key ID of the credential. The same `jti` under two credentials counts as two. */
  kid: string
  jti: string
  /** Seconds since the epoch. */
  exp: number
}

interface Background {
  waitUntil(work: Promise<unknown>): void
  report(warning: string): void
}

/** Ends a claim with the response's status. If the request was rejected, the token may be sent again. */
export type SettleClaim = (status: number) => Promise<void>

/** Whether a status rejects the request (docs/contract.md#replay-protection). A 404 does not: it reveals something. */
const isRefusedStatus = (status: number): boolean => status === 503 || (status >= 400 && status < 500 && status !== 404)

/**
 * Claims the `jti` of a partner token. Only one request gets the claim until `exp` and the tolerance have passed;
 * others get null. The `ReplayGuard` decides. KV is eventually consistent, and only rejects replays early.
 *
 * @throws Error if the guard cannot be reached and KV does not know the ID
 */
export async function claimTokenId(
  env: Pick<Env, 'SEEN_JTI' | 'REPLAY_GUARD' | 'JURISDICTION'>,
  { kid, jti, exp }: TokenId,
  now: Date,
  background: Background,
): Promise<SettleClaim | null> {
  // A digest, because a `jti` may be longer than a KV key and may contain any character.
  const id = await sha256Hex(jti)
  const key = `${kid}/${id}`
  const forgottenAt = exp + PARTNER_CLOCK_TOLERANCE_SECONDS

  const isKnown = env.SEEN_JTI.get(key).then(
    (value) => value !== null,
    () => {
      background.report('replay filter: read failed')
      return false
    },
  )
  const guard = replayGuards(env).getByName(kid)
  const guardAnswer = guard.claim(id, forgottenAt * 1000, now.getTime()).catch(async (fault) => {
    if (await isKnown) return false
    throw fault
  })
  // The slower of the two continues after the response is sent.
  background.waitUntil(isKnown)
  background.waitUntil(guardAnswer.catch(() => undefined))

  const isFirst = await Promise.race([guardAnswer, isKnown.then((replayed) => (replayed ? false : guardAnswer))])
  if (!isFirst) return null
  return async (status) => {
    if (isRefusedStatus(status)) {
      const release = guard.release(id, forgottenAt * 1000)
      await release.catch(() => background.report('replay guard: release failed'))
      return
    }
    const ttl = Math.max(SHORTEST_KV_TTL, forgottenAt - Math.floor(now.getTime() / 1000))
    const write = env.SEEN_JTI.put(key, '', { expirationTtl: ttl })
    background.waitUntil(write.catch(() => background.report('replay filter: write failed')))
  }
}
