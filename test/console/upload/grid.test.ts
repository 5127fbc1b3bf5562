import { describe, expect, it } from 'vitest'
import { hintOf } from '#console/upload/fix/field-hints'
import { pastedCells } from '#console/upload/fix/grid-rows'
import { labTest } from '#shared/records/types/lab-test'
import { medication } from '#shared/records/types/medication'

const fieldOf = (name: string) => [...medication.fields, ...labTest.fields].find((field) => field.name === name)!

describe('the grid of rows to fix', () => {
  it('accepts cells of a spreadsheet, from the active cell to the right and down', () => {
    expect(pastedCells({ row: 2, column: 1 }, 'a\tb\r\n"c\nd"\te\r\n')).toEqual([
      { row: 2, column: 1, text: 'a' },
      { row: 2, column: 2, text: 'b' },
      { row: 3, column: 1, text: 'c\nd' },
      { row: 3, column: 2, text: 'e' },
    ])
    expect(pastedCells({ row: 0, column: 0 }, 'one')).toEqual([{ row: 0, column: 0, text: 'one' }])
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
