import { Button, Group, Paper, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { RecordType } from '#shared/records/record-type'
import type { ListState } from '../../record/address'
import { useSession } from '../../session'
import { FocusAfterwards } from '../../widgets/dialog'
import { Problem } from '../../widgets/problem'
import { useSubject } from '../../widgets/use-subject'
import { countText, numberText } from '../../wording'
import { MOST_FOUND, readList } from './activation'
import { type Asked, StateQuestion } from './state-question'
import type { Activation } from './use-activation'
import type { RecordSelection } from './use-selection'

interface SelectionBarProps {
  type: RecordType
  /** What is listed now, and how many records that is. */
  list: ListState
  total: number
  selection: RecordSelection
  activation: Activation
}

/** What can be done with the records that are selected. Shows what it would do before it is done. */
export function SelectionBar({ type, list, total, selection, activation }: SelectionBarProps) {
  const question = useSubject<Asked>()
  const { selection: selected, clear } = selection
  const count = selected.names.size
  const ask = (active: boolean) => {
    activation.reset()
    question.open({ active, selection: selected })
  }
  return (
    <>
      {count > 0 && (
        <Paper withBorder p="xs" className="selection-bar" role="region" aria-label="Selected records">
          <Group justify="space-between" gap="xs">
            <Group gap="xs">
              <Text size="sm" fw={600} role="status">
                {countText(count, type.title, type.plural)} selected
                {selection.isFull && ', the most one by one'}
              </Text>
              <SelectAll type={type} list={list} total={total} selection={selection} />
            </Group>
            <Group gap="xs">
              <Button size="xs" color="red" onClick={() => ask(false)}>
                Deactivate
              </Button>
              <Button size="xs" variant="default" onClick={() => ask(true)}>
                Reactivate
              </Button>
              <Button size="xs" variant="subtle" onClick={clear}>
                Clear selection
              </Button>
            </Group>
          </Group>
        </Paper>
      )}
      {question.subject !== undefined && (
        <FocusAfterwards value={activation.notice}>
          <StateQuestion type={type} question={question} {...question.subject} activation={activation} />
        </FocusAfterwards>
      )}
    </>
  )
}

/** Selects all that the list has, on all of its pages. */
function SelectAll({ type, list, total, selection }: Omit<SelectionBarProps, 'activation'>) {
  const { client } = useSession()
  const reading = useMutation({
    mutationFn: () => readList(client, type, list),
    onSuccess: (records) => selection.selectAll(records, list),
  })
  if (total <= selection.selection.names.size) return null
  if (total > MOST_FOUND) {
    return (
      <Text size="sm" c="dimmed">
        All of a list can be selected up to {numberText(MOST_FOUND)}.
      </Text>
    )
  }
  return (
    <>
      <Button
        size="compact-sm"
        variant="light"
        loading={reading.isPending}
        onClick={() => reading.mutate()}
      >{`Select all ${numberText(total)} found`}</Button>
      {reading.error !== null && <Problem title="They could not be selected" error={reading.error} />}
    </>
  )
}
