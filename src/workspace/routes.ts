import { Hono } from 'hono'
import { authenticate, requireScope } from '#auth/authenticate'
import { missingScope } from '#auth/refusals'
import type { AppContext, AppEnv } from '#http/context'
import { assumeWrittenOnTimeout } from '#http/deadline'
import { noStore } from '#http/no-store'
import { administrationRoutes } from './administration'
import type { Authority } from './authority'

/** The admin who calls, as the token names him; whether he still is one, each change finds out. */
function adminOf(c: AppContext): Required<Authority> {
  const { workspaceId, memberId } = c.var.caller
  // It takes a person, whatever a token says.
  if (memberId === undefined) throw missingScope('workspace:admin')
  return { workspaceId, memberId }
}

/**
 * The endpoints with which an admin manages the keys and members of the own workspace (decisions, section 13), mounted at
 * /admin/workspace/v1. The workspace comes from the access token alone.
 */
export const workspaceRoutes = new Hono<AppEnv>({ strict: false })

workspaceRoutes.use(noStore, authenticate, requireScope('workspace:admin'), assumeWrittenOnTimeout)
workspaceRoutes.route('/', administrationRoutes({ authorityOf: adminOf, keepsAdmin: true }))
