import { Modal, type ModalProps } from '@mantine/core'
import { createContext, type RefObject, useContext, useLayoutEffect, useRef } from 'react'

interface DialogProps extends Pick<ModalProps, 'opened' | 'title' | 'size' | 'children'> {
  onClose: () => void
  onClosed?: () => void
  /** Whether nothing closes it but its own buttons. */
  locked?: boolean
}

/** Takes the focus after a dialog if what opened it is gone. */
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
      // The library would give it to something that is about to disappear: the row of what was removed.
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
