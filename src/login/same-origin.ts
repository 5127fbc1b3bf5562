import { configOf } from '#env'
import { ApiError } from '#errors'
import type { AppContext } from '#http/context'

/**
 * Lets only the service's own pages pass, so that no other page uses the session of a browser. Browsers say with every
 * request what kind of page sent it, in `Sec-Fetch-Site` (Fetch Metadata), and with every post the page's origin, too;
 * both must agree where both are there. A page can set neither of the two.
 *
 * @throws ApiError 403 for another origin, and where a post names none
 */
export function requireSameOrigin(c: AppContext): void {
  const site = c.req.header('Sec-Fetch-Site')
  const origin = c.req.header('Origin')
  const own =
    origin === new URL(configOf(c.env).issuer).origin && (site === undefined || site === 'same-origin')
  if (own || (c.req.method === 'GET' && origin === undefined && site === 'same-origin')) return
  throw new ApiError('forbidden', 'This is for the pages of this service only.', {
    reason: origin === undefined ? 'no origin' : 'another origin',
  })
}
