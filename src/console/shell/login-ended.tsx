import { Button, Group, getDefaultZIndex, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { hasStatus } from '#client/service-error'
import { type Access, loginAddress } from '../service/access'
import { Problem } from '../widgets/problem'

interface LoginEndedProps {
  opened: boolean
  access: Access
  onLeave: () => void
}

/** Shown in the dialog; the page behind it is kept. */
const NOBODY_YET = new Error('Nobody is logged in yet. Log in first, and then go on here.')

/**
 * Keeps dialogs that are open below this one from closing at the Escape key, wherever the focus is. It listens before
 * they do: it begins with the page, and a layout effect comes before their effects.
 */
function useEscapeKept(opened: boolean): void {
  const isOpen = useRef(opened)
  useLayoutEffect(() => {
    isOpen.current = opened
  }, [opened])
  useLayoutEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && isOpen.current) event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', keep, { capture: true })
    return () => window.removeEventListener('keydown', keep, { capture: true })
  }, [])
}

/** Lies over everything when the browser's session has ended, until the same person has logged in again. */
export function LoginEnded({ opened, access, onLeave }: LoginEndedProps) {
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: () => access.resume(),
    gcTime: 0,
  })
  useEscapeKept(opened)
  // Another time, nothing has failed yet.
  useEffect(() => {
    if (opened) reset()
  }, [opened, reset])
  return (
    <Modal
      zIndex={getDefaultZIndex('overlay')}
      opened={opened}
      onClose={() => undefined}
      title="Your login has ended"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text>
          Nothing on this page is lost. Log in again, which opens in a new tab, then come back and go on. When
          you leave instead, what is not saved is lost.
        </Text>
        {error !== null && (
          <Problem title="You cannot go on yet" error={hasStatus(error, 401) ? NOBODY_YET : error} />
        )}
        <Group justify="flex-end">
          <Button variant="subtle" onClick={onLeave}>
            Leave
          </Button>
          <Button variant="default" loading={isPending} onClick={() => mutate()}>
            Go on
          </Button>
          <Button component="a" href={loginAddress()} target="_blank" rel="noopener" data-autofocus>
            Log in
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
