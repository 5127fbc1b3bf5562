import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { BODY_IDLE_MS, MAX_BODY_BYTES, MAX_SMALL_BODY_BYTES } from '#shared/limits'
import type { AppEnv } from '#worker/http/context'
import { findEndpoint } from '#worker/http/endpoint/endpoint'
import { declaredLength, discard, tooLarge } from './body'
import { receiver } from './body-stream'

/**
 * Refuses a body that declares more bytes than the endpoint takes, before any other check
 * (docs/contract.md#order-of-checks). Reads and counts what a refused request still sends, without keeping it: many
 * clients read no answer before they have sent their body, and see a broken connection instead.
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
    const isTooLarge = declared !== undefined && declared > maxBytes
    if (!isTooLarge) {
      await next()
      if (c.res.ok) return
    }
    const isUnread = request.body !== null && !request.bodyUsed
    const isFoundTooLarge = isUnread && (await discard(receiver(request.body, BODY_IDLE_MS), 0, maxBytes))
    if (isTooLarge || isFoundTooLarge) throw tooLarge(maxBytes)
  })
