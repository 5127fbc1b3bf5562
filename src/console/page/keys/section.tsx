import { Box, Button, Group, Stack } from '@mantine/core'
import { Plus } from 'lucide-react'
import type { ReactNode, Ref } from 'react'

export interface SectionProps {
  /** Tells the person what has been done. */
  onDone: (message: string) => void
}

interface FrameProps {
  /** What it is for, and who needs it. */
  purpose: ReactNode
  action: string
  onAction: () => void
  button: Ref<HTMLButtonElement>
  children: ReactNode
}

export const Section = ({ purpose, action, onAction, button, children }: FrameProps) => (
  <Stack pt="lg">
    <Group justify="space-between" align="flex-start">
      <Box maw={640}>{purpose}</Box>
      <Button leftSection={<Plus size={16} />} onClick={onAction} ref={button}>
        {action}
      </Button>
    </Group>
    {children}
  </Stack>
)
