import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ApiError } from '#shared/errors/errors'
import { isRegisteredOrigin } from '#worker/auth/partner/credentials'
import type { AppContext, AppEnv } from '#worker/http/context'
import { findEndpoint } from '#worker/http/endpoint/endpoint'

const REQUEST_HEADERS = [
  'Authorization',
  'Content-Encoding',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'X-Auth-Token',
  'X-D1-Bookmark',
  'X-Encryption',
  'X-Request-Id',
]

/** Headers that a page may read, in addition to those that CORS always exposes. */
const RESPONSE_HEADERS = [
  'ETag',
  'Idempotency-Replayed',
  'Retry-After',
  'X-D1-Bookmark',
  'X-Encryption',
  'X-Request-Id',
  'X-Total-Count',
]

/** Seconds for which a browser may cache a preflight response: the most that Chromium accepts. */
const PREFLIGHT_SECONDS = 7200

/** Whether a page of this origin may read the response. Any partner's page may read an error before authentication. */
async function mayRead(c: AppContext, origin: string): Promise<boolean> {
  const { caller } = c.var
  if (caller) return caller.partner?.allowedOrigins.includes(origin) ?? false
  try {
    return await isRegisteredOrigin(c, origin, new Date())
  } catch (error) {
    // Keep the response. Without the header, a page of this origin cannot read it.
    if (error instanceof ApiError && error.code === 'rate_limited') return false
    throw error
  }
}

/**
 * Handles CORS on the endpoints that accept partner tokens (docs/contract.md#cors). A preflight has no credential, so
 * any registered origin is allowed.
 */
export const partnerCors = (app: Hono<AppEnv>) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const origin = c.req.header('Origin')
    const method = c.req.header('Access-Control-Request-Method')
    if (c.req.method === 'OPTIONS' && origin !== undefined && method !== undefined) {
      const target = findEndpoint(app, method, c.req.path)
      if (target?.access.partnerToken && (await isRegisteredOrigin(c, origin, new Date()))) {
        return c.body(null, 204, {
          'Access-Control-Allow-Origin': origin,
          'Access-Control-Allow-Methods': method,
          'Access-Control-Allow-Headers': REQUEST_HEADERS.join(', '),
          'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
          Vary: 'Origin, Access-Control-Request-Method',
        })
      }
    }
    await next()
    if (!c.var.endpoint?.access.partnerToken) return
    c.res.headers.append('Vary', 'Origin')
    if (origin === undefined || !(await mayRead(c, origin))) return
    c.res.headers.set('Access-Control-Allow-Origin', origin)
    c.res.headers.set('Access-Control-Expose-Headers', RESPONSE_HEADERS.join(', '))
  })
