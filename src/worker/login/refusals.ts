import { ApiError, type ErrorCode } from '#shared/errors/errors'

/** The library's code of the failure, such as `OAUTH_JWT_CLAIM_COMPARISON_FAILED`: nothing from the answer. */
const oauthCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? `: ${error.code}` : ''

/** @param step the request to the provider; for the log only */
export const providerUnavailable = (step: string, cause?: unknown): ApiError =>
  new ApiError('unavailable', 'The login provider cannot be reached. Try again later.', {
    reason: `login provider, ${step}${oauthCode(cause)}`,
    cause,
  })

/** The 401 for a login that the provider refused, and for one that fails a check. It is the same for both. */
export const refusedByProvider = (cause: unknown): ApiError =>
  new ApiError('unauthorized', 'The login provider did not confirm the login. Start it again.', {
    reason: `login${oauthCode(cause)}`,
    cause,
  })

/** A refusal whose reason is for the log only. */
const refusalFor =
  (code: ErrorCode, what: string, message: string, oauth?: string) =>
  (reason: string): ApiError =>
    new ApiError(code, message, { oauth, reason: `${what}: ${reason}` })

export const lostTransaction = refusalFor(
  'invalid_request',
  'login',
  'The login has expired, is already finished or was started in another browser. Start it again.',
)

export const noVerifiedEmail = (): ApiError =>
  new ApiError(
    'forbidden',
    'The account has no verified email address. Verify it at the login provider, then log in again.',
  )

export const notAMember = (): ApiError =>
  new ApiError(
    'forbidden',
    'The account is not a member of any workspace. Ask an admin of a workspace to add its email address.',
  )

export const notLoggedIn = refusalFor('unauthorized', 'session', 'There is no session, or it has ended. Log in again.')

export const invalidCode = refusalFor(
  'unauthorized',
  'login code',
  'The code is wrong, expired or already used, or the code_verifier does not belong to it. Start the login again.',
  'invalid_grant',
)
