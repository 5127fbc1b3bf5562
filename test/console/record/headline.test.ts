import { expect, it } from 'vitest'
import { headlineOf } from '#console/record/short-texts'
import { recordTypes } from '#shared/records/record-types'

it.each([
  ['medication', { strength: '5 mg', form_name: 'Tablet', manufacturer: null }, ['5 mg', 'Tablet']],
  ['lab_test', { kind: 'laboratory', specimen: 'Serum', unit: '' }, ['Laboratory', 'Serum']],
] as const)('the line below the name of a %s shows its values in words', (type, record, texts) => {
  expect(headlineOf(recordTypes[type], record)).toEqual(texts)
})
