import { Button, Group, Paper, ScrollArea, Text } from '@mantine/core'
import type { RecordType } from '#records/record-type'
import { ConfirmDialog } from '../shell/confirm-dialog'
import { FocusAfterwards } from '../shell/dialog'
import { type SubjectDialog, useSubject } from '../shell/use-subject'
import { countText } from '../wording'
import { MOST_AT_ONCE } from './set-active'
import type { Activation } from './use-activation'

export type Selection = ReadonlyMap<string, string>

interface SelectionBarProps {
  type: RecordType
  selection: Selection
  activation: Activation
  onClear: () => void
}

/** What can be done with the records that are selected. Asks before it is done, by their names. */
export function SelectionBar({ type, selection, activation, onClear }: SelectionBarProps) {
  const question = useSubject<Asked>()
  return (
    <>
      {selection.size > 0 && (
        <Paper withBorder p="xs" className="selection-bar" role="region" aria-label="Selected records">
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={600} role="status">
              {countText(selection.size, type.title, type.plural)} selected
              {selection.size >= MOST_AT_ONCE && ', the most at once'}
            </Text>
            <Group gap="xs">
              <Button size="xs" color="red" onClick={() => question.open({ active: false, selection })}>
                Deactivate
              </Button>
              <Button size="xs" variant="default" onClick={() => question.open({ active: true, selection })}>
                Reactivate
              </Button>
              <Button size="xs" variant="subtle" onClick={onClear}>
                Clear selection
              </Button>
            </Group>
          </Group>
        </Paper>
      )}
      {question.subject !== undefined && (
        <FocusAfterwards value={activation.notice}>
          <Question type={type} question={question} {...question.subject} activation={activation} />
        </FocusAfterwards>
      )}
    </>
  )
}

/** What is asked: the records as they were selected, so that the question stays as it is while it disappears. */
interface Asked {
  active: boolean
  selection: Selection
}

interface QuestionProps extends Asked {
  type: RecordType
  question: SubjectDialog<Asked>
  activation: Activation
}

function Question({ type, question: { opened, close }, active, selection, activation }: QuestionProps) {
  const action = active ? 'Reactivate' : 'Deactivate'
  return (
    <ConfirmDialog
      opened={opened}
      title={`${action} ${countText(selection.size, type.title, type.plural)}?`}
      action={action}
      dangerous={!active}
      pending={activation.isPending}
      error={opened ? activation.error : null}
      onConfirm={() => activation.start({ ids: [...selection.keys()], active }, close)}
      onClose={close}
    >
      <Text size="sm">
        {active
          ? 'They will be listed again, and partners will find them.'
          : 'They will no longer be listed, and partners will not find them. Nothing is deleted: you can reactivate them.'}
      </Text>
      <ScrollArea.Autosize mah={240} type="auto" viewportProps={{ tabIndex: 0 }}>
        <ul className="plain-list">
          {[...selection].map(([id, name]) => (
            <li key={id} className="breakable">
              <Text size="sm">
                {name}{' '}
                <Text span size="xs" c="dimmed">
                  {id}
                </Text>
              </Text>
            </li>
          ))}
        </ul>
      </ScrollArea.Autosize>
    </ConfirmDialog>
  )
}
