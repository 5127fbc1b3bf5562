import { Hono } from 'hono'
import { authenticate } from '#worker/auth/access'
import { partnerCors } from '#worker/auth/cors'
import { decryptBodies, encryptAnswers } from '#worker/encryption/middleware'
import { endpoints } from '#worker/endpoints'
import type { AppEnv } from '#worker/http/context'
import { keepBookmarks } from '#worker/http/databases'
import { answerError, answerUnknownRoute } from '#worker/http/errors'
import { logRequests } from '#worker/http/log'
import { enforceDeadline, identifyRequest, limitBody, setAnswerHeaders } from '#worker/http/middleware'
import { requireConfiguration, serviceEndpoints } from '#worker/openapi/endpoints'
import { consoleRoutes, leadBrowsersToConsole } from '#worker/pages/console'
import { demoRoutes } from '#worker/pages/element'
import { requireOperator } from '#worker/platform/operator-access'

/** Unknown paths under these prefixes return 401 before 404, so that strangers learn nothing about them. */
const GUARDED = ['/admin/*', '/medical-db/*', '/mr/*', '/registration/*'] as const

/** The whole service. Middlewares are in the order of the checks (docs/contract.md#order-of-checks). */
export function createApp(options: { deadlineMs?: number } = {}): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false })

  app.use(identifyRequest, logRequests, setAnswerHeaders, partnerCors(app), encryptAnswers)
  app.use('/health', requireConfiguration)
  app.use(enforceDeadline(options.deadlineMs), limitBody(app), decryptBodies, keepBookmarks)

  for (const { register } of [...endpoints, ...serviceEndpoints]) register(app)
  for (const path of GUARDED) app.use(path, authenticate)
  app.use('/platform/*', requireOperator)
  app.use('/', leadBrowsersToConsole)
  app.route('/console', consoleRoutes)
  app.route('/embed/demo', demoRoutes)

  app.onError(answerError)
  app.notFound(answerUnknownRoute(app))
  return app
}
