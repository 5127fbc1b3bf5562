import { Anchor, Badge, Checkbox, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { type ListState, recordAddress } from '../../record/catalog-address'
import { shortText, summaryFields } from '../../record/short-texts'
import type { Column } from '../../widgets/item-table'
import { fieldLabel, timeText } from '../../wording'
import type { RecordSelection } from './selection-bar'

interface RecordColumnsProps {
  type: RecordType
  list: ListState
  records: readonly RawRecord[]
  /** Undefined for users without write permission. */
  selection: RecordSelection | undefined
}

/** The columns of the list: selection, ID, name, summary fields and time. */
export const recordColumns = ({ type, list, records, selection }: RecordColumnsProps): readonly Column<RawRecord>[] => {
  return [
    ...(selection === undefined ? [] : [selectionColumn(records, selection)]),
    {
      label: 'ID',
      cell: (record) => String(record[type.idField]),
      className: 'id-cell one-line',
      translate: 'no',
    },
    {
      label: fieldLabel('name'),
      cell: (record) => <Name type={type} list={list} record={record} />,
      isRowHeader: true,
      className: 'name-cell',
      translate: 'no',
    },
    ...summaryFields(type).map(
      (field): Column<RawRecord> => ({
        label: fieldLabel(field.name),
        cell: (record) => {
          const text = shortText(field, record[field.name])
          // The browser shows the full text as a tooltip.
          return text === '' ? null : <span title={text}>{text}</span>
        },
        className: 'text-cell one-line',
        translate: 'no',
      }),
    ),
    {
      label: 'Updated',
      cell: (record) => timeText(String(record.updated_at)),
      className: 'time-cell',
    },
  ]
}

function Name({ type, list, record }: { type: RecordType; list: ListState; record: RawRecord }) {
  const [name, displayName] = [String(record.name), String(record.display_name)]
  const generic = typeof record.generic_name === 'string' ? record.generic_name : ''
  const further = [displayName, generic].filter((text) => text !== '' && text !== name)
  return (
    <Group wrap="nowrap" gap="xs" justify="space-between">
      <span>
        {/* Never truncated, because many names end with the dose. */}
        <Anchor component={Link} href={recordAddress(type, String(record[type.idField]), list)} fw={550} inherit>
          {name}
        </Anchor>
        {further.length > 0 && (
          <Text size="xs" c="dimmed" fw={400} lineClamp={1} title={further.join(' · ')}>
            {further.join(' · ')}
          </Text>
        )}
      </span>
      {record.is_active !== true && (
        <Badge color="gray" translate="yes">
          Inactive
        </Badge>
      )}
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
    hidesLabel: true,
    cell: (record) => (
      <Checkbox
        aria-label={`Select ${String(record.name)}`}
        size="xs"
        checked={selection.isSelected(record)}
        onChange={({ currentTarget: { checked } }) => selection.select([record], checked)}
      />
    ),
    className: 'select-cell',
  }
}
