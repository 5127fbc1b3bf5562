import { ApiError } from '#shared/errors/errors'
import { configOf } from '#worker/env'
import type { AppContext } from '#worker/http/context'

/**
 * Refuses requests that do not come from the service's own pages, so that no other page uses a browser's
 * session. Browsers say in `Sec-Fetch-Site` (Fetch Metadata) what kind of page sent a request, and with every
 * post they also send the page's origin. Both must agree if both are there. A page can set neither.
 *
 * @throws ApiError 403 for another origin, and for a post without one
 */
export function requireSameOrigin(c: AppContext): void {
  const site = c.req.header('Sec-Fetch-Site')
  const origin = c.req.header('Origin')
  const own = origin === new URL(configOf(c.env).issuer).origin && (site === undefined || site === 'same-origin')
  if (own || (c.req.method === 'GET' && origin === undefined && site === 'same-origin')) return
  throw new ApiError('forbidden', 'Only pages of this service may send this request.', {
    reason: origin === undefined ? 'no origin' : 'another origin',
  })
}

/**
 * Refuses a request that comes from a page of another site, so that no such page can start a login for a program. An
 * address that a program opens or that a person types comes from no page.
 *
 * @throws ApiError 403
 */
export function refuseOtherSites(c: AppContext): void {
  const site = c.req.header('Sec-Fetch-Site')
  if (site === undefined || site === 'none' || site === 'same-origin') return
  throw new ApiError(
    'forbidden',
    'A page of another site cannot start a command-line login. Open the address of the login directly.',
    { reason: 'started from another site' },
  )
}
