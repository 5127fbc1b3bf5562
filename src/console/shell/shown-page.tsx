import { Anchor, Loader } from '@mantine/core'
import { Suspense } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import type { RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { Page } from '../widgets/page'
import { Restricted } from '../widgets/restricted'
import { PageFailure } from './failure'
import { FailureBoundary } from './failure-boundary'
import { CATALOG_PAGES, START_PAGE, WORKSPACE_PAGES } from './pages'
import { ShownCatalog } from './shown-catalog'

export const isTypeName = (name: string | undefined): name is RecordTypeName =>
  name !== undefined && Object.hasOwn(recordTypes, name)

const UnknownPage = () => (
  <Page title="There is no such page" description="The address is not one of this console.">
    <Anchor component={Link} href={`/${START_PAGE.path}`}>
      Go to the overview
    </Anchor>
  </Page>
)

/** The page that the address names. @param type of the catalog, if the address names none */
export function ShownPage({ type }: { type: RecordTypeName }) {
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
                    <Restricted title={page.label} scope={page.scope}>
                      <page.component key={name} type={recordTypes[name]} />
                    </Restricted>
                  </ShownCatalog>
                ) : (
                  <Redirect to={`/${type}/${page.path}`} replace />
                )
              }
            </Route>
          ))}
          {[START_PAGE, ...WORKSPACE_PAGES].map((page) => (
            <Route key={page.path} path={`/${page.path}`}>
              <Restricted title={page.label} scope={page.scope}>
                <page.component />
              </Restricted>
            </Route>
          ))}
          <Route path="/">
            <Redirect to={`/${START_PAGE.path}`} replace />
          </Route>
          <Route>
            <UnknownPage />
          </Route>
        </Switch>
      </Suspense>
    </FailureBoundary>
  )
}
