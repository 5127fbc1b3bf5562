import { createMiddleware } from 'hono/factory'
import { configOf } from '#worker/env'
import type { AppContext, AppEnv } from '#worker/http/context'
import type { Access } from '#worker/http/endpoint/endpoint'
import { unknownPathError } from '#worker/http/errors'
import { readCookie } from './cookies'
import type { RelyingParty } from './provider'
import { requireSameOrigin } from './same-origin'

/** @throws ApiError 404, as for an unknown path, when no provider is configured */
export function relyingParty(c: AppContext): RelyingParty {
  const { loginProvider: provider, issuer } = configOf(c.env)
  if (provider === undefined) throw unknownPathError('no login provider configured')
  return { provider, issuer }
}

const requireProvider = createMiddleware<AppEnv>(async (c, next) => {
  relyingParty(c)
  await next()
})

/** No credential needed. 404 when no login provider is configured. */
export const visitor: Access = {
  kind: 'anyone',
  partnerToken: false,
  errors: ['not_found'],
  middlewares: [requireProvider],
}

/** Only this service's own pages may use the cookie. */
const requireOwnPage = createMiddleware<AppEnv>(async (c, next) => {
  if (readCookie(c, 'session') !== undefined) requireSameOrigin(c)
  await next()
})

/** A browser's session. The handlers check it. 404 when no login provider is configured. */
export const session: Access = {
  kind: 'session',
  partnerToken: false,
  errors: ['unauthorized', 'forbidden', 'not_found'],
  middlewares: [requireProvider, requireOwnPage],
}
