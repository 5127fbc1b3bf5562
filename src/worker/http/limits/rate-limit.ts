import { ApiError } from '#shared/errors/errors'
import type { AppContext } from '#worker/http/context'

/** Counts one request against a rate limit. @param what the start of the message @throws ApiError 429 */
export async function limitRate(rate: RateLimit, key: string, what: string, oauth?: string): Promise<void> {
  const { success } = await rate.limit({ key })
  if (!success) throw new ApiError('rate_limited', `${what} Try again later.`, { oauth })
}

const IPV4_IN_IPV6 = /^(?:0*:)*:?ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** The first 64 bits of an IPv6 address name a network. A caller may choose the rest. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [, ipv4] = IPV4_IN_IPV6.exec(address) ?? []
  if (ipv4 !== undefined) return ipv4
  // Two colons replace any number of zeros. An IPv4 address at the end replaces two groups.
  const [start = [], end] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const missing = end === undefined ? 0 : 8 - start.length - end.length - (end.at(-1)?.includes('.') ? 1 : 0)
  const groups = [...start, ...Array<string>(Math.max(0, missing)).fill('0'), ...(end ?? [])]
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')
}

/** The source of a request: an IPv4 address or the network of an IPv6 address; empty if unknown. */
export const addressOf = (c: AppContext): string => networkOf(c.req.header('CF-Connecting-IP') ?? '')

/**
 * Limits lookups of values that anyone can make up, so that strangers cannot block the control database.
 *
 * @throws ApiError 429
 */
export async function limitLookups(
  c: AppContext,
  what: 'origin' | 'partner key' | 'session' | 'code' | 'health',
): Promise<void> {
  const address = addressOf(c)
  // Unknown only without Cloudflare in front, as on a developer's machine.
  if (address === '') return
  await limitRate(c.env.TOKEN_RATE_LIMIT, `look-up of a ${what}: ${address}`, 'Too many requests from your address.')
}
