import { describe, expect, it } from 'vitest'
import { rowCheck, valueError } from '#files/check/row-check'
import { fieldNamed } from '#shared/records/record-type'
import { labTest } from '#shared/records/types/lab-test'
import { medication } from '#shared/records/types/medication'

describe('a row that is typed', () => {
  it('is checked by the rules of the service', () => {
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
  ])('may have a value or not, %s: %s', (name, text, error) => {
    const type = name === 'kind' ? labTest : medication
    const found = valueError(type, fieldNamed(type, name)!, text)
    if (error === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(error)
  })
})
