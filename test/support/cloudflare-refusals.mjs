/** Cloudflare's own error responses, for the tests' servers. */

const TEXT = { 'Content-Type': 'text/plain; charset=UTF-8' }
const PAGE = { 'Content-Type': 'text/html; charset=UTF-8' }

/**
 * The edge's responses in place of the service.
 *
 * @type {Record<string, { status: number, headers: Record<string, string>, text: string }>}
 */
export const EDGE = {
  challenge: {
    status: 403,
    headers: { ...PAGE, 'cf-mitigated': 'challenge' },
    text: '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title></head></html>',
  },
  1010: { status: 403, headers: TEXT, text: 'error code: 1010' },
  1015: { status: 429, headers: { ...TEXT, 'Retry-After': '0' }, text: 'error code: 1015' },
  1020: {
    status: 403,
    headers: PAGE,
    text: '<!DOCTYPE html><h1>Error <span class="cf-error-code">1020</span></h1><h2>Access denied</h2>',
  },
  1101: { status: 500, headers: TEXT, text: 'error code: 1101' },
  1102: { status: 503, headers: TEXT, text: 'error code: 1102' },
}
