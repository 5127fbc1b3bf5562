import { DATASETS } from '#client/api'
import type { Request } from '#client/request'
import { isDryRun, KEYED_POSTS, keyIn } from '#client/retry'
import { isJsonObject } from '#shared/json/exact-numbers'
import { CHANGES } from '#shared/records/change'

/**
 * Recognizes responses of the service. Anything between may return 200: a network's login page, or a proxy under
 * repair. Headers prove nothing, because a proxy may remove them.
 */

/** Properties of the responses without an envelope. */
const BARE_ANSWERS: Readonly<Record<string, readonly string[]>> = {
  [`GET ${DATASETS}`]: ['items', 'total'],
  'POST /api/v1/auth/token': ['access_token', 'expires_in'],
  'POST /api/v1/auth/session': ['access_token', 'expires_in'],
  'POST /api/v1/auth/session/token': ['access_token', 'expires_in'],
  'GET /.well-known/jwks.json': ['keys'],
  'GET /.well-known/oauth-authorization-server': ['issuer'],
  'GET /health': ['version'],
  'GET /embed/': ['versions'],
  'GET /client/': ['version'],
}

const WRITE_COUNTS = ['total', ...CHANGES, 'unchanged', 'active_before', 'active_after', 'revision']

/** Whether the body of a successful response is one that the service returns to this request. */
export function isAnswer(request: Request, body: unknown): boolean {
  if (!isJsonObject(body)) return false
  const members = BARE_ANSWERS[`${request.method} ${request.path}`]
  if (members !== undefined) return members.every((name) => name in body)
  const { success, data } = body
  if (success !== true || data === undefined) return false
  if (!KEYED_POSTS.includes(request.path)) return true
  if (!isJsonObject(data) || !WRITE_COUNTS.every((name) => Number.isInteger(Number(data[name] ?? Number.NaN))))
    return false
  return isDryRun(request) ? data.dry_run === true : typeof data.batch_id === 'string'
}

/**
 * Whether a response of the service belongs to this request: a cache may return a stored response to an earlier one.
 * For a change, the response must repeat the type, the mode, the number of records and the key of the request.
 *
 * @param data of a response that `isAnswer` accepts
 */
export function isAnswerTo(request: Request, data: unknown): boolean {
  const { method, path, query, headers, records } = request
  if (method !== 'POST' || !KEYED_POSTS.includes(path) || !isJsonObject(data)) return true
  if (!isDryRun(request) && data.idempotency_key !== keyIn(headers)) return false
  if (path !== DATASETS) return true
  const { type, mode = 'upsert' } = query
  return data.type === type && data.mode === mode && (records === undefined || Number(data.total) === records)
}
