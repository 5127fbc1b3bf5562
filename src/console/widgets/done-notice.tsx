import { Alert, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CircleCheck } from 'lucide-react'
import { takeFocus } from './hooks'

/** Says what was done. It takes the focus, because the button that had it is gone. */
export const DoneNotice = ({ title, children }: { title: string; children: string }) => (
  <Alert color="green" icon={<CircleCheck />} title={title} role="status" ref={takeFocus} tabIndex={-1}>
    <Text size="sm" className="breakable">
      {children}
    </Text>
  </Alert>
)

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
