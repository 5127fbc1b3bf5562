import { Alert } from '@mantine/core'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { ROLE_SCOPES, ROLES, type Scope } from '#shared/access/caller'
import { useSession } from '../session-context'
import { roleText } from '../wording'
import { Page } from './page'

/** `editors and admins` */
const rolesWith = (scope: Scope): string =>
  ROLES.filter((role) => ROLE_SCOPES[role].includes(scope))
    .map((role) => `${role}s`)
    .join(' and ')

interface RestrictedPageProps {
  title: string
  scope: Scope
  above?: ReactNode
  children: ReactNode
}

/** Shows a page to users with a scope, and tells all others which roles have it. */
export function RestrictedPage({ title, scope, above, children }: RestrictedPageProps) {
  const { can, login } = useSession()
  if (can(scope)) return children
  return (
    <Page title={title} above={above}>
      <Alert color="yellow" icon={<Lock />} title={`This page is for ${rolesWith(scope)}`}>
        {`You are logged in as ${login.email}. ${roleText(login.role)} An admin of the workspace can give ` +
          'you another role.'}
      </Alert>
    </Page>
  )
}
