import { createMiddleware } from 'hono/factory'
import { bearerToken } from '#auth/bearer'
import { equalInConstantTime } from '#crypto/hash'
import { configOf } from '#env'
import { ApiError } from '#errors'
import type { AppEnv } from '#http/context'
import type { Access } from '#http/endpoint'
import { unknownPath } from '#http/errors'

/**
 * Lets only the operator pass, who sends `PLATFORM_ADMIN_TOKEN`. Where that secret is not configured, the operator
 * endpoints answer as a path that does not exist.
 *
 * @throws ApiError 404 without the secret; 401 for a missing or wrong token
 */
export const requireOperator = createMiddleware<AppEnv>(async (c, next) => {
  const expected = configOf(c.env).platformAdminToken
  if (expected === undefined) throw unknownPath('no operator token configured')
  const sent = bearerToken(c)
  if (sent === undefined || !(await equalInConstantTime(sent, expected))) {
    throw new ApiError('unauthorized', 'The operator token is missing or wrong.', {
      reason: sent === undefined ? 'no operator token' : 'wrong operator token',
    })
  }
  await next()
})

/** The operator. 404 also stands for a service without an operator token. */
export const operator: Access = {
  kind: 'operator',
  partnerToken: false,
  errors: ['unauthorized', 'not_found'],
  middlewares: [requireOperator],
}
