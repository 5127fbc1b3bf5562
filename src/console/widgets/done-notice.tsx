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

/** Says what was done, where its result is. */
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

/** Says what was done to one of a list, in a corner of the window. It replaces the message before. */
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
