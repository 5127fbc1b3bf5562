import { describe, expect, it } from 'vitest'
import { hintOf } from '#console/page/upload/field-hints'
import { pastedCells, placeAfter } from '#console/page/upload/grid-keys'
import { rowCheck, valueError } from '#console/page/upload/row-check'
import { labTest } from '#records/types/lab-test'
import { medication } from '#records/types/medication'

const fieldOf = (name: string) =>
  [...medication.fields, ...labTest.fields].find((field) => field.name === name)!

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
  ])('is walked through with the keys, and no further than its end: %s', (key, place) => {
    expect(placeAfter(key, { row: 2, column: 1 }, 5, 3)).toEqual(place)
  })

  it('takes the cells of a spreadsheet', () => {
    expect(pastedCells('a\tb\r\n"c\nd"\te\r\n')).toEqual([
      ['a', 'b'],
      ['c\nd', 'e'],
    ])
    expect(pastedCells('one')).toEqual([['one']])
  })

  it('checks a row as it is typed, by the rules of the service', () => {
    const columns = ['lab_test_id', 'name', 'kind', 'result_type', 'unit'].map((field, column) => ({
      column,
      header: field,
      field,
    }))
    const check = rowCheck(labTest, columns)
    expect(check(['1', 'A', 'Imaging', 'na', ''])).toEqual(new Map())
    expect(check(['1', '', 'imaging', 'numerical', ''])).toEqual(
      new Map([
        [1, 'is required'],
        [4, 'is required when result_type is numerical'],
      ]),
    )
  })

  it.each([
    ['otc', 'Yes', undefined],
    ['otc', 'perhaps', /must be true or false/],
    ['kind', 'special test', undefined],
    ['kind', 'blood', /must be one of/],
    ['strength', 'x'.repeat(33), /at most 32/],
    ['aliases', 'a|b', undefined],
  ])('says of a value for %s whether it can be one: %s', (name, text, error) => {
    const type = name === 'kind' ? labTest : medication
    if (error === undefined) expect(valueError(type, fieldOf(name), text)).toBeUndefined()
    else expect(valueError(type, fieldOf(name), text)).toMatch(error)
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
