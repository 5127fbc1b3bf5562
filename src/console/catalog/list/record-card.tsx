import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { type ListState, recordAddress } from '../../record/address'
import { shortText, summaryFields } from '../../record/short-texts'
import { timeText } from '../../wording'
import { InactiveBadge } from '../inactive-badge'
import { SelectBox } from './record-columns'
import type { RecordSelection } from './use-selection'

interface RecordCardProps {
  type: RecordType
  list: ListState
  record: RawRecord
  /** Undefined for people who may not write. */
  selection: RecordSelection | undefined
}

export function RecordCard({ type, list, record, selection }: RecordCardProps) {
  const id = String(record[type.idField])
  const details = summaryFields(type)
    .map((field) => shortText(field, record[field.name]))
    .filter((text) => text !== '')
  return (
    <>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Anchor
          component={Link}
          href={recordAddress(type, id, list)}
          fw={600}
          flex={1}
          underline="hover"
          className="breakable"
        >
          {String(record.name)}
        </Anchor>
        <InactiveBadge active={record.is_active === true} />
        {selection !== undefined && (
          <div className="above-card-link">
            <SelectBox record={record} selection={selection} />
          </div>
        )}
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
