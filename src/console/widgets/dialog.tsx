import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core'
import { createContext, type ReactNode, type RefObject, useContext, useLayoutEffect, useRef } from 'react'
import { Problem } from './problem'

interface DialogProps extends Pick<ModalProps, 'opened' | 'title' | 'size' | 'zIndex' | 'children'> {
  onClose: () => void
  onClosed?: () => void
  /** Whether nothing closes it but its own buttons. */
  locked?: boolean
}

/** The element that takes the focus after a dialog if the one that opened it is gone. */
export const FocusAfterwards = createContext<RefObject<HTMLElement | null> | undefined>(undefined)

/** A dialog that gives the focus back to what opened it. */
export function Dialog({ title, onClosed, locked = false, opened, ...props }: DialogProps) {
  const focusAfterwards = useContext(FocusAfterwards)
  const opener = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (opened) opener.current = document.activeElement
  }, [opened])
  return (
    <Modal
      {...props}
      opened={opened}
      title={<strong>{title}</strong>}
      withCloseButton={!locked}
      closeOnClickOutside={!locked}
      closeOnEscape={!locked}
      // The library would give the focus to what is about to disappear, such as the row of a removed item.
      returnFocus={false}
      onExitTransitionEnd={() => {
        onClosed?.()
        const target = opener.current
        const isThere = target instanceof HTMLElement && target !== document.body && target.isConnected
        if (isThere) target.focus({ preventScroll: true })
        else focusAfterwards?.current?.focus()
      }}
    />
  )
}

interface ConfirmDialogProps extends Pick<DialogProps, 'zIndex'> {
  opened: boolean
  title: string
  children: ReactNode
  /** What the button does: `Revoke key`. */
  action: string
  cancel?: string
  dangerous?: boolean
  pending?: boolean
  error?: Error | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is done that others will notice. */
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
  ...look
}: ConfirmDialogProps) => (
  <Dialog {...look} opened={opened} onClose={onClose} title={title} locked={pending}>
    <Stack>
      {children}
      <Problem error={error} />
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
