import { Alert, type AlertProps, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { takeFocus } from './hooks'

/** A notice that takes the focus, because the element that had it is gone. */
export const FocusedAlert = (props: AlertProps & { role?: 'alert' | 'status' }) => (
  <Alert ref={takeFocus} tabIndex={-1} {...props} />
)

interface DoneNoticeProps {
  title: string
  text?: string
  action?: ReactNode
}

/** Says what was done, next to the result. */
export const DoneNotice = ({ title, text, action }: DoneNoticeProps) => (
  <FocusedAlert color="green" icon={<CircleCheck />} p="xs" title={title} role="status">
    {text !== undefined && (
      <Text size="sm" className="breakable">
        {text}
      </Text>
    )}
    {action}
  </FocusedAlert>
)

/** Shows what was done to an item of a list, in a corner of the window. Replaces the previous message. */
export function tellDone(message: string): void {
  notifications.clean()
  notifications.show({
    message,
    color: 'teal',
    withBorder: true,
    role: 'status',
    // Users who look elsewhere in the window need time to notice it.
    autoClose: false,
    closeButtonProps: { 'aria-label': 'Close the message' },
  })
}
