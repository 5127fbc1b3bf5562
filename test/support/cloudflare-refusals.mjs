/** What Cloudflare answers when it refuses, for its stand-in and for servers of tests. */

const TEXT = { 'Content-Type': 'text/plain; charset=UTF-8' }
const PAGE = { 'Content-Type': 'text/html; charset=UTF-8' }

/**
 * Answers of the edge in place of the service.
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

/**
 * Refusals of the API: which calls get them, and with what.
 *
 * @type {Record<string, { method: string, path: RegExp, status: number, code: number, message: string }>}
 */
export const API = {
  'a plan without CPU limits': {
    method: 'PUT',
    path: /^\/workers\/scripts\/[\w-]+$/,
    status: 400,
    code: 100328,
    message: 'CPU limits are not supported for the Free plan.',
  },
  'a token with rights of the account alone': {
    method: 'GET',
    path: /^\/(?:memberships|user|accounts)$/,
    status: 403,
    code: 10000,
    message: 'Authentication error',
  },
  'what is missing under another code': {
    method: 'GET',
    path: /verify-none/,
    status: 404,
    code: 10090,
    message: 'It does not exist.',
  },
  'a rollback to other secrets': {
    method: 'POST',
    path: /^\/workers\/scripts\/[\w-]+\/deployments$/,
    status: 400,
    code: 10220,
    message: 'The following secrets have changed: MASTER_KEY',
  },
  'an export with virtual tables': {
    method: 'POST',
    path: /^\/d1\/database\/[\w-]+\/export$/,
    status: 400,
    code: 7500,
    message: 'cannot export databases with Virtual Tables (fts5)',
  },
  'a lock by an export': {
    method: 'POST',
    path: /^\/d1\/database\/[\w-]+\/query$/,
    status: 400,
    code: 7500,
    message: 'Currently processing a long-running export.',
  },
  'a trigger that is cut': {
    method: 'POST',
    path: /^\/d1\/database\/[\w-]+\/query$/,
    status: 400,
    code: 7500,
    message: 'incomplete input: SQLITE_ERROR',
  },
  'an import that takes too long': {
    method: 'POST',
    path: /^\/d1\/database\/[\w-]+\/import$/,
    status: 400,
    code: 7500,
    message: 'D1 DB storage operation exceeded timeout which caused object to be reset.',
  },
  'a secret that cannot be set': {
    method: 'PATCH',
    path: /^\/workers\/scripts\/[\w-]+\/secrets-bulk$/,
    status: 400,
    code: 10215,
    message: 'Secret edit failed. You attempted to modify a secret, but the latest version is not deployed.',
  },
}
