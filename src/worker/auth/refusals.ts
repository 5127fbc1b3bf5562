import type { Scope } from '#shared/access/caller'
import { ApiError } from '#shared/errors/errors'

/** The 401 for an access token, the same for every failed check. `reason` is for the log and holds nothing secret. */
export const unauthenticated = (reason: string, cause?: unknown): ApiError =>
  new ApiError(
    'unauthorized',
    'The access token is missing, invalid or expired. Get a new one, and send the request again.',
    { reason, cause },
  )

/** The 403 for a valid token without a permission (RFC 6750, section 3.1). */
export const missingScope = (scope: Scope): ApiError =>
  new ApiError('forbidden', `The access token does not have the scope ${scope}, which this call needs.`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  })
