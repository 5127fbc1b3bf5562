import { expect, it } from 'vitest'
import { csvSource } from '#shared/records/csv/read'
import { RecordCheck } from '#shared/records/record-check'
import { recordTypes } from '#shared/records/record-types'
import { utf8Encoder } from '#shared/text/utf8'
import { atOnce } from '#shared/work'

it('refuses U+0000 in a cell of any row', () => {
  const type = recordTypes.medication
  const source = atOnce(csvSource(utf8Encoder.encode('medication_id,name,aliases\na,A,x|y\nb,B,x|y\0\n'), type))
  const reader = new RecordCheck(type, source)
  const rows = [...source.records].filter((row) => row.index !== null)
  const [first, second] = rows.map((row) => reader.check(row).result)
  expect(first).toMatchObject({ id: 'a' })
  expect(second).toMatchObject([{ index: 2, field: 'aliases', code: 'malformed' }])
})
