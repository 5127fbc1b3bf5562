import { AppShell, Burger, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { RecordTypeName } from '#shared/records/record-type'
import { Navigation } from './navigation'
import { Offline } from './offline'
import { isTypeName, ShownPage } from './shown-page'
import { UserMenu } from './user-menu'
import { WorkspaceName } from './workspace-name'

export function Shell() {
  const [location] = useLocation()
  const [navigationOpen, navigation] = useDisclosure(false)
  const [first, second] = location.split('/').filter((part) => part !== '')
  const showsCatalog = isTypeName(first)
  /** Pages of the whole workspace lead back to the catalog that was shown last. */
  const [type, setType] = useState<RecordTypeName>('medication')
  if (showsCatalog && first !== type) setType(first)

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !navigationOpen } }}
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
        <Navigation
          type={type}
          current={showsCatalog ? second : first}
          showsCatalog={showsCatalog}
          onType={setType}
          onChosen={navigation.close}
        />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Offline />
        <ShownPage type={type} />
      </AppShell.Main>
    </AppShell>
  )
}
