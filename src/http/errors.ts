import type { Hono } from 'hono'
import { METHOD_NAME_ALL } from 'hono/router'
import { ApiError } from '../errors'
import type { AppContext, AppEnv } from './context'

/** Every refusal and every fault becomes the specification's error object here; the cause stays in the log. */
export function answerError(error: Error, c: AppContext): Response {
  const known =
    error instanceof ApiError ? error : new ApiError('internal', 'An unforeseen fault; see the request id.')
  return c.json(known.body(), known.status, known.headers())
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A path without a handler: 405 with `Allow` where another method has one, else 404. */
export const answerUnknownRoute =
  (app: Hono<AppEnv>) =>
  (c: AppContext): Response => {
    const path = c.req.path
    const allowed = METHODS.filter((method) =>
      app.router.match(method, path)[0].some(([[, route]]) => route.method !== METHOD_NAME_ALL),
    )
    const error =
      allowed.length === 0
        ? new ApiError('not_found', 'There is nothing at this path.')
        : new ApiError('method_not_allowed', `This path takes ${allowed.join(', ')} only.`, {
            headers: { Allow: allowed.join(', ') },
          })
    return answerError(error, c)
  }
