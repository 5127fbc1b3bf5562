import { ApiError } from '#shared/errors/errors'
import type { AppContext } from '#worker/http/context'

/** Counts one request against a rate limit. @param what the start of the message @throws ApiError 429 */
export async function limitRate(rate: RateLimit, key: string, what: string, oauth?: string): Promise<void> {
  const { success } = await rate.limit({ key })
  if (!success) throw new ApiError('rate_limited', `${what} Try again later.`, { oauth })
}

/** The first 64 bits of an IPv6 address are one network, in which a caller may choose the rest. */
const networkOf = (address: string): string =>
  address.includes(':') ? address.replace(/^((?:[^:]*:){4}).*$/, '$1') : address

/** Where a request comes from: an IPv4 address or the network of an IPv6 address; empty if it is not known. */
export const addressOf = (c: AppContext): string => networkOf(c.req.header('CF-Connecting-IP') ?? '')

/**
 * Counts a look-up of what anybody can make up, so that strangers cannot hold the control database.
 *
 * @throws ApiError 429
 */
export async function limitLookups(
  c: AppContext,
  what: 'origin' | 'partner key' | 'session' | 'code' | 'health',
): Promise<void> {
  const address = addressOf(c)
  // Only a service without Cloudflare in front, as on a developer's machine, does not know it.
  if (address === '') return
  await limitRate(c.env.TOKEN_RATE_LIMIT, `look-up of a ${what}: ${address}`, 'Too many requests from your address.')
}
