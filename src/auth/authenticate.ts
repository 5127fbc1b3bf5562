import { createMiddleware } from 'hono/factory'
import { ApiError } from '../errors'
import type { AppEnv } from '../http/context'
import { verifyBearer } from './bearer'
import type { Scope } from './caller'
import { missingScope } from './refusals'

/**
 * Sets `caller` from the credential of the request, and counts the request against its workspace. Another kind of
 * credential is a function beside `verifyBearer` that returns a `Caller`, chosen here.
 *
 * @throws ApiError 401 without a valid credential; 429 over the workspace's rate
 */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
  const caller = await verifyBearer(c)
  c.set('caller', caller)
  const { success } = await c.env.WORKSPACE_RATE_LIMIT.limit({ key: caller.workspaceId })
  if (!success) throw new ApiError('rate_limited', 'The workspace sends too many requests. Try again later.')
  await next()
})

/**
 * Lets only callers with a scope pass. Comes after `authenticate`.
 *
 * @throws ApiError 403 naming the scope
 */
export const requireScope = (scope: Scope) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (!c.var.caller.scopes.has(scope)) throw missingScope(scope)
    await next()
  })
