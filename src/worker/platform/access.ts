import { createMiddleware } from 'hono/factory'
import { ApiError } from '#shared/errors/errors'
import { bearerToken } from '#worker/auth/bearer'
import { equalInConstantTime } from '#worker/crypto/hash'
import { configOf } from '#worker/env'
import type { AppEnv } from '#worker/http/context'
import type { Access } from '#worker/http/endpoint/endpoint'
import { unknownPath } from '#worker/http/errors'

/**
 * Refuses everybody except the operator, who sends `PLATFORM_ADMIN_TOKEN`. Without that secret in the configuration,
 * the operator endpoints answer like unknown paths.
 *
 * @throws ApiError 404 without the secret; 401 for a missing or wrong token
 */
export const requireOperator = createMiddleware<AppEnv>(async (c, next) => {
  const expected = configOf(c.env).platformAdminToken
  if (expected === undefined) throw unknownPath('no operator token configured')
  const sent = bearerToken(c)
  if (sent === undefined || !(await equalInConstantTime(sent, expected))) {
    throw new ApiError('unauthorized', 'The operator token is missing or wrong. Send it as Authorization: Bearer.', {
      reason: sent === undefined ? 'no operator token' : 'wrong operator token',
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
