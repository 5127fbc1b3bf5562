import { Button, Group, getDefaultZIndex, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Access, loginAddress } from '../service/access'
import { hasStatus } from '../service/failures'
import { Problem } from './problem'

interface LoginEndedProps {
  opened: boolean
  access: Access
  onLeave: () => void
}

/** Keeps the library's own dialogs, which may be open below this one, from closing at the Escape key. */
const NOT_BELOW = { 'data-mantine-stop-propagation': 'true' }

/** Shown in the dialog; the page behind it is kept. */
const NOBODY_YET = new Error('Nobody is logged in yet. Log in first, and then go on here.')

/** Lies over everything when the browser's session has ended, until the same person has logged in again. */
export function LoginEnded({ opened, access, onLeave }: LoginEndedProps) {
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: () => access.resume(),
    networkMode: 'always',
    gcTime: 0,
  })
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
          <Button variant="subtle" onClick={onLeave} {...NOT_BELOW}>
            Leave
          </Button>
          <Button variant="default" loading={isPending} onClick={() => mutate()} {...NOT_BELOW}>
            Go on
          </Button>
          <Button
            component="a"
            href={loginAddress()}
            target="_blank"
            rel="noopener"
            data-autofocus
            {...NOT_BELOW}
          >
            Log in
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
