import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { BODY_IDLE_MS, MAX_BODY_BYTES, MAX_SMALL_BODY_BYTES, REQUEST_DEADLINE_MS } from '#shared/limits'
import { findEndpoint } from '#worker/http/endpoint/endpoint'
import { Deadline, withinTime } from '#worker/storage/deadline'
import { declaredLength, discard, tooLarge } from './body/body'
import { bodyReader } from './body/body-stream'
import type { AppEnv } from './context'
import { noteArrival } from './steps'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** Sets the request ID: the caller's own if it is well-formed. Returns it as `X-Request-Id`. */
export const identifyRequest = createMiddleware<AppEnv>(async (c, next) => {
  noteArrival()
  const ownId = c.req.header('X-Request-Id')
  c.set('requestId', ownId !== undefined && REQUEST_ID.test(ownId) ? ownId : crypto.randomUUID())
  await next()
  c.res.headers.set('X-Request-Id', c.var.requestId)
})

/** Returns 504 if a request takes longer than `limitMs` (docs/contract.md#deadline). Its work continues. */
export const enforceDeadline = (limitMs: number = REQUEST_DEADLINE_MS) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const deadline = new Deadline()
    c.set('deadline', deadline)
    const work = next()
    c.executionCtx.waitUntil(work.catch(() => undefined))
    try {
      await withinTime(work, limitMs, () => {
        throw deadline.expire()
      })
    } finally {
      c.var.leases?.releaseAll()
    }
  })

const HSTS = 'max-age=31536000; includeSubDomains'

/** Headers of every response (docs/contract.md#response-headers). `c.header` would copy the response each time. */
export const setAnswerHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { headers } = c.res
  headers.set('X-Content-Type-Options', 'nosniff')
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  // Caches know that responses vary by `Authorization` (RFC 9111, section 3.5). Other headers must be listed.
  if (c.var.endpoint?.access.partnerToken) headers.append('Vary', 'X-Auth-Token')
  // From `env` itself, because it may be missing: `/health` reports that, and its response also gets these headers.
  if (c.env.ISSUER?.startsWith('https:')) headers.set('Strict-Transport-Security', HSTS)
})

/**
 * Rejects a body with a too large declared size. Reads the rest of a rejected request's body, because many clients only
 * read the response after they have sent it.
 */
export const limitBody = (app: Hono<AppEnv>) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const request = c.req.raw
    // Other requests get their endpoint from its route, which saves a second lookup.
    const endpoint = request.body === null ? undefined : findEndpoint(app, c.req.method, c.req.path)
    if (endpoint !== undefined) c.set('endpoint', endpoint)
    const maxBytes = endpoint?.body?.small ? MAX_SMALL_BODY_BYTES : MAX_BODY_BYTES
    c.set('maxBodyBytes', maxBytes)
    const declaredBytes = declaredLength(request)
    const isTooLarge = declaredBytes !== undefined && declaredBytes > maxBytes
    if (!isTooLarge) {
      await next()
      if (c.res.ok) return
    }
    const isUnread = request.body !== null && !request.bodyUsed
    const isActuallyTooLarge = isUnread && (await discard(bodyReader(request.body, BODY_IDLE_MS), 0, maxBytes))
    if (isTooLarge || isActuallyTooLarge) throw tooLarge(maxBytes)
  })
