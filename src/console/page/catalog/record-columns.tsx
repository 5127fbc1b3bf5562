import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { RawRecord, RecordType } from '#records/record-type'
import { type ListState, recordAddress } from '../record/address'
import { shortText } from '../record/short-text'
import { summaryFields } from '../record/summary-fields'
import type { Column } from '../shell/item-table'
import { fieldLabel, timeText } from '../wording'
import { ActiveBadge } from './active-badge'

/** What a table says of each record. */
export const recordColumns = (type: RecordType, list: ListState): readonly Column<RawRecord>[] => [
  { label: 'Id', cell: (record) => String(record[type.idField]), className: 'id-cell' },
  {
    label: fieldLabel('name'),
    cell: (record) => (
      <>
        <Anchor
          component={Link}
          href={recordAddress(type, String(record[type.idField]), list)}
          fw={550}
          inherit
        >
          {String(record.name)}
        </Anchor>
        {record.display_name !== record.name && (
          <Text size="xs" c="dimmed" fw={400}>
            {String(record.display_name)}
          </Text>
        )}
      </>
    ),
    isRowHeader: true,
    className: 'name-cell',
  },
  ...summaryFields(type).map((field) => ({
    label: fieldLabel(field.name),
    cell: (record: RawRecord) => shortText(field, record[field.name]),
    className: 'text-cell',
  })),
  { label: 'State', cell: (record) => <ActiveBadge active={record.is_active === true} /> },
  { label: 'Updated', cell: (record) => timeText(String(record.updated_at)), className: 'time-cell' },
]
