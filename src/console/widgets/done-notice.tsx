import { Alert, Text } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { takeFocus } from './take-focus'

/** Says what was done. It takes the focus, because the button that had it is gone. */
export const DoneNotice = ({ title, children }: { title: string; children: string }) => (
  <Alert color="green" icon={<CircleCheck />} title={title} role="status" ref={takeFocus} tabIndex={-1}>
    <Text size="sm" className="breakable">
      {children}
    </Text>
  </Alert>
)
