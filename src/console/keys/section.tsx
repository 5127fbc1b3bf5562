import { Box, Button, Group, Stack } from '@mantine/core'
import { Plus } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { FocusAfterwards } from '../widgets/dialog'

export interface SectionProps {
  /** Tells the person what has been done. */
  onDone: (message: string) => void
}

interface FrameProps {
  /** What it is for, and who needs it. */
  purpose: ReactNode
  action: string
  onAction: () => void
  children: ReactNode
}

export function Section({ purpose, action, onAction, children }: FrameProps) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Stack pt="lg">
      <Group justify="space-between" align="flex-start">
        <Box maw={640}>{purpose}</Box>
        <Button leftSection={<Plus size={16} />} onClick={onAction} ref={button}>
          {action}
        </Button>
      </Group>
      <FocusAfterwards value={button}>{children}</FocusAfterwards>
    </Stack>
  )
}
