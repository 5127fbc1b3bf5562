import { ApiError } from '#shared/errors/errors'

/**
 * Counts one request against a rate limit.
 *
 * @param key requests with the same key are counted together
 * @param what the start of the message, such as `The workspace sends too many requests.`
 * @param oauth OAuth 2.0 error code for the body
 * @throws ApiError 429 over the rate
 */
export async function limitRate(rate: RateLimit, key: string, what: string, oauth?: string): Promise<void> {
  const { success } = await rate.limit({ key })
  if (!success) throw new ApiError('rate_limited', `${what} Try again later.`, { oauth })
}
