import { ApiError } from '#shared/errors/errors'
import type { AppContext } from './context'

/** For responses that may be cached forever, because the file name contains a hash of its content. */
export const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** A file of `dist/assets`; 304 if the browser already has it. @throws ApiError 404; Error for one of every build */
export async function answerAsset(
  c: AppContext,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  isOfEveryBuild = false,
): Promise<Response> {
  const asset = await c.env.ASSETS.fetch(new Request(new URL(path, c.req.url), { headers: c.req.raw.headers }))
  if (!asset.ok && asset.status !== 304)
    throw isOfEveryBuild ? missingAsset(path) : new ApiError('not_found', 'This file does not exist.')
  const response = new Response(asset.body, asset)
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

const missingAsset = (path: string) => new Error(`the asset ${path} is missing: it comes from scripts/assets.mjs`)

/** The text of a page from the build, for a response that differs from it. @throws Error if the build lacks it */
export async function pageText(c: AppContext, path: string): Promise<string> {
  // Without the browser's conditional headers, which could cause an empty 304.
  const asset = await c.env.ASSETS.fetch(new URL(path, c.req.url))
  if (!asset.ok) throw missingAsset(path)
  return asset.text()
}

/**
 * Headers of our own pages: they load nothing from elsewhere, cannot be framed, and send no referrer.
 *
 * @param directives further allowed sources
 * @param formAction where forms may lead, including redirects
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
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
})

/** Directives of a page with scripts, which come from this service and only connect to it. */
export const OWN_SCRIPTS: readonly string[] = ["script-src 'self'", "connect-src 'self'"]
