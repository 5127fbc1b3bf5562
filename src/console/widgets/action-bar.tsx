import { Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface ActionBarProps {
  /** What it is about, if that is not the page. */
  label?: string
  note?: string
  /** What stands above the buttons, such as an error. */
  above?: ReactNode
  /** Buttons, the main one last. */
  children: ReactNode
}

/** Keeps the actions of a page in reach while it scrolls. */
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
