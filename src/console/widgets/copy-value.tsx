import { Button, Code, CopyButton, Group, Text, VisuallyHidden } from '@mantine/core'
import { Check, Copy } from 'lucide-react'

export interface LabelledValue {
  label: string
  value: string
}

/** A text with a button to copy it. */
export const CopyValue = ({ label, value }: LabelledValue) => (
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
              leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
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
