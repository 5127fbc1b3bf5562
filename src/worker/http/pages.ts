import { ApiError } from '#shared/errors/errors'
import type { AppContext } from './context'

/** The answer may be kept for good: the name of the file holds a hash of its content. */
export const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/**
 * A file of `dist/assets`; undefined when there is no such file. Passes on the browser's conditional headers, so that a
 * file that the browser already has is answered with 304.
 */
async function findAsset(
  c: AppContext,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response | undefined> {
  const asset = await c.env.ASSETS.fetch(new Request(new URL(path, c.req.url), { headers: c.req.raw.headers }))
  if (!asset.ok && asset.status !== 304) return undefined
  const response = new Response(asset.body, asset)
  response.headers.set('X-Content-Type-Options', 'nosniff')
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

/** The answer with a file that a browser names. @throws ApiError 404 when there is none */
export async function answerAsset(c: AppContext, path: string, headers?: Record<string, string>): Promise<Response> {
  const asset = await findAsset(c, path, headers)
  if (asset === undefined) throw new ApiError('not_found', 'The service has no such file.')
  return asset
}

/** The text of a page that every build has, for an answer that differs from the asset. @throws Error without it */
export async function pageText(c: AppContext, path: string): Promise<string> {
  // Without the browser's conditional headers, which could make this an empty 304.
  const asset = await c.env.ASSETS.fetch(new URL(path, c.req.url))
  if (!asset.ok) throw new Error(`the asset ${path} is missing: it comes from scripts/assets.mjs`)
  return asset.text()
}

/** The answer with a file that every build has. @throws Error when it is missing */
export async function requireAsset(c: AppContext, path: string, headers?: Record<string, string>): Promise<Response> {
  const asset = await findAsset(c, path, headers)
  if (asset === undefined) throw new Error(`the asset ${path} is missing: it comes from scripts/assets.mjs`)
  return asset
}

/**
 * Headers of the service's own pages: they load nothing from elsewhere, cannot be framed, and send no referrer.
 *
 * @param formAction where forms may lead, redirects of their answers included
 * @param directives besides those that all pages share; everything else is forbidden
 */
export const pageHeaders = (
  directives: readonly string[],
  formAction = "'none'",
): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    ...directives,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
})

/** Directives of a page with scripts: they come from this service and talk to this service only. */
export const OWN_SCRIPTS: readonly string[] = ["script-src 'self'", "connect-src 'self'"]
