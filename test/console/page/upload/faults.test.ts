import { describe, expect, it } from 'vitest'
import { faultsOf, groupFaults } from '#console/page/upload/faults'
import { readText } from './files'

const csv = readText('\nid,name\n1,A\n')
const fault = (index: number | null, field: string | null, msg: string, value: unknown = null) => ({
  index,
  field,
  code: 'required' as const,
  msg,
  value,
})

describe('the faults of a file', () => {
  it.each([
    [1, 'is required', 3, 'is required'],
    [5, 'occurs already at index 2', 7, 'occurs already in row 4'],
    [2, 'the row has 5 cells, the header row 2', 4, 'the row has 5 cells, the header row 2'],
    [
      null,
      'column 3 has a value in row 7 but no header',
      null,
      'column 3 has a value in row 9 but no header',
    ],
    [
      null,
      'a quote that opens in the header row never closes',
      null,
      'a quote that opens in the header row never closes',
    ],
  ])('have the row numbers of the spreadsheet: %j %s', (index, msg, row, message) => {
    expect(faultsOf([fault(index, 'x', msg)], csv)).toMatchObject([{ row, message }])
  })

  it('are grouped by field and reason, whatever the numbers in it, the largest group first', () => {
    const groups = groupFaults(
      faultsOf(
        [
          fault(1, 'name', 'is required'),
          fault(2, 'aliases', 'item 3 must be at most 200 characters'),
          fault(3, 'aliases', 'item 1 must be at most 200 characters'),
          fault(4, 'medication_id', 'occurs already at index 1'),
          fault(5, 'medication_id', 'occurs already at index 2'),
          fault(6, 'medication_id', 'occurs already at index 3'),
        ],
        csv,
      ),
    )
    expect(groups.map(({ field, reason, faults }) => [field, reason, faults.length])).toEqual([
      ['medication_id', 'occurs already in an earlier row', 3],
      ['aliases', 'an item must be at most 200 characters', 2],
      ['name', 'is required', 1],
    ])
    expect(new Set(groups.map(({ key }) => key)).size).toBe(3)
  })

  it('of the whole file come first', () => {
    const groups = groupFaults(
      faultsOf(
        [fault(1, 'a', 'is required'), fault(2, 'a', 'is required'), fault(null, 'b', 'is missing')],
        csv,
      ),
    )
    expect(groups.map(({ field }) => field)).toEqual(['b', 'a'])
  })
})
