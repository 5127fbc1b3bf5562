import { Alert, Button, Checkbox, Code, CopyButton, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { Check, Copy, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type LeaveQuestion, useLeaveQuestion } from '../shell/leave-guard'

export interface SecretValue {
  label: string
  value: string
}

const NOT_STORED: LeaveQuestion = {
  title: 'Leave without the secret?',
  text: 'It is shown only now. Without it what you have created is of no use, and has to be revoked.',
  leave: 'Leave without it',
}

const Value = ({ label, value }: SecretValue) => (
  <div>
    <Text size="sm" fw={600}>
      {label}
    </Text>
    <Group gap="xs" wrap="nowrap" align="stretch">
      <Code block flex={1} className="breakable secret-value">
        {value}
      </Code>
      <CopyButton value={value} timeout={3000}>
        {({ copied, copy }) => (
          <>
            <Button
              variant="default"
              onClick={copy}
              aria-label={`${copied ? 'Copied' : 'Copy'} ${label}`}
              leftSection={copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
            <VisuallyHidden role="status">{copied ? `${label} copied` : ''}</VisuallyHidden>
          </>
        )}
      </CopyButton>
    </Group>
  </div>
)

interface SecretValuesProps {
  /** All that is needed together. */
  values: readonly SecretValue[]
  /** Called once the person says that they are stored. */
  onStored: () => void
}

/** Shows a secret, this once, until the person has stored it. */
export function SecretValues({ values, onStored }: SecretValuesProps) {
  const [stored, setStored] = useState(false)
  const warning = useRef<HTMLDivElement>(null)
  useLeaveQuestion(NOT_STORED)
  // The form that had the focus is gone.
  useEffect(() => warning.current?.focus(), [])
  return (
    <Stack>
      <Alert
        ref={warning}
        tabIndex={-1}
        color="yellow"
        title="Shown only now"
        icon={<TriangleAlert aria-hidden />}
      >
        Store these values where only those who need them can read them. The service cannot show them again.
      </Alert>
      {values.map((value) => (
        <Value key={value.label} {...value} />
      ))}
      <Checkbox
        label="I have stored these values"
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!stored} onClick={onStored}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
