import { Anchor, List, type ListProps, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { type ListState, recordAddress } from './catalog-address'
import { headlineOf, itemsOf } from './short-texts'

interface RecordMatchesProps extends Pick<ListProps, 'type' | 'aria-label'> {
  recordType: RecordType
  records: readonly RawRecord[]
  /** The list for the link back from the records' pages; undefined for records of another workspace. */
  list: ListState | undefined
}

/** Records found by a search, each with distinguishing details. */
export const RecordMatches = ({ recordType, records, list, ...look }: RecordMatchesProps) => (
  <List {...look} spacing="xs" size="sm" className="matches">
    {records.map((record) => {
      const id = String(record[recordType.idField])
      return (
        <List.Item key={id} className="breakable" translate="no">
          {list === undefined ? (
            <Text span inherit fw={550}>
              {String(record.name)}
            </Text>
          ) : (
            <Anchor component={Link} href={recordAddress(recordType, id, list)} fw={550} inherit>
              {String(record.name)}
            </Anchor>
          )}
          <Text size="xs" c="dimmed">
            {[...detailsOf(recordType, record), id].join(' · ')}
          </Text>
        </List.Item>
      )
    })}
  </List>
)

/** Details that distinguish a record from others with the same name. */
export function detailsOf(type: RecordType, record: RawRecord): string[] {
  const aliases = itemsOf(record.aliases)
  return [
    record.display_name === record.name ? '' : String(record.display_name),
    ...headlineOf(type, record),
    aliases.length === 0 ? '' : `also ${aliases.join(', ')}`,
  ].filter((text) => text !== '')
}
