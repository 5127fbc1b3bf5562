import { scope } from '#auth/access'
import { missingScope } from '#auth/refusals'
import type { AppContext } from '#http/context'
import { administrationEndpoints } from './administration'
import type { Authority } from './authority'

/** The admin who calls, from the token. Each change checks that the caller still is an admin. */
function adminOf(c: AppContext): Required<Authority> {
  const { workspaceId, memberId, actor } = c.var.caller
  // A person is needed, even if the token has the scope.
  if (memberId === undefined) throw missingScope('workspace:admin')
  return { workspaceId, memberId, actor }
}

/** Admins manage keys and members with the same calls as the operator. The last admin cannot be removed. */
export const workspaceEndpoints = administrationEndpoints({
  tag: 'Workspace',
  access: scope('workspace:admin'),
  errors: [],
  base: '/admin/workspace/v1',
  prefix: 'Workspace',
  authorityOf: adminOf,
  keepsAdmin: true,
})
