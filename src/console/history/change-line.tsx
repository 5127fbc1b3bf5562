import { Anchor, Text } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { recordAddress, WHOLE_LIST } from '../record/address'
import type { WriteChange } from '../service/answers'
import { countText } from '../wording'
import { changeWords } from './change-words'

/** What became of one record, in words: `XCOPRI 25MG: strength 25MG → 50MG`. */
export function ChangeLine({ type, change }: { type: RecordType; change: WriteChange }) {
  const { became, fields, more } = changeWords(change)
  return (
    <Text size="sm" className="breakable difference">
      <Anchor component={Link} href={recordAddress(type, change.id, WHOLE_LIST)} inherit>
        {change.name}
      </Anchor>
      {': '}
      {became}
      {fields.map(({ field, before, after }, place) => (
        <Fragment key={field}>
          {place > 0 || became !== undefined ? ', ' : ''}
          {field} <del>{before}</del> → <ins>{after}</ins>
        </Fragment>
      ))}
      {more > 0 && `, and ${countText(more, 'more field', 'more fields')}`}
    </Text>
  )
}
