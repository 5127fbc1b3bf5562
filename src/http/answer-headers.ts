import { createMiddleware } from 'hono/factory'
import { configOf } from '#env'
import type { AppEnv } from './context'

/** A year, in seconds. */
const HSTS = 'max-age=31536000; includeSubDomains'

/**
 * Headers that every answer carries. Answers are kept out of caches unless the endpoint says otherwise, because they hold
 * secrets, tokens or a workspace's own data. Browsers are told to use https only (RFC 6797) where the service has it.
 */
export const setAnswerHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  c.header('X-Content-Type-Options', 'nosniff')
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store')
  // A cache knows that answers differ by `Authorization` (RFC 9111, section 3.5), and has to be told of any other header.
  if (c.var.endpoint?.access.partnerToken) c.header('Vary', 'X-Auth-Token', { append: true })
  if (configOf(c.env).issuer.startsWith('https:')) c.header('Strict-Transport-Security', HSTS)
})
