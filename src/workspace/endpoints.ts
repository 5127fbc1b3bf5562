import { scope } from '#auth/access'
import { missingScope } from '#auth/refusals'
import type { AppContext } from '#http/context'
import { administrationEndpoints } from './administration'
import type { Authority } from './authority'

/** The admin who calls, as the token names them; each change checks whether they still are one. */
function adminOf(c: AppContext): Required<Authority> {
  const { workspaceId, memberId } = c.var.caller
  // It takes a person, whatever a token says.
  if (memberId === undefined) throw missingScope('workspace:admin')
  return { workspaceId, memberId }
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
