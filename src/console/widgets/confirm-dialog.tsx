import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './dialog'
import { Problem } from './problem'

interface ConfirmDialogProps {
  opened: boolean
  title: string
  children: ReactNode
  /** What the button does: `Revoke key`. */
  action: string
  /** What the button does that closes it: `Cancel` unless another text says more. */
  cancel?: string
  dangerous?: boolean
  pending?: boolean
  error?: Error | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is done that somebody else will notice. */
export const ConfirmDialog = ({
  opened,
  title,
  children,
  action,
  cancel = 'Cancel',
  dangerous = false,
  pending = false,
  error = null,
  onConfirm,
  onClose,
}: ConfirmDialogProps) => (
  <Dialog opened={opened} onClose={onClose} title={title} locked={pending}>
    <Stack>
      {children}
      {error !== null && <Problem title="That could not be done" error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={pending} data-autofocus>
          {cancel}
        </Button>
        <Button onClick={onConfirm} loading={pending} {...(dangerous ? { color: 'red' } : {})}>
          {action}
        </Button>
      </Group>
    </Stack>
  </Dialog>
)
