import { Hono } from 'hono'
import { authenticate } from '#auth/access'
import { partnerCors } from '#auth/cors'
import { consoleRoutes } from '#console/routes'
import { demoRoutes } from '#element/routes'
import { decryptBodies, encryptAnswers } from '#encryption/middleware'
import { endpoints } from '#endpoints'
import { limitBody } from '#http/body/body-limit'
import type { AppEnv } from '#http/context'
import { keepBookmarks } from '#http/databases'
import { enforceDeadline } from '#http/deadline'
import { setAnswerHeaders } from '#http/endpoint/answer-headers'
import { answerError, answerUnknownRoute } from '#http/errors'
import { logRequests } from '#http/log'
import { identifyRequest } from '#http/request-id'
import { serviceEndpoints } from '#openapi/endpoints'
import { requireOperator } from '#platform/access'

/** Unknown paths below these answer 401 before 404, so that strangers learn nothing about them. */
const GUARDED = ['/admin/*', '/medical-db/*', '/mr/*', '/registration/*'] as const

/**
 * The whole service. The order of the middlewares is the order of the checks: body size, authentication, permission
 * (in the endpoints), query, body.
 */
export function createApp(options: { deadlineMs?: number } = {}): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false })

  app.use(identifyRequest, logRequests, setAnswerHeaders, partnerCors(app), encryptAnswers)
  app.use(enforceDeadline(options.deadlineMs), limitBody(app), decryptBodies, keepBookmarks)

  for (const { register } of [...endpoints, ...serviceEndpoints]) register(app)
  for (const path of GUARDED) app.use(path, authenticate)
  app.use('/platform/*', requireOperator)
  app.route('/console', consoleRoutes)
  app.route('/embed/demo', demoRoutes)

  app.onError(answerError)
  app.notFound(answerUnknownRoute(app))
  return app
}
