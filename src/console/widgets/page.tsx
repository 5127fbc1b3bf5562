import { Box, Container, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useContext, useEffect, useRef } from 'react'
import { ShownCatalog } from '../frame/shown-catalog'
import { titleCase } from '../wording'

interface PageProps {
  /** Heading, and first part of the window's title. */
  title: string
  /** `no` if the heading is a value, such as the name of a record. */
  translate?: 'yes' | 'no'
  description?: ReactNode
  /** Content above the heading, such as a link back. If omitted, the name of the catalog. */
  above?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

// After navigation, but not on the first page, the heading takes the focus, so that screen readers announce the page.
let isAnyShown = false

/** A page: its heading, a description, actions, and its content. */
export function Page({ title, translate, description, above, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const type = useContext(ShownCatalog)
  useEffect(() => {
    document.title = `${title} · Catalog console`
    if (isAnyShown) heading.current?.focus({ preventScroll: true })
    isAnyShown = true
  }, [title])
  return (
    <Container size={2560} px={0}>
      {above ??
        (type !== undefined && (
          <Text size="sm" fw={600} c="dimmed">
            {titleCase(type.plural)}
          </Text>
        ))}
      <Stack gap="md">
        <Group justify="space-between" align="flex-start">
          {/* Wraps the description instead of pushing the actions below it. */}
          <Box flex="1 1 320px">
            <Title order={1} size="h2" ref={heading} tabIndex={-1} className="page-title" translate={translate}>
              {title}
            </Title>
            {description !== undefined && (
              <Text c="dimmed" maw="90ch" className="breakable">
                {description}
              </Text>
            )}
          </Box>
          {actions}
        </Group>
        {children}
      </Stack>
    </Container>
  )
}
