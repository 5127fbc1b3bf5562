import { Anchor, Badge, Checkbox, Group, Text, UnstyledButton } from '@mantine/core'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { Link } from 'wouter'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { type ListState, recordAddress } from '../../record/catalog-address'
import { shortText, summaryFields } from '../../record/short-texts'
import { directionOf, type Sort, type SortKey, shownSort, sortBy } from '../../record/sort'
import type { Column } from '../../widgets/item-table'
import { fieldLabel, timeText } from '../../wording'
import type { RecordSelection } from './selection-bar'

interface RecordColumnsProps {
  type: RecordType
  list: ListState
  records: readonly RawRecord[]
  /** Undefined for people who may not write. */
  selection: RecordSelection | undefined
  onSort: (sort: Sort) => void
}

/** The columns of the list: selection, id, name, summary fields and time. */
export const recordColumns = ({
  type,
  list,
  records,
  selection,
  onSort,
}: RecordColumnsProps): readonly Column<RawRecord>[] => {
  const sortable = (key: SortKey, label: string) => {
    const direction = directionOf(shownSort(list), key)
    return {
      label,
      direction: direction ?? 'none',
      header: <SortButton label={label} direction={direction} onClick={() => onSort(sortBy(key, shownSort(list)))} />,
    } as const
  }
  return [
    ...(selection === undefined ? [] : [selectionColumn(records, selection)]),
    {
      ...sortable('id', 'Id'),
      cell: (record) => String(record[type.idField]),
      className: 'id-cell one-line',
    },
    {
      ...sortable('name', fieldLabel('name')),
      cell: (record) => <Name type={type} list={list} record={record} />,
      isRowHeader: true,
      className: 'name-cell',
    },
    ...summaryFields(type).map((field) => ({
      label: fieldLabel(field.name),
      cell: (record: RawRecord) => <ShortText text={shortText(field, record[field.name])} />,
      className: 'text-cell one-line',
    })),
    {
      ...sortable('updated_at', 'Updated'),
      cell: (record) => timeText(String(record.updated_at)),
      className: 'time-cell',
    },
  ]
}

/** A text that may be cut off. The browser shows the whole as a tooltip. */
const ShortText = ({ text }: { text: string }) => <span title={text}>{text}</span>

function Name({ type, list, record }: { type: RecordType; list: ListState; record: RawRecord }) {
  const [name, displayName] = [String(record.name), String(record.display_name)]
  const generic = typeof record.generic_name === 'string' ? record.generic_name : ''
  const further = [displayName, generic].filter((text) => text !== '' && text !== name)
  return (
    <Group wrap="nowrap" gap="xs" justify="space-between">
      <span>
        {/* Never cut: the dose stands at the end of many names. */}
        <Anchor
          component={Link}
          href={recordAddress(type, String(record[type.idField]), list)}
          fw={550}
          inherit
          underline="hover"
        >
          {name}
        </Anchor>
        {further.length > 0 && (
          <Text size="xs" c="dimmed" fw={400} lineClamp={1} title={further.join(' · ')}>
            {further.join(' · ')}
          </Text>
        )}
      </span>
      <InactiveBadge active={record.is_active === true} />
    </Group>
  )
}

function selectionColumn(records: readonly RawRecord[], selection: RecordSelection): Column<RawRecord> {
  const selectedCount = records.filter((record) => selection.isSelected(record)).length
  const areAllSelected = records.length > 0 && selectedCount === records.length
  return {
    label: 'Select',
    header: (
      <Checkbox
        aria-label="Select all on this page"
        size="xs"
        checked={areAllSelected}
        indeterminate={selectedCount > 0 && !areAllSelected}
        onChange={() => selection.select(records, !areAllSelected)}
      />
    ),
    cell: (record) => <SelectBox record={record} selection={selection} />,
    className: 'select-cell',
  }
}

export const SelectBox = ({ record, selection }: { record: RawRecord; selection: RecordSelection }) => {
  const isSelected = selection.isSelected(record)
  return (
    <Checkbox
      aria-label={`Select ${String(record.name)}`}
      size="xs"
      checked={isSelected}
      disabled={!isSelected && selection.isFull}
      onChange={() => selection.select([record], !isSelected)}
    />
  )
}

interface SortButtonProps {
  label: string
  /** How the table is sorted by this column; undefined if it is not. */
  direction: 'ascending' | 'descending' | undefined
  onClick: () => void
}

const ICONS = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown }

function SortButton({ label, direction, onClick }: SortButtonProps) {
  const Icon = ICONS[direction ?? 'none']
  return (
    <UnstyledButton onClick={onClick} fw="inherit" fz="inherit">
      <Group gap={4} wrap="nowrap" component="span">
        {label}
        <Icon size={14} />
      </Group>
    </UnstyledButton>
  )
}

/** Says that a record is inactive. Shows nothing for an active one. */
export const InactiveBadge = ({ active }: { active: boolean }) => (active ? null : <Badge color="gray">Inactive</Badge>)
