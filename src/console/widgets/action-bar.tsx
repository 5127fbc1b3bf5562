import { Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface ActionBarProps {
  /** The subject, if it is not the page. */
  label?: string
  note?: string
  /** Content above the buttons, such as an error. */
  above?: ReactNode
  /** Buttons; the main button comes last. */
  children: ReactNode
}

/** Keeps the actions of a page visible while it scrolls. */
export const ActionBar = ({ label, note, above, children }: ActionBarProps) => (
  <Paper role={label && 'region'} aria-label={label} withBorder px="sm" py={6} className="form-actions">
    {above}
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" className="action-note">
        {note}
      </Text>
      <Group gap="xs" className="action-buttons">
        {children}
      </Group>
    </Group>
  </Paper>
)
