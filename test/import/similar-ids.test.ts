import { expect, it } from 'vitest'
import { similarIds } from '#import/check/similar-ids'

const CATALOG = new Set(['00123', '7', 'Abc', '123456789012', '0'])

it.each([
  ['123', '00123', 'zeros'],
  ['0007', '7', 'zeros'],
  ['ABC', 'Abc', 'case'],
  ['00abc', 'Abc', 'zeros'],
  ['1.23457E+11', '123456789012', 'shortened'],
  ['1,23457E+11', '123456789012', 'shortened'],
  ['000', '0', 'zeros'],
])('the id %s resembles %s of the catalog', (id, known, difference) => {
  expect(similarIds([id, id], CATALOG)).toEqual([{ id, known, difference }])
})

it.each(['00123', '8', '70', '1.23457E+12', '1.23458E+11', '', 'Abcd'])(
  'the id %j resembles none that it is not',
  (id) => {
    expect(similarIds([id], CATALOG)).toEqual([])
  },
)
