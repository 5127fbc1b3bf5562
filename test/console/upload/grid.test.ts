import { describe, expect, it } from 'vitest'
import { placedCells, positionAfter } from '#console/upload/fix/cell-editing'
import { hintOf } from '#console/upload/fix/field-hints'
import { labTest } from '#shared/records/types/lab-test'
import { medication } from '#shared/records/types/medication'

const fieldOf = (name: string) => [...medication.fields, ...labTest.fields].find((field) => field.name === name)!

describe('the grid of rows to fix', () => {
  it.each([
    ['ArrowDown', { row: 3, column: 1 }],
    ['ArrowUp', { row: 1, column: 1 }],
    ['ArrowLeft', { row: 2, column: 0 }],
    ['PageDown', { row: 4, column: 1 }],
    ['PageUp', { row: 0, column: 1 }],
    ['Home', { row: 2, column: 0 }],
    ['End', { row: 2, column: 2 }],
    ['x', undefined],
  ])('is walked through with the keys, and no further than its end: %s', (key, position) => {
    expect(positionAfter(key, { row: 2, column: 1 }, 5, 3)).toEqual(position)
  })

  it('takes the cells of a spreadsheet, from the active cell to the right and down', () => {
    expect(placedCells({ row: 2, column: 1 }, 'a\tb\r\n"c\nd"\te\r\n')).toEqual([
      { row: 2, column: 1, text: 'a' },
      { row: 2, column: 2, text: 'b' },
      { row: 3, column: 1, text: 'c\nd' },
      { row: 3, column: 2, text: 'e' },
    ])
    expect(placedCells({ row: 0, column: 0 }, 'one')).toEqual([{ row: 0, column: 0, text: 'one' }])
  })

  it('says in plain words what to do', () => {
    expect(hintOf(fieldOf('otc'), 'wrong_type')).toBe('Use yes or no.')
    expect(hintOf(fieldOf('kind'), 'required')).toBe(
      'Use one of: Imaging, Laboratory, Functional, Special test, Package, Panel.',
    )
    expect(hintOf(fieldOf('strength'), 'too_long')).toBe('Shorten it to 32 characters.')
    expect(hintOf(fieldOf('name'), 'required')).toBe('Fill it in.')
  })
})
