import type { Hono } from 'hono'
import { METHOD_NAME_ALL } from 'hono/router'
import { ApiError, apiErrorOf, type ErrorItem } from '#shared/errors/errors'
import { spool } from '#worker/http/spool'
import { streamText } from '#worker/http/stream'
import type { AppContext, AppEnv } from './context'

export const unknownPathError = (reason?: string): ApiError =>
  new ApiError('not_found', 'This path does not exist.', { reason })

/** Turns exceptions into error objects (docs/contract.md#errors). `logRequests` logs the details omitted here. */
export function answerError(error: Error, c: AppContext): Promise<Response> {
  const refusal =
    apiErrorOf(error) ??
    new ApiError(
      'internal',
      'Internal error. Try again. If the error persists, contact the operator and include the X-Request-Id of ' +
        'this response.',
    )
  return sendError(c, withOAuthCode(c, refusal))
}

/** OAuth 2.0 endpoints return an error code of RFC 6749, section 5.2. */
function withOAuthCode(c: AppContext, error: ApiError): ApiError {
  if (!c.var.endpoint?.oauthErrors || error.details.oauth !== undefined || error.status >= 500) return error
  return new ApiError(error.code, error.message, { ...error.details, oauth: 'invalid_request' })
}

async function sendError(c: AppContext, error: ApiError): Promise<Response> {
  const { errors } = error.details
  if (errors === undefined) return c.json(error.bodyWithoutErrors(), error.status, error.headers())
  const headers = { ...error.headers(), 'Content-Type': 'application/json' }
  // Without its closing brace.
  const beginning = `${JSON.stringify(error.bodyWithoutErrors()).slice(0, -1)},"errors":[`
  if (!(Symbol.asyncIterator in errors)) return c.body(`${beginning}${itemsText(errors)}]}`, error.status, headers)
  const pieces = errorText(beginning, errors)
  const { memory } = c.var.leases
  // Without a lease on the memory of a body, errors are sent as they are created.
  if (memory === undefined || memory.hasEnded) return streamText(c, pieces, error.status, headers)
  // Create the errors while the request has a lease on its body's memory, then shrink the lease to their text.
  const text = await spool(pieces, memory.units)
  memory.resize(text.bytes)
  return streamText(c, text.pieces(), error.status, headers)
}

async function* errorText(beginning: string, lists: AsyncIterable<readonly ErrorItem[]>): AsyncGenerator<string> {
  yield beginning
  let separator = ''
  for await (const items of lists) {
    if (items.length === 0) continue
    yield separator + itemsText(items)
    separator = ','
  }
  yield ']}'
}

const itemsText = (items: readonly ErrorItem[]): string => items.map((item) => JSON.stringify(item)).join(',')

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** For a path without a handler: 405 with `Allow` if another method has a handler, otherwise 404. */
export const answerUnknownRoute =
  (app: Hono<AppEnv>) =>
  (c: AppContext): Promise<Response> => {
    const path = c.req.path
    // Middlewares are registered for all methods.
    const allowed = METHODS.filter((method) =>
      app.router.match(method, path)[0].some(([[, route]]) => route.method !== METHOD_NAME_ALL),
    )
    const error =
      allowed.length === 0
        ? unknownPathError()
        : new ApiError('method_not_allowed', `This path accepts only ${allowed.join(', ')}.`, {
            headers: { Allow: allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)).join(', ') },
          })
    return answerError(error, c)
  }
