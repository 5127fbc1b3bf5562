import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { randomId } from '#worker/crypto/random'
import type { AppEnv } from '#worker/http/context'
import { answerAsset, IMMUTABLE, OWN_SCRIPTS, pageHeaders, pageText } from '#worker/http/pages'

/** Vite writes this into the built page in place of the nonce; see `scripts/assets.mjs`. */
const NONCE_PLACEHOLDER = 'nonce-of-this-answer'

/** Browsers ask for the icon at each change of the address, unless they may keep it. */
const KEPT_FOR_A_DAY = { 'Cache-Control': 'public, max-age=86400' }

/** Scripts and styles come from own files, except for `style` elements of the component library (nonce). */
const headersWith = (nonce: string) =>
  pageHeaders([...OWN_SCRIPTS, `style-src 'self' 'nonce-${nonce}'`, "img-src 'self' data:", "worker-src 'self'"])

/** The page of the console, for every address below `/console/`: the page itself reads the address. */
async function answerPage(c: Context<AppEnv>): Promise<Response> {
  const nonce = randomId('')
  const html = (await pageText(c, '/console/')).replaceAll(NONCE_PLACEHOLDER, nonce)
  return c.html(html, 200, { ...headersWith(nonce), 'Cache-Control': 'no-store' })
}

/** The web page for people who have a spreadsheet and no programmer. It uses the API like everybody else. */
export const consoleRoutes = new Hono<AppEnv>({ strict: false })
  .get('/assets/:file', (c) => answerAsset(c, `/console/assets/${encodeURIComponent(c.req.param('file'))}`, IMMUTABLE))
  .get('/icon.svg', (c) => answerAsset(c, '/console/icon.svg', KEPT_FOR_A_DAY))
  .get('/', answerPage)
  .get('/*', answerPage)

/** Leads people who open the bare origin to the console. Programs get the answer of an unknown path. */
export const leadBrowsersToConsole: MiddlewareHandler<AppEnv> = async (c, next) => {
  const takesPages = c.req.header('Accept')?.includes('text/html') ?? false
  if (c.req.method !== 'GET' || !takesPages) return next()
  return c.body(null, 302, { Location: '/console/', 'Cache-Control': 'no-store', Vary: 'Accept' })
}
