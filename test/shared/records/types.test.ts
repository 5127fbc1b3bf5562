import { expect, it } from 'vitest'
import { RECORD_TYPES } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'

it.each(RECORD_TYPES)('the filled slots of a %s fit into the bits of an integer', (name) => {
  expect(Math.max(...recordTypes[name].storedFields.map(({ slot }) => slot))).toBeLessThan(31)
})
