import { Hono } from 'hono'
import { configOf } from '#env'
import { ApiError } from '#errors'
import { findAsset } from '#http/assets'
import type { AppContext, AppEnv } from '#http/context'
import { openapiJson } from './document'
import { ASSET_TYPES, INITIALISER, INITIALISER_JS, PAGE_HEADERS, PAGE_HTML } from './page'

const NOSNIFF = { 'X-Content-Type-Options': 'nosniff' }

/** A file of the page. All but the initialiser are static assets, which are reached through the Worker alone. */
async function answerFile(c: AppContext, file: string): Promise<Response> {
  if (file === INITIALISER) {
    return c.body(INITIALISER_JS, 200, { ...NOSNIFF, 'Content-Type': 'text/javascript; charset=utf-8' })
  }
  const type = Object.hasOwn(ASSET_TYPES, file) ? ASSET_TYPES[file] : undefined
  if (type === undefined) throw new ApiError('not_found', 'The API description has no such file.')
  const asset = await findAsset(c, `/docs/${file}`, { 'Content-Type': type })
  if (asset === undefined) {
    throw new Error(`the asset docs/${file} is missing: it comes from scripts/assets.mjs`)
  }
  return asset
}

/** `/openapi.json` and `/docs` (decisions, section 14). */
export const descriptionRoutes = new Hono<AppEnv>({ strict: false })
  .get('/openapi.json', (c) =>
    c.body(openapiJson(configOf(c.env).issuer), 200, { ...NOSNIFF, 'Content-Type': 'application/json' }),
  )
  .get('/docs', (c) => c.html(PAGE_HTML, 200, PAGE_HEADERS))
  .get('/docs/:file', (c) => answerFile(c, c.req.param('file')))
