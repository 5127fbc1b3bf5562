import { and, eq, gt } from 'drizzle-orm'
import { sha256Hex } from '#crypto/hash'
import { randomSecret } from '#crypto/random'
import { SESSION_SECONDS } from '#limits'
import type { Database } from '#storage/database'
import { sessions } from '#storage/schema/control'
import { notLoggedIn } from './refusals'

export interface User {
  userId: string
  /** Verified at the login. Personal data: never logged. */
  email: string
}

/** @returns the secret that the browser keeps; only a hash of it is stored */
export async function beginSession(
  { orm, retrying }: Database,
  { userId, email }: User,
  now: Date,
): Promise<string> {
  const secret = randomSecret('dcs_session_')
  const row = {
    sessionHash: await sha256Hex(secret),
    userId,
    email,
    createdAt: now.getTime(),
    expiresAt: now.getTime() + SESSION_SECONDS * 1000,
  }
  // The secret is random: a conflict is this same row, from an attempt whose answer was lost.
  await retrying(() => orm.insert(sessions).values(row).onConflictDoNothing())
  return secret
}

/** Does **not** check what the person may do. @throws ApiError 401 for a session that is unknown, expired or ended */
export async function userOfSession({ orm }: Database, secret: string | undefined, now: Date): Promise<User> {
  if (secret === undefined) throw notLoggedIn('no cookie')
  const [session] = await orm
    .select({ userId: sessions.userId, email: sessions.email })
    .from(sessions)
    .where(and(eq(sessions.sessionHash, await sha256Hex(secret)), gt(sessions.expiresAt, now.getTime())))
  if (!session) throw notLoggedIn('unknown, expired or ended')
  return session
}

/** Ends a session. Ending one that does not exist changes nothing. */
export async function endSession({ orm, retrying }: Database, secret: string): Promise<void> {
  const sessionHash = await sha256Hex(secret)
  await retrying(() => orm.delete(sessions).where(eq(sessions.sessionHash, sessionHash)))
}
