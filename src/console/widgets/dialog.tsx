import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core'
import { type ReactNode, useContext, useLayoutEffect, useRef } from 'react'
import { FocusAfterwards } from './kept-focus'
import { Problem } from './problem'

interface DialogProps extends Pick<ModalProps, 'opened' | 'title' | 'size' | 'zIndex' | 'children'> {
  onClose: () => void
  onClosed?: () => void
  /** Whether it can only be closed by its own buttons. */
  locked?: boolean
}

/** A dialog that returns the focus to the element that opened it. */
export function Dialog({ title, onClosed, locked = false, opened, ...props }: DialogProps) {
  const focusAfterwards = useContext(FocusAfterwards)
  const root = useRef<HTMLDivElement>(null)
  const opener = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (opened) opener.current = document.activeElement
  }, [opened])
  return (
    <Modal
      {...props}
      ref={root}
      opened={opened}
      title={<strong>{title}</strong>}
      // A page has only one banner.
      attributes={{ header: { role: 'presentation' } }}
      withCloseButton={!locked}
      closeOnClickOutside={!locked}
      closeOnEscape={!locked}
      // The library would focus an element that is about to disappear, such as the row of a removed item.
      returnFocus={false}
      onExitTransitionEnd={() => {
        onClosed?.()
        // Another dialog has opened and taken the focus.
        const holder = document.activeElement?.closest('[aria-modal=true]')
        if (holder && !root.current?.contains(holder)) return
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
  /** The action on the button: `Revoke key`. */
  action: string
  cancel?: string
  dangerous?: boolean
  pending?: boolean
  error?: Error | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation of an action that affects others. */
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
