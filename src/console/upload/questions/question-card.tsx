import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { CircleCheck, CircleHelp } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { FileSummary } from '#files/file-summary'
import type { RecordType } from '#shared/records/record-type'
import type { UploadProcess } from '../process/upload-process'

/** Props of every question about a file. */
export interface FileQuestionProps {
  type: RecordType
  file: FileSummary
  upload: UploadProcess
  disabled: boolean
}

interface QuestionCardProps {
  title: string
  /** The given answer; undefined if there is none yet. */
  answer?: string | undefined
  disabled?: boolean
  children: ReactNode
}

interface AnsweredQuestionProps {
  title: string
  answer: string
  disabled: boolean
  onChange: () => void
}

/** An answered question: one line, with a button to change the answer. */
export const AnsweredQuestion = ({ title, answer, disabled, onChange }: AnsweredQuestionProps) => (
  <Group gap="xs" px="md" py={2} wrap="nowrap">
    <CircleCheck size={16} color="var(--mantine-color-green-text)" aria-hidden />
    <Text size="sm" className="breakable" flex={1}>
      {title}: <b>{answer}</b>
    </Text>
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Change the answer: ${title}`}
      disabled={disabled}
      onClick={onChange}
    >
      Change
    </Button>
  </Group>
)

/** A question about a file. After it is answered, it becomes one line, and can be reopened to change the answer. */
export function QuestionCard({ title, answer, disabled = false, children }: QuestionCardProps) {
  /** The answer that the user wants to change. */
  const [opened, setOpened] = useState<string>()
  const id = useId()
  if (answer !== undefined && answer !== opened) {
    return <AnsweredQuestion {...{ title, answer, disabled }} onChange={() => setOpened(answer)} />
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

interface ChoiceQuestionProps extends Omit<QuestionCardProps, 'children'> {
  children?: ReactNode
  /** The buttons and their actions, most likely answer first. */
  choices: readonly { label: string; onChoose: () => void }[]
}

/** A question with one button per answer. */
export const ChoiceQuestion = ({ children, choices, ...question }: ChoiceQuestionProps) => (
  <QuestionCard {...question}>
    {children}
    <Group gap="xs">
      {choices.map(({ label, onChoose }, index) => (
        <Button
          key={label}
          size="xs"
          {...(index > 0 && { variant: 'default' })}
          disabled={question.disabled ?? false}
          onClick={onChoose}
        >
          {label}
        </Button>
      ))}
    </Group>
  </QuestionCard>
)
