import { expect, it } from 'vitest'
import type { ErrorItem } from '#shared/errors/errors'
import { recordTypes } from '#shared/records/record-types'
import { ErrorSummary } from '#worker/catalog/uploads/upload-log'

const summaryOf = (field: string) => {
  const error: ErrorItem = { index: null, field, code: 'ambiguous_column', msg: 'occurs twice', value: null }
  return new ErrorSummary(recordTypes.medication, [error])
}

it.each([
  // In a file without a header row, the first row is a record.
  ['Zolpidem', 'Zolpidem occurs twice. Name one column Zolpidem only.', 'Zolpidem'],
  ['e', 'e occurs twice.', 'e '],
])('a stored message never has the header %j of a column', (header, message, absent) => {
  const stored = summaryOf(header).storableMessage(message)
  expect(stored).toMatch(/^a column occurs twice\./)
  expect(stored).not.toContain(absent)
})

it('a stored message keeps the name of a field', () => {
  expect(summaryOf('strength').storableMessage('strength occurs twice.')).toBe('strength occurs twice.')
})
