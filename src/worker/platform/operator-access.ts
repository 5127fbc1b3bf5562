import { createMiddleware } from 'hono/factory'
import { ApiError, INVALID_TOKEN } from '#shared/errors/errors'
import { bearerToken } from '#worker/auth/access'
import { equalInConstantTime } from '#worker/crypto/hash'
import { configOf } from '#worker/env'
import type { AppEnv } from '#worker/http/context'
import type { Access } from '#worker/http/endpoint/endpoint'
import { unknownPathError } from '#worker/http/errors'

/**
 * Rejects everyone except the operator.
 *
 * @throws ApiError 404 without `PLATFORM_ADMIN_TOKEN` in the configuration; 401
 */
export const requireOperator = createMiddleware<AppEnv>(async (c, next) => {
  const operatorToken = configOf(c.env).platformAdminToken
  if (operatorToken === undefined) throw unknownPathError('no operator token configured')
  const token = bearerToken(c)
  if (token === undefined || !(await equalInConstantTime(token, operatorToken))) {
    throw new ApiError('unauthorized', 'The operator token is missing or wrong. Send it as Authorization: Bearer.', {
      reason: token === undefined ? 'no operator token' : 'wrong operator token',
      ...(token === undefined ? {} : { headers: INVALID_TOKEN }),
    })
  }
  await next()
})

/** The operator. 404 also means that no operator token is configured. */
export const operator: Access = {
  kind: 'operator',
  partnerToken: false,
  errors: ['unauthorized', 'not_found'],
  middlewares: [requireOperator],
}
