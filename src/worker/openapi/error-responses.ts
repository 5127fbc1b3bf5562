import * as z from 'zod'
import type { ErrorBody, ErrorCode } from '#shared/errors/errors'
import { errorResponseSchema } from '#shared/errors/schemas'
import type { Endpoint } from '#worker/http/endpoint/endpoint'

const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'payload_too_large',
  'internal',
  'unavailable',
  'deadline_exceeded',
  'storage_full',
]

const ERROR_DESCRIPTIONS: Record<ErrorCode, string> = {
  invalid_request: 'A bad or unknown parameter, malformed JSON or CSV, or failed validation.',
  unauthorized: 'No token, or one that is invalid, expired, revoked or replayed.',
  forbidden: 'The token is valid but does not have the permission.',
  not_found: 'The path, or what it names, does not exist.',
  method_not_allowed: 'The path accepts only other methods.',
  conflict:
    'A guard or a quota blocks the write, `expected_revision` is stale, the ID is taken, or the workspace would ' +
    'lose its last admin.',
  gone: 'The upload is no longer pending: it was approved or discarded, or it has expired.',
  payload_too_large:
    'The body is larger than 10 MB (10,485,760 bytes), or than 16 KB (16,384 bytes) where only a small JSON ' +
    'object is accepted, as received or decompressed.',
  unprocessable: 'The `Idempotency-Key` names a write with another body or other parameters.',
  unsupported_media_type: 'A Content-Type or Content-Encoding that the endpoint does not accept.',
  rate_limited: 'Too many requests.',
  internal: 'An internal error.',
  unavailable: 'The database or the replay guard cannot be reached, or the workspace is being moved; retry.',
  storage_full: 'The database is full; nothing was written.',
  deadline_exceeded: 'No response within 29 seconds; the message says whether anything was written.',
}

export const header = (description: string) => ({ description, schema: { type: 'string' as const } })

export const REQUEST_ID_HEADER = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

/** Headers of an error, in addition to those of every response. */
const ERROR_HEADERS: Partial<Record<ErrorCode, Record<string, ReturnType<typeof header>>>> = {
  unauthorized: {
    'WWW-Authenticate': header(
      'The authentication scheme to use: `Bearer`, or `Basic` if the client sent Basic credentials.',
    ),
  },
  forbidden: { 'WWW-Authenticate': header('The scope that is missing, if that is the reason.') },
  method_not_allowed: { Allow: header('The methods that the path accepts.') },
  rate_limited: { 'Retry-After': header('Seconds to wait.') },
  unavailable: { 'Retry-After': header('Seconds to wait.') },
}

const ERROR_LIST_EXAMPLES: Partial<Record<ErrorCode, ErrorBody['errors']>> = {
  invalid_request: [
    { index: 3, field: 'name', code: 'required', msg: 'is required', value: null },
    { index: 7, field: 'otc', code: 'wrong_type', msg: 'must be true or false', value: 'maybe' },
  ],
  conflict: [{ code: 'shrink_guard', active_before: 1000, would_deactivate: 612 }],
}

const errorExample = (code: ErrorCode): ErrorBody => ({
  success: false,
  message: ERROR_DESCRIPTIONS[code],
  ...(code in ERROR_LIST_EXAMPLES ? { errors: ERROR_LIST_EXAMPLES[code] } : {}),
})

export function errorCodesOf({ access, body, errors = [] }: Endpoint): ErrorCode[] {
  const ofBody: readonly ErrorCode[] = body === undefined ? [] : ['unsupported_media_type']
  return [...new Set([...access.errors, ...errors, ...ofBody, ...COMMON_ERRORS])]
}

/** The end of the name of a response that browsers get as a page. */
export const ON_A_PAGE = '_page'

const errorResponse = (code: ErrorCode) => ({
  description: ERROR_DESCRIPTIONS[code],
  headers: { ...REQUEST_ID_HEADER, ...ERROR_HEADERS[code] },
  content: { 'application/json': { schema: errorResponseSchema, example: errorExample(code) } },
})

function errorPage(code: ErrorCode) {
  const { content, ...response } = errorResponse(code)
  return { ...response, content: { ...content, 'text/html': { schema: z.string() } } }
}

/** The responses of all errors, for operations to refer to. */
export const errorResponses = (endpoints: readonly Endpoint[]) => {
  const codesOf = (chosen: readonly Endpoint[]) => [...new Set(chosen.flatMap(errorCodesOf))]
  return Object.fromEntries([
    ...codesOf(endpoints).map((code) => [code, errorResponse(code)]),
    ...codesOf(endpoints.filter(({ errorPages }) => errorPages)).map((code) => [code + ON_A_PAGE, errorPage(code)]),
  ])
}
