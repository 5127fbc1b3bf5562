import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './context'

/** Keeps answers with secrets or tokens, and the refusals in their place, out of caches (RFC 6749, section 5.1). */
export const noStore = createMiddleware<AppEnv>(async (c, next) => {
  c.header('Cache-Control', 'no-store')
  c.header('Pragma', 'no-cache')
  await next()
})
