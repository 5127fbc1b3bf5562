import { Hono } from 'hono'
import { partnerCors } from '#auth/cors'
import { authRoutes, wellKnownRoutes } from '#auth/routes'
import { catalogRoutes } from '#catalog/routes'
import { consoleRoutes } from '#console/routes'
import { documentRoutes } from '#documents/routes'
import { decryptBodies, encryptAnswers } from '#encryption/middleware'
import { limitBody } from '#http/body'
import type { AppEnv } from '#http/context'
import { enforceDeadline } from '#http/deadline'
import { answerError, answerUnknownRoute } from '#http/errors'
import { logRequests } from '#http/log'
import { identifyRequest } from '#http/request-id'
import { loginRoutes } from '#login/routes'
import { descriptionRoutes } from '#openapi/routes'
import { platformRoutes } from '#platform/routes'
import { registrationRoutes } from '#registration/routes'
import { searchRoutes } from '#search/routes'
import { workspaceRoutes } from '#workspace/routes'
import { health } from './health'

/**
 * The whole service. The order of the middlewares is the order of the checks: body size, authentication, permission
 * (in the routes), query, body.
 */
export function createApp(options: { deadlineMs?: number } = {}): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false })

  app.use(identifyRequest, logRequests, partnerCors(app), encryptAnswers)
  app.use(enforceDeadline(options.deadlineMs), limitBody, decryptBodies)

  app.get('/health', health)
  app.route('/.well-known', wellKnownRoutes)
  app.route('/api/v1/auth', authRoutes)
  app.route('/api/v1/auth', loginRoutes)
  app.route('/platform/v1', platformRoutes)
  app.route('/admin/datasets/v1', catalogRoutes)
  app.route('/admin/workspace/v1', workspaceRoutes)
  app.route('/medical-db/v1/search', searchRoutes)
  app.route('/mr/api/v2/docs', documentRoutes)
  app.route('/registration/v1', registrationRoutes)
  app.route('/console', consoleRoutes)
  app.route('/', descriptionRoutes)

  app.onError(answerError)
  app.notFound(answerUnknownRoute(app))
  return app
}
