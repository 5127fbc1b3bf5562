import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './context'

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/

/** Gives every request an id: the caller's own if it is well-formed. Sends it back as `X-Request-Id`. */
export const identifyRequest = createMiddleware<AppEnv>(async (c, next) => {
  const sent = c.req.header('X-Request-Id')
  c.set('requestId', sent !== undefined && ACCEPTED.test(sent) ? sent : crypto.randomUUID())
  await next()
  c.res.headers.set('X-Request-Id', c.var.requestId)
})
