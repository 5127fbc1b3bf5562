import { Hono } from 'hono'
import { authenticate, requireScope } from '../auth/authenticate'
import type { AppEnv } from '../http/context'
import { presumeWritten } from '../http/deadline'
import { noStore } from '../http/no-store'
import { administrationRoutes } from './administration'

/**
 * The endpoints with which an admin manages the keys and members of the own workspace (decisions, section 13), mounted at
 * /admin/workspace/v1. The workspace comes from the access token alone.
 */
export const workspaceRoutes = new Hono<AppEnv>({ strict: false })

workspaceRoutes.use(noStore, authenticate, requireScope('workspace:admin'), presumeWritten)
workspaceRoutes.route(
  '/',
  administrationRoutes({ workspaceIdOf: (c) => c.var.caller.workspaceId, keepsAdmin: true }),
)
