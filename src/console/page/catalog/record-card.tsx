import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { RawRecord, RecordType } from '#records/record-type'
import { type ListState, recordAddress } from '../record/address'
import { shortText } from '../record/short-text'
import { summaryFields } from '../record/summary-fields'
import { timeText } from '../wording'
import { ActiveBadge } from './active-badge'

interface RecordCardProps {
  type: RecordType
  list: ListState
  record: RawRecord
}

/** What a card says of a record. */
export function RecordCard({ type, list, record }: RecordCardProps) {
  const id = String(record[type.idField])
  const details = summaryFields(type)
    .map((field) => shortText(field, record[field.name]))
    .filter((text) => text !== '')
  return (
    <>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Anchor component={Link} href={recordAddress(type, id, list)} fw={600} className="breakable">
          {String(record.name)}
        </Anchor>
        <ActiveBadge active={record.is_active === true} />
      </Group>
      {record.display_name !== record.name && (
        <Text size="sm" className="breakable">
          {String(record.display_name)}
        </Text>
      )}
      {details.length > 0 && (
        <Text size="sm" className="breakable">
          {details.join(' · ')}
        </Text>
      )}
      <Text size="xs" c="dimmed" className="breakable">
        {id} · updated {timeText(String(record.updated_at))}
      </Text>
    </>
  )
}
