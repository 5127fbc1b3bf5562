import { and, eq, gt } from 'drizzle-orm'
import { calculatePKCECodeChallenge } from 'oauth4webapi'
import { ApiError } from '#shared/errors/errors'
import { LOGIN_CODE_SECONDS } from '#shared/limits'
import { equalInConstantTime, sha256Hex } from '#worker/crypto/hash'
import { randomSecret } from '#worker/crypto/random'
import type { Database } from '#worker/storage/database'
import { loginCodes } from '#worker/storage/schema/control'
import type { User } from './sessions'

/**
 * Creates a one-time code for `LOGIN_CODE_SECONDS`. Only its hash is stored.
 *
 * @param codeChallenge of the client (RFC 7636), so that no one else can use the code
 */
export async function issueCode(
  { orm, retry }: Database,
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
  // The code is random: a conflict is this same row, from an attempt whose response was lost.
  await retry(() => orm.insert(loginCodes).values(row).onConflictDoNothing())
  return code
}

const invalidCode = (reason: string): ApiError =>
  new ApiError(
    'unauthorized',
    'The code is wrong, expired or already used, or the code_verifier does not belong to it. Start the login again.',
    { oauth: 'invalid_grant', reason: `login code: ${reason}` },
  )

/** The user of a code, which stays valid until `redeemCode`. A wrong verifier deletes it. @throws ApiError 401 */
export async function userOfCode(
  { orm, retry }: Database,
  { code, codeVerifier }: { code: string; codeVerifier: string },
  now: Date,
): Promise<User> {
  const codeHash = await sha256Hex(code)
  const [row] = await orm
    .select()
    .from(loginCodes)
    .where(and(eq(loginCodes.codeHash, codeHash), gt(loginCodes.expiresAt, now.getTime())))
  if (!row) throw invalidCode('unknown, used or expired')
  if (!(await equalInConstantTime(row.codeChallenge, await calculatePKCECodeChallenge(codeVerifier)))) {
    await retry(() => orm.delete(loginCodes).where(eq(loginCodes.codeHash, codeHash)))
    throw invalidCode('wrong verifier')
  }
  return { userId: row.userId, email: row.email }
}

/** Redeems a code. Only one request succeeds. @throws ApiError 401 for a used code */
export async function redeemCode({ orm }: Database, code: string): Promise<void> {
  const [redeemedCode] = await orm
    .delete(loginCodes)
    .where(eq(loginCodes.codeHash, await sha256Hex(code)))
    .returning({ codeHash: loginCodes.codeHash })
  if (!redeemedCode) throw invalidCode('used')
}
