import { ApiError } from '#shared/errors/errors'

/** The 400 for a body that cannot be decrypted, the same for every cause (docs/contract.md#encrypted-answers). */
export const undecryptable = (cause: string): ApiError =>
  new ApiError('invalid_request', 'The encrypted body cannot be decrypted.', {
    reason: `encrypted body: ${cause}`,
  })
