import { configOf } from '../env'
import { ApiError } from '../errors'
import type { AppContext } from '../http/context'

/**
 * Lets only the service's own pages pass, so that no other page uses the session of a browser. Browsers name the page's
 * origin with every post, and what page sent it in `Sec-Fetch-Site` (Fetch Metadata); both must agree where both are there.
 *
 * @throws ApiError 403 for another origin, and where none is named
 */
export function requireSameOrigin(c: AppContext): void {
  const site = c.req.header('Sec-Fetch-Site')
  const origin = c.req.header('Origin')
  if (origin === new URL(configOf(c.env).issuer).origin && (site === undefined || site === 'same-origin'))
    return
  throw new ApiError('forbidden', 'This is for the pages of this service only.', {
    reason: origin === undefined ? 'no origin' : 'another origin',
  })
}
