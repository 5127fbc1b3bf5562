import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '#worker/http/context'

/** A year, in seconds. */
const HSTS = 'max-age=31536000; includeSubDomains'

/**
 * Headers of every answer (docs/contract.md#response-headers). Answers hold secrets, tokens or a workspace's own
 * data, so caches must not keep them, unless the endpoint says otherwise. If the service has https, the header tells
 * browsers to use only https (RFC 6797).
 *
 * What is added to a finished answer is added to its own headers: `c.header` copies the whole answer each time.
 */
export const setAnswerHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { headers } = c.res
  headers.set('X-Content-Type-Options', 'nosniff')
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  // Caches know that answers differ by `Authorization` (RFC 9111, section 3.5). Other headers must be named.
  if (c.var.endpoint?.access.partnerToken) headers.append('Vary', 'X-Auth-Token')
  // The variable itself, which may be missing: `/health` answers that, with these headers.
  if (c.env.ISSUER?.startsWith('https:')) headers.set('Strict-Transport-Security', HSTS)
})
