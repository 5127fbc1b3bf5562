import { Alert, type AlertProps, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CircleCheck } from 'lucide-react'
import { takeFocus } from './hooks'

/** A notice that takes the focus, because the element that had it is gone. */
export const FocusedAlert = (props: AlertProps & { role?: 'alert' | 'status' }) => (
  <Alert ref={takeFocus} tabIndex={-1} {...props} />
)

/** Says what was done. */
export const DoneNotice = ({ title, children }: { title: string; children: string }) => (
  <FocusedAlert color="green" icon={<CircleCheck />} title={title} role="status">
    <Text size="sm" className="breakable">
      {children}
    </Text>
  </FocusedAlert>
)

/** Says what was done, in a corner of the window. It replaces the message before. */
export function tellDone(message: string): void {
  notifications.clean()
  notifications.show({
    message,
    color: 'teal',
    withBorder: true,
    role: 'status',
    // People who look at another place of the window need time to find it.
    autoClose: false,
    closeButtonProps: { 'aria-label': 'Close the message' },
  })
}
