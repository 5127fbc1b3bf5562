import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { CircleCheck, CircleHelp } from 'lucide-react'
import { type ReactNode, useId } from 'react'

interface QuestionCardProps {
  title: string
  /** What was answered; undefined while nothing is. */
  answer: string | undefined
  disabled: boolean
  children: ReactNode
}

/** A question about a file. Once it is answered, it is one line, and can be opened again. */
export function QuestionCard({ title, answer, disabled, children }: QuestionCardProps) {
  const [isOpened, opened] = useDisclosure(false)
  const id = useId()
  if (answer !== undefined && !isOpened) {
    return (
      <Group gap="xs" className="answered" wrap="nowrap">
        <CircleCheck size={16} color="var(--mantine-color-green-text)" aria-hidden />
        <Text size="sm" className="breakable" flex={1}>
          {title}: <b>{answer}</b>
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Change the answer: ${title}`}
          disabled={disabled}
          onClick={opened.open}
        >
          Change
        </Button>
      </Group>
    )
  }
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Alert
        variant="transparent"
        p={0}
        color="yellow"
        icon={<CircleHelp />}
        role={answer === undefined ? 'alert' : undefined}
        title={
          <Title order={2} size="h4" id={id} c="var(--mantine-color-text)" tabIndex={-1}>
            {title}
          </Title>
        }
      >
        <Stack gap="sm">{children}</Stack>
      </Alert>
    </Paper>
  )
}
