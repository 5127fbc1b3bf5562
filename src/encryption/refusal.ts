import { ApiError } from '#errors'

/**
 * The 400 for a body that cannot be decrypted. It is the same for every cause
 * (docs/contract.md#encrypted-answers).
 *
 * @param cause for the log only
 */
export const undecryptable = (cause: string): ApiError =>
  new ApiError('invalid_request', 'The encrypted body cannot be decrypted.', {
    reason: `encrypted body: ${cause}`,
  })
