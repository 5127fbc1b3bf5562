import { Alert, Text } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'

/** Says what was done. It takes the focus, because the button that had it is gone. */
export function DoneNotice({ title, children }: { title: string; children: string }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.focus(), [])
  return (
    <Alert color="green" icon={<CircleCheck />} title={title} role="status" ref={notice} tabIndex={-1}>
      <Text size="sm" className="breakable">
        {children}
      </Text>
    </Alert>
  )
}
