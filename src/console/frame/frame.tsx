import {
  Alert,
  Anchor,
  AppShell,
  Burger,
  Button,
  Group,
  Loader,
  Menu,
  NativeSelect,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure, useNetwork } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { BookOpen, CircleUserRound, LogOut, Moon, Sun, WifiOff } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import type { RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { useSession } from '../session-context'
import { Dialog } from '../widgets/dialog'
import { FocusAfterwards } from '../widgets/kept-focus'
import { Page } from '../widgets/page'
import { Problem } from '../widgets/problem'
import { RestrictedPage } from '../widgets/restricted-page'
import { roleText } from '../wording'
import { FailureBoundary, PageFailure } from './failure'
import { useLeaveLogin } from './leave-guard'
import { Navigation } from './navigation'
import { CATALOG_PAGES, START_PAGE, WORKSPACE_PAGES } from './pages'
import { ShownCatalog } from './shown-catalog'

const isTypeName = (name: string | undefined): name is RecordTypeName =>
  name !== undefined && Object.hasOwn(recordTypes, name)

const UnknownPage = () => (
  <Page title="Page not found" description="The console has no page at this address.">
    <Anchor component={Link} href={`/${START_PAGE.path}`}>
      Go to the overview
    </Anchor>
  </Page>
)

/** The page for the URL. @param type catalog for URLs that do not contain one */
function ShownPage({ type }: { type: RecordTypeName }) {
  const [location] = useLocation()
  return (
    <FailureBoundary location={location} fallback={(error) => <PageFailure error={error} />}>
      <Suspense fallback={<Loader aria-label="Loading the page" />}>
        <Switch>
          {CATALOG_PAGES.map((page) => (
            // The rest of the URL belongs to the page. A record ID may even contain line breaks.
            <Route key={page.path} path={new RegExp(`^/(?<type>[^/]+)/${page.path}(?:/[^]*)?$`)}>
              {({ type: name }) =>
                isTypeName(name) ? (
                  <ShownCatalog value={recordTypes[name]}>
                    <RestrictedPage title={page.label} scope={page.scope}>
                      <page.component key={name} type={recordTypes[name]} />
                    </RestrictedPage>
                  </ShownCatalog>
                ) : (
                  <Redirect to={`/${type}/${page.path}`} replace />
                )
              }
            </Route>
          ))}
          {[START_PAGE, ...WORKSPACE_PAGES].map((page) => (
            <Route key={page.path} path={`/${page.path}`}>
              <RestrictedPage title={page.label} scope={page.scope}>
                <page.component />
              </RestrictedPage>
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

/** The frame of all pages: the header, the navigation, and the page for the URL. */
export function Frame() {
  const [location] = useLocation()
  const [navigationOpen, navigation] = useDisclosure(false)
  const [first, second] = location.split('/').filter((part) => part !== '')
  const showsCatalog = isTypeName(first)
  /** Pages of the whole workspace lead back to the last catalog. */
  const [type, setType] = useState<RecordTypeName>('medication')
  if (showsCatalog && first !== type) setType(first)

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !navigationOpen } }}
      padding={{ base: 'sm', sm: 'md' }}
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
      <AppShell.Navbar p="xs" aria-label="Pages" className="navigation" data-closed={!navigationOpen || undefined}>
        <Navigation
          type={type}
          current={showsCatalog ? second : first}
          showsCatalog={showsCatalog}
          onType={setType}
          onChosen={navigation.close}
        />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <OfflineNotice />
        <ShownPage type={type} />
      </AppShell.Main>
    </AppShell>
  )
}

function OfflineNotice() {
  const { online } = useNetwork()
  if (online) return null
  return (
    <Alert color="orange" icon={<WifiOff />} title="You are offline" role="alert" mb="md">
      What you see may be out of date, and nothing can be saved until the connection is back.
    </Alert>
  )
}

function WorkspaceName() {
  const { login, changeWorkspace } = useSession()
  const leaveLogin = useLeaveLogin()
  const { workspace_id: current, workspaces } = login
  if (workspaces.length > 1) {
    return (
      <NativeSelect
        size="xs"
        maw={220}
        aria-label="Workspace"
        value={current}
        onChange={({ currentTarget: { value } }) => leaveLogin(() => changeWorkspace(value))}
        data={workspaces.map(({ workspace_id: value, name: label }) => ({ value, label }))}
      />
    )
  }
  return (
    <Text c="dimmed" truncate translate="no">
      {workspaces[0]?.name ?? current}
    </Text>
  )
}

function UserMenu() {
  const { login, logOut } = useSession()
  const leaveLogin = useLeaveLogin()
  const { toggleColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme() === 'dark'
  const button = useRef<HTMLButtonElement>(null)
  const logout = useMutation({ mutationFn: logOut })
  const tryLogout = () =>
    logout.mutateAsync().then(
      () => true,
      () => false,
    )
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            ref={button}
            variant="subtle"
            size="compact-md"
            leftSection={<CircleUserRound size={18} />}
            aria-label={`${login.role}: account of ${login.email}`}
          >
            {login.role}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label maw={280}>
            <span className="breakable">{login.email}</span>
            <br />
            {roleText(login.role)}
          </Menu.Label>
          <Menu.Item leftSection={isDark ? <Sun size={16} /> : <Moon size={16} />} onClick={toggleColorScheme}>
            {isDark ? 'Light mode' : 'Dark mode'}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item component="a" href="/docs" leftSection={<BookOpen size={16} />}>
            API description
          </Menu.Item>
          <Menu.Item leftSection={<LogOut size={16} />} onClick={() => leaveLogin(tryLogout)}>
            Log out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {/* The menu that had the focus is closed. */}
      <FocusAfterwards value={button}>
        <Dialog opened={logout.isError} onClose={logout.reset} title="You are still logged in">
          {logout.isError && <Problem title="The logout did not work" error={logout.error} onRetry={tryLogout} />}
        </Dialog>
      </FocusAfterwards>
    </>
  )
}
