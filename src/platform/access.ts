import { createMiddleware } from 'hono/factory'
import { bearerToken } from '#auth/bearer'
import { equalInConstantTime } from '#crypto/hash'
import { configOf } from '#env'
import { ApiError } from '#errors/errors'
import type { AppEnv } from '#http/context'
import type { Access } from '#http/endpoint/endpoint'
import { unknownPath } from '#http/errors'

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
    throw new ApiError(
      'unauthorized',
      'The operator token is missing or wrong. Send it as Authorization: Bearer.',
      {
        reason: sent === undefined ? 'no operator token' : 'wrong operator token',
      },
    )
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
