import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { changesIn } from '../../changes/change-texts'
import { PreviewedWrite } from '../../changes/previewed-write'
import { type ListState, listAddress } from '../../record/catalog-address'
import type { WriteResult } from '../../service/answers'
import { useSession } from '../../session-context'
import { ActionBar } from '../../widgets/action-bar'
import { Dialog } from '../../widgets/dialog'
import { useSubject } from '../../widgets/hooks'
import { FocusAfterwards } from '../../widgets/kept-focus'
import { Problem } from '../../widgets/problem'
import { countText, numberText } from '../../wording'
import { type Activation, MOST_SELECTED, readList, stateCalls } from './use-activation'

interface SelectionBarProps {
  type: RecordType
  /** The current list, the records on this page, and their total number. */
  list: ListState
  items: readonly RawRecord[]
  total: number
  selection: RecordSelection
  activation: Activation
}

/** Deactivates and reactivates the selected records, after a preview. */
export function SelectionBar({ activation, ...listed }: SelectionBarProps) {
  const { type, selection } = listed
  const question = useSubject<StateQuestion>()
  const { ids, clear } = selection
  const ask = (active: boolean) => {
    activation.reset()
    question.open({ active, ids: [...ids] })
  }
  return (
    <>
      {ids.size > 0 && (
        <ActionBar
          label="Selected records"
          above={
            <Group gap="xs">
              <Text size="sm" fw={600} role="status">
                {countText(ids.size, type.title, type.plural)} selected
              </Text>
              <SelectAll {...listed} />
            </Group>
          }
        >
          <Button variant="subtle" onClick={clear}>
            Clear selection
          </Button>
          <Button variant="default" onClick={() => ask(true)}>
            Reactivate
          </Button>
          <Button color="red" onClick={() => ask(false)}>
            Deactivate
          </Button>
        </ActionBar>
      )}
      {question.subject !== undefined && (
        <FocusAfterwards value={activation.notice}>
          <StateDialog
            type={type}
            {...question.subject}
            opened={question.opened}
            onClose={question.close}
            onWritten={(result) => {
              question.close()
              activation.show(result, question.subject?.active === true)
            }}
          />
        </FocusAfterwards>
      )}
    </>
  )
}

function SelectAll({ type, list, items, total, selection }: Omit<SelectionBarProps, 'activation'>) {
  const { client } = useSession()
  const reading = useMutation({
    mutationFn: (_address: string) => readList(client, type, list),
    onSuccess: (records) => selection.select(records, true),
  })
  const address = listAddress(type, { ...list, page: 1 })
  // The selection may include records of other lists, so a count does not show whether this whole list is selected.
  const known = reading.variables === address ? (reading.data ?? items) : items
  if (known.length >= total && known.every(selection.isSelected)) return null
  if (total > MOST_SELECTED) {
    return (
      <Text size="sm" c="dimmed">
        A whole list can be selected if it has at most {numberText(MOST_SELECTED)}.
      </Text>
    )
  }
  return (
    <>
      <Button
        size="compact-sm"
        variant="light"
        loading={reading.isPending}
        onClick={() => reading.mutate(address)}
      >{`Select all ${numberText(total)} found`}</Button>
      <Problem title="They could not be selected" error={reading.error} />
    </>
  )
}

/** The question of the dialog. It keeps a copy of the IDs, so that it does not change while it closes. */
interface StateQuestion {
  active: boolean
  ids: readonly string[]
}

interface StateDialogProps extends StateQuestion {
  type: RecordType
  opened: boolean
  onClose: () => void
  onWritten: (result: WriteResult) => void
}

function StateDialog({ type, active, ids, opened, onClose, onWritten }: StateDialogProps) {
  const { client } = useSession()
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={`${active ? 'Reactivate' : 'Deactivate'} ${countText(ids.length, type.title, type.plural)}?`}
      size="xl"
    >
      <Stack gap="sm">
        <PreviewedWrite
          type={type}
          calls={stateCalls(client, type, { ids, active })}
          cannotPreview="The preview could not be loaded"
          notWritten="That could not be done"
          textsOf={(check) => ({
            title:
              changesIn(check) === 0 ? (active ? 'They are active already' : 'They are inactive already') : undefined,
            outcome: active ? WILL_BE_FOUND : WILL_BE_GONE,
          })}
          buttons={(isPending) => (
            <Button variant="default" onClick={onClose} disabled={isPending} data-autofocus>
              Cancel
            </Button>
          )}
          onWritten={onWritten}
        />
      </Stack>
    </Dialog>
  )
}

const WILL_BE_FOUND = 'They will be listed again, and partners will find them.'
const WILL_BE_GONE =
  'They will no longer be listed, and partners will not find them. Nothing is deleted: you can reactivate them.'

/** The selected records, by ID, from all pages of the list. */
export function useSelection({ idField }: RecordType) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const idOf = (record: RawRecord) => String(record[idField])
  return {
    ids,
    isSelected: (record: RawRecord) => ids.has(idOf(record)),
    select: (records: readonly RawRecord[], selected: boolean) => {
      const chosen = new Set(records.map(idOf))
      setIds(new Set(selected ? [...ids, ...chosen] : [...ids].filter((id) => !chosen.has(id))))
    },
    clear: () => setIds(new Set()),
  }
}

export type RecordSelection = ReturnType<typeof useSelection>
