import { and, desc, eq, gt, lte, notInArray } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import { ACCESS_TOKEN_SECONDS, MAX_SESSIONS, SESSION_SECONDS } from '#shared/limits'
import { sha256Hex } from '#worker/crypto/hash'
import { randomSecret } from '#worker/crypto/random'
import type { Database } from '#worker/storage/database'
import { finishedLogins, loginCodes, sessions } from '#worker/storage/schema/control'
import { forgetCached } from '#worker/storage/timed-cache'

export interface User {
  userId: string
  /** Verified at the login. Personal data: never logged. */
  email: string
}

/** Starts a session. Beyond `MAX_SESSIONS`, the oldest ends. @returns the secret; only its hash is stored */
export async function beginSession({ orm, retry }: Database, { userId, email }: User, now: Date): Promise<string> {
  const secret = randomSecret('dcs_session_')
  const row = {
    sessionHash: await sha256Hex(secret),
    userId,
    email,
    createdAt: now.getTime(),
    expiresAt: now.getTime() + SESSION_SECONDS * 1000,
  }
  // The secret is random: a conflict is this same row, from an attempt whose response was lost.
  const newest = orm
    .select({ sessionHash: sessions.sessionHash })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.createdAt))
    .limit(MAX_SESSIONS)
  await retry(() =>
    orm.batch([
      orm.insert(sessions).values(row).onConflictDoNothing(),
      orm.delete(sessions).where(and(eq(sessions.userId, userId), notInArray(sessions.sessionHash, newest))),
    ]),
  )
  return secret
}

const notLoggedIn = (reason: string): ApiError =>
  new ApiError('unauthorized', 'There is no session, or it has ended. Log in again.', { reason: `session: ${reason}` })

/** The user of a session, and its ID. Does not check what the user may do. @throws ApiError 401 */
export async function userOfSession(
  { orm }: Database,
  secret: string | undefined,
  now: Date,
): Promise<User & { sessionId: string }> {
  if (secret === undefined) throw notLoggedIn('no cookie')
  const [session] = await orm
    .select({ userId: sessions.userId, email: sessions.email, sessionId: sessions.sessionHash })
    .from(sessions)
    .where(and(eq(sessions.sessionHash, await sha256Hex(secret)), gt(sessions.expiresAt, now.getTime())))
  if (!session) throw notLoggedIn('unknown, expired or ended')
  return session
}

/** Ends a session, if it exists, and its access tokens: immediately here, within 60 seconds in other isolates. */
export async function endSession({ orm, retry }: Database, secret: string): Promise<void> {
  const sessionHash = await sha256Hex(secret)
  await retry(() => orm.delete(sessions).where(eq(sessions.sessionHash, sessionHash)))
  forgetCached(sessionHash)
}

/** Deletes expired rows. A session stays until its last access token expires. @returns number of rows */
export async function purgeExpiredLogins({ orm, retry }: Database, now: Date): Promise<number> {
  const deleteExpired = (table: typeof sessions | typeof loginCodes | typeof finishedLogins, keptSeconds = 0) =>
    orm
      .delete(table)
      .where(lte(table.expiresAt, now.getTime() - keptSeconds * 1000))
      .returning({ expiresAt: table.expiresAt })
  const purgedRows = await retry(() =>
    orm.batch([
      deleteExpired(sessions, ACCESS_TOKEN_SECONDS),
      deleteExpired(loginCodes),
      deleteExpired(finishedLogins),
    ]),
  )
  return purgedRows.reduce((count, rows) => count + rows.length, 0)
}
