import { AppShell, Burger, Group, Loader, NavLink, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Suspense } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import type { RecordTypeName } from '#records/record-type'
import { recordTypes } from '#records/record-types'
import { useSession } from '../session'
import { PageFailure } from './failure'
import { FailureBoundary } from './failure-boundary'
import { Offline } from './offline'
import { CATALOG_PAGES, START_PAGE, WORKSPACE_PAGES } from './pages'
import { UserMenu } from './user-menu'
import { WorkspaceName } from './workspace-name'

const DEFAULT_TYPE: RecordTypeName = 'medication'

const isTypeName = (name: string | undefined): name is RecordTypeName =>
  name !== undefined && Object.hasOwn(recordTypes, name)

export function Shell() {
  const session = useSession()
  const [location] = useLocation()
  const [navigationOpen, navigation] = useDisclosure(false)
  const [first, second] = location.split('/').filter((part) => part !== '')
  const type = isTypeName(first) ? first : DEFAULT_TYPE
  const current = isTypeName(first) ? second : first

  const catalogPages = CATALOG_PAGES.filter(({ scope }) => session.can(scope))
  const workspacePages = WORKSPACE_PAGES.filter(({ scope }) => session.can(scope))
  const links = [
    { ...START_PAGE, address: `/${START_PAGE.path}` },
    ...catalogPages.map((page) => ({ ...page, address: `/${type}/${page.path}` })),
    ...workspacePages.map((page) => ({ ...page, address: `/${page.path}` })),
  ]

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !navigationOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={navigationOpen}
              onClick={navigation.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={navigationOpen ? 'Close the navigation' : 'Open the navigation'}
              aria-expanded={navigationOpen}
            />
            <img src="/console/icon.svg" alt="" width={28} height={28} />
            <Text fw={650} visibleFrom="sm">
              Catalog console
            </Text>
            <WorkspaceName />
          </Group>
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="xs"
        aria-label="Pages"
        className="navigation"
        data-closed={!navigationOpen || undefined}
      >
        {links.map(({ address, path, label, icon: Icon }) => (
          <NavLink
            key={path}
            component={Link}
            href={address}
            label={label}
            leftSection={<Icon size={18} />}
            active={current === path}
            aria-current={current === path ? 'page' : undefined}
            onClick={navigation.close}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Offline />
        <FailureBoundary place={location} fallback={(error) => <PageFailure error={error} />}>
          <Suspense fallback={<Loader aria-label="Loading the page" />}>
            <Switch>
              {catalogPages.map(({ path, component: Page }) => (
                // Whatever follows belongs to the page: the id of a record may even have line breaks.
                <Route key={path} path={new RegExp(`^/(?<type>[^/]+)/${path}(?:/[^]*)?$`)}>
                  {({ type: name }) =>
                    isTypeName(name) ? (
                      <Page key={name} type={recordTypes[name]} />
                    ) : (
                      <Redirect to={`/${DEFAULT_TYPE}/${path}`} replace />
                    )
                  }
                </Route>
              ))}
              {[START_PAGE, ...workspacePages].map(({ path, component: Page }) => (
                <Route key={path} path={`/${path}`}>
                  <Page />
                </Route>
              ))}
              <Route>
                <Redirect to={`/${START_PAGE.path}`} replace />
              </Route>
            </Switch>
          </Suspense>
        </FailureBoundary>
      </AppShell.Main>
    </AppShell>
  )
}
