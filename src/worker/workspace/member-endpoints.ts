import { json } from '#worker/http/body/request-body'
import { envelopedAs } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { pageOf } from '#worker/http/endpoint/parameters'
import { type Administration, administrationDefaults, REVOCATION } from './administrator'
import { addMember, listMembers, revokeMember } from './members'
import { memberRoleSchema, memberSchema, newMemberSchema, revokedSchema } from './schemas'

/** Members and their roles. */
export function memberEndpoints<const Base extends string, const Prefix extends string>(
  administration: Administration<Base, Prefix>,
) {
  const { base, prefix, authorityOf, keepsAdmin } = administration
  const { creation, listing, revocation } = administrationDefaults(administration)
  const memberErrors = keepsAdmin ? (['conflict'] as const) : []
  const onlyAdmin = keepsAdmin ? ' The only admin of the workspace cannot be removed or get another role: 409.' : ''
  return [
    endpoint(
      {
        ...creation,
        path: `${base}/members`,
        operationId: `add${prefix}Member`,
        summary: 'Add a member to the workspace, or give a member another role',
        description:
          'The role is for everybody who logs in with this verified email address, in upper or lower case. A ' +
          '`viewer` reads, an `editor` also writes and switches search, an `admin` also manages keys and members.' +
          onlyAdmin,
        body: json(newMemberSchema),
        answer: envelopedAs('Member added.', memberRoleSchema),
      },
      ({ c, body, now }) => addMember(authorityOf(c), body, now),
    ),
    endpoint(
      {
        ...listing,
        path: `${base}/members`,
        operationId: `list${prefix}Members`,
        summary: 'List the members of the workspace, oldest first',
        description: 'With their roles.',
        answer: envelopedAs('Members.', pageOf(memberSchema)),
      },
      ({ c, query }) => listMembers(authorityOf(c), query),
    ),
    endpoint(
      {
        ...revocation,
        path: `${base}/members/{email}`,
        operationId: `revoke${prefix}Member`,
        summary: 'Revoke a membership and its access tokens',
        description: REVOCATION + onlyAdmin,
        errors: [...memberErrors, 'not_found'],
        answer: envelopedAs('Member revoked.', revokedSchema),
      },
      ({ c, params, now }) => revokeMember(authorityOf(c), params.email, now),
    ),
  ] as const
}
