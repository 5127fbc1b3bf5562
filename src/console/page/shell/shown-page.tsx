import { Alert, Loader } from '@mantine/core'
import { Lock } from 'lucide-react'
import { Suspense } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { ROLE_SCOPES, ROLES } from '#access/roles'
import type { RecordTypeName } from '#records/record-type'
import { recordTypes } from '#records/record-types'
import { roleText } from '../roles'
import { useSession } from '../session'
import { PageFailure } from './failure'
import { FailureBoundary } from './failure-boundary'
import { Page } from './page'
import { CATALOG_PAGES, type PageBase, START_PAGE, WORKSPACE_PAGES } from './pages'
import { ShownCatalog } from './shown-catalog'

export const isTypeName = (name: string | undefined): name is RecordTypeName =>
  name !== undefined && Object.hasOwn(recordTypes, name)

/** The page that the address names. @param type of the catalog, if the address names none */
export function ShownPage({ type }: { type: RecordTypeName }) {
  const { can } = useSession()
  const [location] = useLocation()
  return (
    <FailureBoundary place={location} fallback={(error) => <PageFailure error={error} />}>
      <Suspense fallback={<Loader aria-label="Loading the page" />}>
        <Switch>
          {CATALOG_PAGES.map((page) => (
            // Whatever follows belongs to the page: the id of a record may even have line breaks.
            <Route key={page.path} path={new RegExp(`^/(?<type>[^/]+)/${page.path}(?:/[^]*)?$`)}>
              {({ type: name }) =>
                isTypeName(name) ? (
                  <ShownCatalog value={recordTypes[name]}>
                    {can(page.scope) ? (
                      <page.component key={name} type={recordTypes[name]} />
                    ) : (
                      <NotAllowed page={page} />
                    )}
                  </ShownCatalog>
                ) : (
                  <Redirect to={`/${type}/${page.path}`} replace />
                )
              }
            </Route>
          ))}
          {[START_PAGE, ...WORKSPACE_PAGES].map((page) => (
            <Route key={page.path} path={`/${page.path}`}>
              {can(page.scope) ? <page.component /> : <NotAllowed page={page} />}
            </Route>
          ))}
          <Route>
            <Redirect to={`/${START_PAGE.path}`} replace />
          </Route>
        </Switch>
      </Suspense>
    </FailureBoundary>
  )
}

/** `editors and admins` */
const rolesWith = (scope: PageBase['scope']): string =>
  ROLES.filter((role) => ROLE_SCOPES[role].includes(scope))
    .map((role) => `${role}s`)
    .join(' and ')

/** Says to somebody who has come by an address who the page is for. */
function NotAllowed({ page: { label, scope } }: { page: PageBase }) {
  const { login } = useSession()
  return (
    <Page title={label}>
      <Alert color="yellow" icon={<Lock />} title={`This page is for ${rolesWith(scope)}`}>
        {`You are logged in as ${login.email}. ${roleText(login.role)} An admin of the workspace can give you another role.`}
      </Alert>
    </Page>
  )
}
