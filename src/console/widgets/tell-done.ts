import { notifications } from '@mantine/notifications'

/** Says what has been done, in a corner of the window; the page stays as it is. The message before it goes. */
export function tellDone(message: string): void {
  notifications.clean()
  notifications.show({
    message,
    color: 'teal',
    withBorder: true,
    role: 'status',
    // It is read by people who look at another place of the window.
    autoClose: false,
    closeButtonProps: { 'aria-label': 'Close the message' },
  })
}
