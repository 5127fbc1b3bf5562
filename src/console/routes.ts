import { type Context, Hono } from 'hono'
import { randomId } from '#crypto/random'
import { ApiError } from '#errors'
import { findAsset } from '#http/assets'
import type { AppEnv } from '#http/context'
import { OWN_SCRIPTS, pageHeaders } from '#http/page-headers'

/** What Vite leaves in the built page for the nonce; see `scripts/assets.mjs`. */
const NONCE_PLACEHOLDER = 'nonce-of-this-answer'

/** The names of these files hold a hash of their content. */
const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/**
 * Scripts come from this service's files alone, styles too, but for the `style` elements of the component library, which
 * carry the nonce. A spreadsheet workbook is read by a worker.
 */
const headersWith = (nonce: string) =>
  pageHeaders([
    ...OWN_SCRIPTS,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "worker-src 'self'",
  ])

/** The one page of the console, whatever the address below `/console/`: the page itself reads it. */
async function answerPage(c: Context<AppEnv>): Promise<Response> {
  // Not the browser's own headers: the answer differs each time, and is never the one that it has.
  const asset = await c.env.ASSETS.fetch(new URL('/console/', c.req.url))
  if (!asset.ok) throw new Error('the console is missing: it comes from scripts/assets.mjs')
  const nonce = randomId('')
  const html = (await asset.text()).replaceAll(NONCE_PLACEHOLDER, nonce)
  return c.html(html, 200, { ...headersWith(nonce), 'Cache-Control': 'no-store' })
}

async function answerFile(c: Context<AppEnv>, path: string, headers?: Record<string, string>) {
  const asset = await findAsset(c, path, headers)
  if (asset === undefined) throw new ApiError('not_found', 'The console has no such file.')
  return asset
}

/** The web page for people who have a spreadsheet and no programmer. It uses the API as anybody else does. */
export const consoleRoutes = new Hono<AppEnv>({ strict: false })
  .get('/assets/:file', (c) =>
    answerFile(c, `/console/assets/${encodeURIComponent(c.req.param('file'))}`, IMMUTABLE),
  )
  .get('/icon.svg', (c) => answerFile(c, '/console/icon.svg'))
  .get('/', answerPage)
  .get('/*', answerPage)
