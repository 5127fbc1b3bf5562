import { type Context, Hono } from 'hono'
import { ApiError } from '#shared/errors/errors'
import { findAsset, IMMUTABLE } from '#worker/http/assets'
import type { AppEnv } from '#worker/http/context'
import { OWN_SCRIPTS, pageHeaders } from '#worker/http/page-headers'

/**
 * As strict as the pages of partners may be: nothing in the page itself, no text that is read as HTML or as a script.
 * The element must work with it.
 */
const HEADERS = {
  ...pageHeaders([
    ...OWN_SCRIPTS,
    "style-src 'self'",
    "img-src 'self' data:",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]),
  'Cache-Control': 'no-store',
}

async function answerFile(c: Context<AppEnv>, path: string, headers: Record<string, string>) {
  const asset = await findAsset(c, path, headers)
  if (asset === undefined) throw new ApiError('not_found', 'The demo has no such file.')
  return asset
}

/** A page to try the search element on, for people who are logged in. */
export const demoRoutes = new Hono<AppEnv>({ strict: false })
  .get('/', (c) => answerFile(c, '/embed/demo/', HEADERS))
  .get('/assets/:file', (c) =>
    answerFile(c, `/embed/demo/assets/${encodeURIComponent(c.req.param('file'))}`, IMMUTABLE),
  )
