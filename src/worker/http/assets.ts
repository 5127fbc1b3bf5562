import type { AppContext } from './context'

/** The answer may be kept for good: the name of the file holds a hash of its content. */
export const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/**
 * A file of `dist/assets`. Browsers reach these files only through the Worker. Passes on the browser's conditional
 * headers, so that a file that the browser already has is answered with 304.
 *
 * @param path from `dist/assets`, with a leading slash
 * @param headers added to those of the asset
 * @returns undefined when there is no such file
 */
export async function findAsset(
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
