import { and, eq, gt } from 'drizzle-orm'
import { calculatePKCECodeChallenge } from 'oauth4webapi'
import { equalInConstantTime, sha256Hex } from '#crypto/hash'
import { randomSecret } from '#crypto/random'
import { LOGIN_CODE_SECONDS } from '#limits'
import { retrying } from '#storage/d1'
import type { Database } from '#storage/database'
import { loginCodes } from '#storage/schema'
import { invalidCode } from './refusals'
import type { User } from './sessions'

/**
 * Makes a one-time code of `LOGIN_CODE_SECONDS`, which a command-line client exchanges for an access token.
 *
 * @param codeChallenge of the client (RFC 7636): another program that sees the code cannot use it
 * @returns the code; only a hash of it is stored
 */
export async function issueCode(
  { orm }: Database,
  { userId, email }: User,
  codeChallenge: string,
  now: Date,
): Promise<string> {
  const code = randomSecret('dcs_code_')
  const row = {
    codeHash: await sha256Hex(code),
    codeChallenge,
    userId,
    email,
    createdAt: now.getTime(),
    expiresAt: now.getTime() + LOGIN_CODE_SECONDS * 1000,
  }
  // The code is random: a conflict is this same row, of an attempt whose answer was lost.
  await retrying(() => orm.insert(loginCodes).values(row).onConflictDoNothing())
  return code
}

/**
 * Whom a code was made for. A code that comes with a wrong verifier is lost: somebody else has it. A right one is
 * **not** used up; see `redeemCode`.
 *
 * @throws ApiError 401 for a code that is unknown, used or expired, and for a wrong verifier
 */
export async function userOfCode(
  { orm }: Database,
  { code, codeVerifier }: { code: string; codeVerifier: string },
  now: Date,
): Promise<User> {
  const codeHash = await sha256Hex(code)
  const [found] = await orm
    .select()
    .from(loginCodes)
    .where(and(eq(loginCodes.codeHash, codeHash), gt(loginCodes.expiresAt, now.getTime())))
  if (!found) throw invalidCode('unknown, used or expired')
  if (!(await equalInConstantTime(found.codeChallenge, await calculatePKCECodeChallenge(codeVerifier)))) {
    await retrying(() => orm.delete(loginCodes).where(eq(loginCodes.codeHash, codeHash)))
    throw invalidCode('wrong verifier')
  }
  return { userId: found.userId, email: found.email }
}

/**
 * Uses a code up: of any number of calls, one succeeds.
 *
 * @throws ApiError 401 for a code that is used
 */
export async function redeemCode({ orm }: Database, code: string): Promise<void> {
  const [used] = await orm
    .delete(loginCodes)
    .where(eq(loginCodes.codeHash, await sha256Hex(code)))
    .returning({ codeHash: loginCodes.codeHash })
  if (!used) throw invalidCode('used')
}
