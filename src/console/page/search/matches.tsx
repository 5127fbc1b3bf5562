import { Anchor, List, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { RawRecord, RecordType } from '#records/record-type'
import { recordAddress, WHOLE_LIST } from '../record/address'
import { shortText, summaryFields } from '../record/short-texts'
import type { SearchResult } from '../service/answers'

export const Matches = ({ type, result }: { type: RecordType; result: SearchResult }) => (
  <List type="ordered" spacing="sm" size="sm" aria-label="Matches" className="matches">
    {result.items.map((record) => (
      <List.Item key={String(record[type.idField])}>
        <Match type={type} record={record} isOwn={result.source === 'workspace'} />
      </List.Item>
    ))}
  </List>
)

function Match({ type, record, isOwn }: { type: RecordType; record: RawRecord; isOwn: boolean }) {
  const id = String(record[type.idField])
  const name = String(record.name)
  const aliases = record.aliases as string[]
  const details = [
    ...(record.display_name === record.name ? [] : [String(record.display_name)]),
    ...summaryFields(type).map((field) => shortText(field, record[field.name])),
    ...(aliases.length === 0 ? [] : [`also ${aliases.join(', ')}`]),
  ].filter((text) => text !== '')
  return (
    <div className="breakable">
      {isOwn ? (
        <Anchor component={Link} href={recordAddress(type, id, WHOLE_LIST)} fw={550} inherit>
          {name}
        </Anchor>
      ) : (
        <Text span inherit fw={550}>
          {name}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {[...details, id].join(' · ')}
      </Text>
    </div>
  )
}
