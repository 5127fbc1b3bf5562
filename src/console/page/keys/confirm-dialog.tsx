import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode, RefObject } from 'react'
import { Problem } from '../shell/problem'
import { Dialog } from './dialog'

interface ConfirmDialogProps {
  opened: boolean
  title: string
  /** What will happen. */
  children: ReactNode
  /** What the button does: `Revoke key`. */
  action: string
  dangerous?: boolean
  pending: boolean
  error: Error | null
  onConfirm: () => void
  onClose: () => void
  /** Takes the focus where the dialog was opened by something that is gone. */
  focusAfterwards: RefObject<HTMLElement | null>
}

/** Asks before something is done that somebody else will notice. */
export const ConfirmDialog = ({
  opened,
  title,
  children,
  action,
  dangerous = false,
  pending,
  error,
  onConfirm,
  onClose,
  focusAfterwards,
}: ConfirmDialogProps) => (
  <Dialog opened={opened} onClose={onClose} title={title} locked={pending} focusAfterwards={focusAfterwards}>
    <Stack>
      {children}
      {error !== null && <Problem title="That could not be done" error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={pending} data-autofocus>
          Cancel
        </Button>
        <Button onClick={onConfirm} loading={pending} {...(dangerous ? { color: 'red' } : {})}>
          {action}
        </Button>
      </Group>
    </Stack>
  </Dialog>
)
