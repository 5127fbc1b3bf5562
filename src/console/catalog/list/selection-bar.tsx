import { Button, Group, Paper, ScrollArea, Stack, Text } from '@mantine/core'
import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { PREVIEW } from '../../catalog-changed'
import { changesIn } from '../../changes/counts'
import { useDeactivations } from '../../changes/deactivation-notice'
import type { ListState } from '../../record/address'
import { type Preview, withDiff } from '../../service/answers'
import { useSession } from '../../session'
import { Dialog, FocusAfterwards } from '../../widgets/dialog'
import { type SubjectDialog, useSubject } from '../../widgets/hooks'
import { Loaded } from '../../widgets/loaded'
import { Problem } from '../../widgets/problem'
import { countText, numberText } from '../../wording'
import { type Activation, changeState, MOST_BY_HAND, MOST_FOUND, readList } from './use-activation'

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

/** What is asked: the records as they were selected, so that the question stays as it is while it disappears. */
interface Asked {
  active: boolean
  selection: Selection
}

interface StateQuestionProps extends Asked {
  type: RecordType
  question: SubjectDialog<Asked>
  activation: Activation
}

/** Shows what a change of state would do, and asks. Many deactivations are confirmed by their number. */
function StateQuestion({ type, question, active, selection, activation }: StateQuestionProps) {
  const { client } = useSession()
  const { opened, close } = question
  const change = { ids: [...selection.names.keys()], active }
  const preview = useQuery({
    queryKey: [PREVIEW, type.name, 'state', active, change.ids],
    queryFn: async ({ signal }) =>
      withDiff(await changeState(client, type, change, { dry_run: true, include: 'diff' }, signal)),
    enabled: opened,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={`${active ? 'Reactivate' : 'Deactivate'} ${countText(selection.names.size, type.title, type.plural)}?`}
      size="lg"
      locked={activation.isPending}
    >
      <StateDialog
        type={type}
        active={active}
        preview={preview}
        isPending={activation.isPending}
        error={opened ? activation.error : null}
        onConfirm={(check) => activation.start(change, check.shrink_guard !== undefined, close)}
        onClose={close}
      />
    </Dialog>
  )
}

interface StateDialogProps {
  type: RecordType
  active: boolean
  preview: Pick<UseQueryResult<Preview>, 'data' | 'error' | 'isPending' | 'refetch'>
  isPending: boolean
  error: Error | null
  onConfirm: (check: Preview) => void
  onClose: () => void
}

function StateDialog({ type, active, preview, isPending, error, onConfirm, onClose }: StateDialogProps) {
  const check = preview.data
  const deactivations = useDeactivations(type, check ?? nothingOf(type))
  const isIdle = check !== undefined && changesIn(check) === 0
  return (
    <Stack>
      <Text size="sm">{active ? WILL_BE_FOUND : WILL_BE_GONE}</Text>
      <Loaded query={preview} name="preview" height={120}>
        {({ diff, ...counts }) => (
          <Stack role="status" gap="sm">
            {isIdle && <Text size="sm">They are in that state already. There is nothing to change.</Text>}
            {deactivations.notice}
            <Names
              records={active ? diff.reactivated : diff.deactivated}
              count={active ? counts.reactivated : counts.deactivated}
            />
          </Stack>
        )}
      </Loaded>
      {error !== null && <Problem title="That could not be done" error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={isPending} data-autofocus>
          {isIdle ? 'Close' : 'Cancel'}
        </Button>
        {!isIdle && (
          <Button
            {...(active ? {} : { color: 'red' })}
            loading={isPending}
            disabled={check === undefined || deactivations.isOpen}
            onClick={() => check !== undefined && onConfirm(check)}
          >
            {active ? 'Reactivate' : 'Deactivate'}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

const WILL_BE_FOUND = 'They will be listed again, and partners will find them.'
const WILL_BE_GONE =
  'They will no longer be listed, and partners will not find them. Nothing is deleted: you can reactivate them.'

/** The first records that would change. @param count how many there are */
function Names({ records, count }: { records: readonly { id: string; name: string }[]; count: number }) {
  if (count === 0) return null
  return (
    <ScrollArea.Autosize mah={240} type="auto" viewportProps={{ tabIndex: 0 }}>
      <ul className="plain-list" aria-label="What would change">
        {records.map(({ id, name }) => (
          <li key={id} className="breakable">
            <Text size="sm">
              {name} ({id})
            </Text>
          </li>
        ))}
        {count > records.length && <li>and {numberText(count - records.length)} more</li>}
      </ul>
    </ScrollArea.Autosize>
  )
}

/** Until it is known what would change. */
const nothingOf = ({ name }: RecordType): Preview => ({
  type: name,
  mode: 'restore',
  dry_run: true,
  total: 0,
  inserted: 0,
  updated: 0,
  reactivated: 0,
  unchanged: 0,
  deactivated: 0,
  active_before: 0,
  active_after: 0,
  revision: 0,
  epoch: '',
  warnings: [],
  diff: { inserted: [], updated: [], reactivated: [], deactivated: [] },
})

/** Records that are selected: their names, by their ids. */
interface Selection {
  names: ReadonlyMap<string, string>
  /** The list that was selected as a whole; undefined if records were selected one by one. */
  list: ListState | undefined
}

const NONE: Selection = { names: new Map(), list: undefined }

/** The records that are selected, on whichever page of the list they stand. */
export function useSelection({ idField }: RecordType) {
  const [selection, setSelection] = useState(NONE)
  const { names, list } = selection
  const idOf = (record: RawRecord) => String(record[idField])
  const namesOf = (records: readonly RawRecord[]) =>
    records.map((record) => [idOf(record), String(record.name)] as const)
  return {
    selection,
    isSelected: (record: RawRecord) => names.has(idOf(record)),
    /** Whether another one would be too many. */
    isFull: list === undefined && names.size >= MOST_BY_HAND,
    select: (records: readonly RawRecord[], selected: boolean) => {
      const next = new Map(names)
      for (const [id, name] of namesOf(records)) {
        if (!selected) next.delete(id)
        else if (list !== undefined || next.size < MOST_BY_HAND) next.set(id, name)
      }
      setSelection({ names: next, list: next.size === 0 ? undefined : list })
    },
    /** All records that a list has. */
    selectAll: (records: readonly RawRecord[], whole: ListState) =>
      setSelection({ names: new Map(namesOf(records)), list: whole }),
    clear: () => setSelection(NONE),
  }
}

export type RecordSelection = ReturnType<typeof useSelection>
