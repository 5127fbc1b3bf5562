import { createMiddleware } from 'hono/factory'
import { ApiError } from '#shared/errors/errors'
import { configOf } from '#worker/env'
import type { AppContext, AppEnv } from '#worker/http/context'
import type { Access } from '#worker/http/endpoint/endpoint'
import { unknownPathError } from '#worker/http/errors'
import { readCookie } from './cookies'
import type { RelyingParty } from './provider'

/** @throws ApiError 404, as for an unknown path, if no provider is configured */
export function relyingParty(c: AppContext): RelyingParty {
  const { loginProvider: provider, issuer } = configOf(c.env)
  if (provider === undefined) throw unknownPathError('no login provider configured')
  return { provider, issuer }
}

const requireProvider = createMiddleware<AppEnv>(async (c, next) => {
  relyingParty(c)
  await next()
})

/** For everyone, if a login provider is configured; otherwise 404. */
export const loginConfigured: Access = {
  kind: 'anyone',
  partnerToken: false,
  errors: ['not_found'],
  middlewares: [requireProvider],
}

/**
 * Rejects requests that do not come from the service's own pages. Browsers show it in `Sec-Fetch-Site` (Fetch Metadata)
 * and, for every POST, in `Origin`. A page can set neither.
 *
 * @throws ApiError 403
 */
export function requireSameOrigin(c: AppContext): void {
  const site = c.req.header('Sec-Fetch-Site')
  const origin = c.req.header('Origin')
  const own = origin === new URL(configOf(c.env).issuer).origin && (site === undefined || site === 'same-origin')
  if (own || (c.req.method === 'GET' && origin === undefined && site === 'same-origin')) return
  throw new ApiError('forbidden', 'Only pages of this service may send this request.', {
    reason: origin === undefined ? 'session: no Origin header' : 'session: request from another origin',
  })
}

/** Rejects a request from a page of another site, which must not start a login for a program. @throws ApiError 403 */
export function refuseOtherSites(c: AppContext): void {
  const site = c.req.header('Sec-Fetch-Site')
  if (site === undefined || site === 'none' || site === 'same-origin') return
  throw new ApiError(
    'forbidden',
    'A page of another site cannot start a command-line login. Open the address of the login directly.',
    { reason: 'login: started from another site' },
  )
}

/** Only this service's own pages may use the cookie. */
const requireOwnPage = createMiddleware<AppEnv>(async (c, next) => {
  if (readCookie(c, 'session') !== undefined) requireSameOrigin(c)
  await next()
})

/** Checks the origin of a request with a cookie. The handler must authenticate the cookie itself (`sessionUser`). */
export const sameOriginCookie: Access = {
  kind: 'session',
  partnerToken: false,
  errors: ['unauthorized', 'forbidden', 'not_found'],
  middlewares: [requireProvider, requireOwnPage],
}
