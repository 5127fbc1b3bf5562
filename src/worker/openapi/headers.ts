import * as z from 'zod'
import type { ErrorCode } from '#shared/errors/errors'
import { encryptionHeaderSchema } from '#worker/encryption/schemas'
import type { Endpoint } from '#worker/http/endpoint/endpoint'

/** The headers of requests and answers in the API description. */

export const header = (description: string) => ({ description, schema: { type: 'string' as const } })

/** Headers of an error, besides those of every answer. */
export const ERROR_HEADERS: Partial<Record<ErrorCode, Record<string, ReturnType<typeof header>>>> = {
  unauthorized: { 'WWW-Authenticate': header('The scheme to use: `Bearer`, or `Basic` for a client that came by it.') },
  forbidden: { 'WWW-Authenticate': header('The scope that is missing, if that is the reason.') },
  method_not_allowed: { Allow: header('The methods that the path takes.') },
  rate_limited: { 'Retry-After': header('Seconds to wait.') },
  unavailable: { 'Retry-After': header('Seconds to wait.') },
}

export const REQUEST_ID_HEADER = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

const ETAG = {
  ETag: header(
    'Changes with the revision and the epoch of the catalog and with its search switch (RFC 9110, section 8.8.3).',
  ),
}

const conditionalHeaderSchema = z.object({
  'If-None-Match': z.string().optional().meta({
    description: 'The `ETag` of an earlier answer. The answer is 304 if nothing has changed.',
  }),
})

export function requestHeaders(endpoint: Endpoint): z.ZodObject | undefined {
  const schemas = [
    ...(endpoint.headers ? [endpoint.headers] : []),
    ...(endpoint.answer.hasEntityTag ? [conditionalHeaderSchema] : []),
    ...(endpoint.takesEncrypted ? [encryptionHeaderSchema] : []),
  ]
  if (schemas.length === 0) return undefined
  return z.object(Object.assign({}, ...schemas.map(({ shape }) => shape)))
}

export const answerHeaders = ({ answer, access, headers }: Endpoint) => ({
  ...REQUEST_ID_HEADER,
  ...(answer.hasEntityTag ? ETAG : {}),
  ...(headers !== undefined && 'Idempotency-Key' in headers.shape
    ? {
        'Idempotency-Replayed': header('`true` if an earlier request with the key did the work.'),
      }
    : {}),
  ...(answer.file ? { 'Content-Disposition': header('`attachment`, for a file.') } : {}),
  ...(access.kind === 'scope'
    ? {
        'X-D1-Bookmark': header(
          "What the answer has seen of the workspace's database or written to it; send it with later reads.",
        ),
      }
    : {}),
})

/** The answer without a body that a tagged answer can be. */
export const NOT_MODIFIED = {
  304: {
    description: 'Nothing has changed since the answer with this `ETag`.',
    headers: { ...REQUEST_ID_HEADER, ...ETAG },
  },
}
