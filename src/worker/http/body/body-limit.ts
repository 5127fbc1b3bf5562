import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { BODY_IDLE_MS, MAX_BODY_BYTES, MAX_SMALL_BODY_BYTES } from '#shared/limits'
import type { AppEnv } from '#worker/http/context'
import { findEndpoint } from '#worker/http/endpoint/endpoint'
import { declaredLength, discard, tooLarge } from './body'
import { receiver } from './body-stream'

/**
 * Refuses a body that declares more bytes than the endpoint takes, before any other check
 * (docs/contract.md#order-of-checks). Reads and counts what a refused request still sends, without keeping it, because
 * a client that is cut off in the middle of a body does not see the answer.
 *
 * @param app its endpoints say whether they take small bodies only
 */
export const limitBody = (app: Hono<AppEnv>) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const request = c.req.raw
    // Other requests learn their endpoint from its route, which spares them a second look-up.
    const endpoint = request.body === null ? undefined : findEndpoint(app, c.req.method, c.req.path)
    if (endpoint !== undefined) c.set('endpoint', endpoint)
    const maxBytes = endpoint?.body?.small ? MAX_SMALL_BODY_BYTES : MAX_BODY_BYTES
    c.set('maxBodyBytes', maxBytes)
    const declared = declaredLength(request)
    if (declared !== undefined && declared > maxBytes) throw tooLarge(maxBytes)
    await next()
    if (c.res.ok || declared !== undefined || request.body === null || request.bodyUsed) return
    if (await discard(receiver(request.body, BODY_IDLE_MS), 0, maxBytes)) throw tooLarge(maxBytes)
  })
