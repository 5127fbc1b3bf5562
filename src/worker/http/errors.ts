import type { Hono } from 'hono'
import { METHOD_NAME_ALL } from 'hono/router'
import { ApiError, apiErrorOf, type ErrorBody, type ErrorItem } from '#shared/errors/errors'
import { PAUSE, type Pause } from '#shared/json/steps'
import { spool } from '#worker/http/sharing/spool'
import { streamText } from '#worker/http/sharing/stream'
import type { AppContext, AppEnv } from './context'

/** The 404 for an unknown path. `reason` is for the log only. */
export const unknownPath = (reason?: string): ApiError =>
  new ApiError('not_found', 'There is nothing at this path.', { reason })

/** Turns every refusal and every fault into the error object (docs/contract.md#errors). Only the log gets the cause. */
export function answerError(error: Error, c: AppContext): Response | Promise<Response> {
  const known =
    apiErrorOf(error) ??
    new ApiError(
      'internal',
      'The service has an internal fault. Try again; if it happens again, give the X-Request-Id of this answer to the operator.',
    )
  return sendError(c, withOAuthCode(c, known))
}

/** Endpoints of OAuth 2.0 give each refusal a code of RFC 6749, section 5.2. */
function withOAuthCode(c: AppContext, error: ApiError): ApiError {
  if (!c.var.endpoint?.oauthErrors || error.details.oauth !== undefined || error.status >= 500) return error
  return new ApiError(error.code, error.message, { ...error.details, oauth: 'invalid_request' })
}

function sendError(c: AppContext, known: ApiError): Response | Promise<Response> {
  const { errors } = known.details
  if (errors === undefined) return c.json(known.bodyWithoutErrors(), known.status, known.headers())
  if (Array.isArray(errors)) {
    return c.body([...errorText(known.bodyWithoutErrors(), errors)].join(''), known.status, {
      ...known.headers(),
      'Content-Type': 'application/json',
    })
  }
  return streamErrors(c, known, errors)
}

/** Makes the errors of a large body during its turn, and sends them when the body is no longer in memory. */
async function streamErrors(
  c: AppContext,
  known: ApiError,
  errors: Iterable<ErrorItem | Pause>,
): Promise<Response> {
  const headers = { ...known.headers(), 'Content-Type': 'application/json' }
  const pieces = errorText(known.bodyWithoutErrors(), errors)
  const { whenMade = async () => undefined } = known.details
  const { memoryBytes } = c.var.leases
  if (memoryBytes === 0) return streamText(c, ending(pieces, whenMade), known.status, headers)
  // They take the place of the body, which is not needed afterwards.
  const made = await spool(pieces, memoryBytes)
  await whenMade()
  c.var.leases.settleMemory(made.bytes)
  return streamText(c, made.pieces(), known.status, headers)
}

/** Does something at the end of pieces, before their reader sees it. */
async function* ending(pieces: Iterable<string>, atEnd: () => Promise<void>): AsyncGenerator<string> {
  try {
    yield* pieces
  } finally {
    await atEnd()
  }
}

/** The JSON of an error object, one error at a time; an empty text for a pause. */
function* errorText(head: ErrorBody, errors: Iterable<ErrorItem | Pause>): Generator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"errors":[`
  let separator = ''
  for (const error of errors) {
    if (error === PAUSE) {
      yield ''
      continue
    }
    yield separator + itemText(error)
    separator = ','
  }
  yield ']}'
}

function itemText(error: ErrorItem): string {
  try {
    return JSON.stringify(error)
  } catch (fault) {
    // Nested too deeply to be written as JSON: leave out the value only.
    if (fault instanceof RangeError) return JSON.stringify({ ...error, value: null })
    throw fault
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A path without a handler: 405 with `Allow` if another method has one, else 404. */
export const answerUnknownRoute =
  (app: Hono<AppEnv>) =>
  (c: AppContext): Response | Promise<Response> => {
    const path = c.req.path
    const allowed = METHODS.filter((method) =>
      app.router.match(method, path)[0].some(([[, route]]) => route.method !== METHOD_NAME_ALL),
    )
    const error =
      allowed.length === 0
        ? unknownPath()
        : new ApiError('method_not_allowed', `This path takes only ${allowed.join(', ')}.`, {
            headers: { Allow: allowed.join(', ') },
          })
    return answerError(error, c)
  }
