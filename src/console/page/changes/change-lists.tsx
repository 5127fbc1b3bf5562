import { Stack, Tabs, Text } from '@mantine/core'
import { memo } from 'react'
import type { Change } from '#records/change'
import type { RecordType } from '#records/record-type'
import { Differences } from '../record/differences'
import { FullListHeading } from '../record/full-list'
import type { Preview } from '../service/answers'
import { type Column, ItemTable } from '../shell/item-table'
import { numberText } from '../wording'
import { countOf, OUTCOME_COLORS, OUTCOME_LABELS, SHOWN_CHANGES } from './counts'

interface ChangeListsProps {
  type: RecordType
  check: Preview
  /** The full list, as CSV. */
  onList: (change: Change) => Promise<Blob>
}

/** The first records of each kind of change; the full lists are files. */
export const ChangeLists = memo(function ChangeLists({ type, check, onList }: ChangeListsProps) {
  const lists = SHOWN_CHANGES.filter((change) => countOf(check, change) > 0)
  return (
    <Tabs defaultValue={lists[0]!} keepMounted={false}>
      <Tabs.List aria-label="Changes">
        {lists.map((change) => (
          <Tabs.Tab key={change} value={change} color={OUTCOME_COLORS[change]}>
            {OUTCOME_LABELS[change]} ({numberText(countOf(check, change))})
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {lists.map((change) => (
        <Tabs.Panel key={change} value={change} pt="sm">
          <ChangeList type={type} check={check} change={change} onList={onList} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
})

type ListedChange = Preview['diff'][Change][number]

const ID: Column<ListedChange> = {
  label: 'Id',
  cell: ({ id }) => id,
  isRowHeader: true,
  className: 'id-cell top-cell',
}

const NAME: Column<ListedChange> = { label: 'Name', cell: ({ name }) => name, className: 'value-cell' }

const NAME_AND_FIELDS: Column<ListedChange> = {
  ...NAME,
  label: 'Name and fields',
  cell: (record) => (
    <>
      {record.name}
      {record.fields && <Differences fields={record.fields} />}
    </>
  ),
}

function ChangeList({ type, check, change, onList }: ChangeListsProps & { change: Change }) {
  const shown = check.diff[change]
  const count = countOf(check, change)
  return (
    <Stack gap="xs">
      <FullListHeading fileName={`${type.name}-${change}.csv`} getFile={() => onList(change)}>
        <Text size="sm" c="dimmed">
          {count > shown.length ? `The first ${shown.length} of ${numberText(count)}` : 'All of them'}
        </Text>
      </FullListHeading>
      <ItemTable
        name={`${OUTCOME_LABELS[change].toLowerCase()} records`}
        items={shown}
        idOf={({ id }) => id}
        columns={shown.some((record) => 'fields' in record) ? [ID, NAME_AND_FIELDS] : [ID, NAME]}
        minWidth={260}
        maxHeight={420}
        striped
        stickyHeader
      />
    </Stack>
  )
}
