import { describe, expect, it } from 'vitest'
import { rowErrors, summaryOf } from '#files/check/row-errors'
import type { FieldError } from '#shared/errors/errors'
import type { FieldErrorCode } from '#shared/errors/schemas'
import { readText } from './files'

const csv = readText('\nid,name\n1,A\n')
const error = (
  index: number | null,
  field: string | null,
  msg: string,
  code: FieldErrorCode = 'required',
): FieldError => ({ index, field, code, msg, value: null })

describe('the errors of a file', () => {
  it.each([
    [1, 'is required', 3, 'is required'],
    [5, 'occurs already at index 2', 7, 'occurs already in row 4'],
    [2, 'the row has 5 cells, the header row 2', 4, 'the row has 5 cells, the header row 2'],
    [null, 'column 3 has a value in row 7 but no header', null, 'column 3 has a value in row 9 but no header'],
  ])('have the row numbers of the spreadsheet: %j %s', (index, msg, row, message) => {
    expect(rowErrors([error(index, 'x', msg)], csv)).toMatchObject([{ row, message }])
  })

  it('are grouped by field and code, the largest group first', () => {
    const { groups } = summaryOf(
      rowErrors(
        [
          error(1, 'name', 'is required'),
          error(2, 'aliases', 'item 3 must be at most 200 characters', 'too_long'),
          error(3, 'aliases', 'item 1 must be at most 200 characters', 'too_long'),
          error(4, 'medication_id', 'occurs already at index 1', 'duplicate_id'),
          error(5, 'medication_id', 'occurs already at index 2', 'duplicate_id'),
          error(6, 'medication_id', 'is required'),
          error(7, 'medication_id', 'occurs already at index 3', 'duplicate_id'),
        ],
        csv,
      ),
    )
    expect(groups.map(({ field, reason, errorCount }) => [field, reason, errorCount])).toEqual([
      ['medication_id', 'occurs already in an earlier row', 3],
      ['aliases', 'has an item that is too long', 2],
      ['name', 'is required', 1],
      ['medication_id', 'is required', 1],
    ])
    expect(new Set(groups.map(({ key }) => key)).size).toBe(4)
  })

  it('of the whole file come first', () => {
    const { groups } = summaryOf(
      rowErrors([error(1, 'a', 'is required'), error(2, 'a', 'is required'), error(null, 'b', 'is missing')], csv),
    )
    expect(groups.map(({ field }) => field)).toEqual(['b', 'a'])
  })
})
