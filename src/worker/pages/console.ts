import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { randomId } from '#worker/crypto/random'
import type { AppEnv } from '#worker/http/context'
import { answerAsset, IMMUTABLE, OWN_SCRIPTS, pageHeaders, pageText } from '#worker/http/pages'

/** Placeholder for the nonce in the built page; see `scripts/assets.mjs`. */
const NONCE_PLACEHOLDER = 'nonce-of-this-answer'

/** Without caching, browsers request the icon again after each navigation. */
const KEPT_FOR_A_DAY = { 'Cache-Control': 'public, max-age=86400' }

/** Scripts and styles come from this service's files, except for the component library's `style` elements (nonce). */
const headersWith = (nonce: string) =>
  pageHeaders([...OWN_SCRIPTS, `style-src 'self' 'nonce-${nonce}'`, "img-src 'self' data:", "worker-src 'self'"])

/** The console's page, for every path below `/console/`. Its script reads the path. */
async function answerPage(c: Context<AppEnv>): Promise<Response> {
  const nonce = randomId('')
  const html = (await pageText(c, '/console/')).replaceAll(NONCE_PLACEHOLDER, nonce)
  return c.html(html, 200, { ...headersWith(nonce), 'Cache-Control': 'no-store' })
}

/** The web app for users with a spreadsheet and no programmer. It uses the public API. */
export const consoleRoutes = new Hono<AppEnv>({ strict: false })
  .get('/assets/:file', (c) => answerAsset(c, `/console/assets/${encodeURIComponent(c.req.param('file'))}`, IMMUTABLE))
  .get('/icon.svg', (c) => answerAsset(c, '/console/icon.svg', KEPT_FOR_A_DAY))
  .get('/', answerPage)
  .get('/*', answerPage)

/** Redirects browsers from the root path to the console. Other clients get 404. */
export const leadBrowsersToConsole: MiddlewareHandler<AppEnv> = async (c, next) => {
  const takesPages = c.req.header('Accept')?.includes('text/html') ?? false
  if (c.req.method !== 'GET' || !takesPages) return next()
  return c.body(null, 302, { Location: '/console/', 'Cache-Control': 'no-store', Vary: 'Accept' })
}
