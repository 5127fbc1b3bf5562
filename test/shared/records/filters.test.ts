import { describe, expect, it } from 'vitest'
import { FIELD_FILTERS, fieldFiltersIn, matcherOf } from '#shared/records/filters'
import { fieldNamed } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { keysOf } from '#shared/text/keys-of'
import { recordsQuerySchema } from '#worker/catalog/read/queries'

describe.each(keysOf(FIELD_FILTERS))('the filter %s', (name) => {
  const { types, field, values } = FIELD_FILTERS[name]

  it('is about a field that every record of its types has in the stored form', () => {
    for (const type of types) expect(fieldNamed(recordTypes[type], field)?.slot, type).toEqual(expect.any(Number))
  })

  it('is a parameter of the query for its types, takes each of its values, and no other type', () => {
    for (const type of keysOf(recordTypes)) {
      const accepted = values.filter((value) => recordsQuerySchema.safeParse({ type, [name]: String(value) }).success)
      expect(accepted, type).toEqual(types.includes(type) ? values : [])
    }
    expect(recordsQuerySchema.safeParse({ type: types[0], [name]: 'anything' }).success).toBe(false)
  })

  it('is found in a query that has it', () => {
    for (const value of values) expect(fieldFiltersIn({ [name]: value })).toEqual([name])
    expect(fieldFiltersIn({ q: 'a' } as object)).toEqual([])
  })
})

it('a drug form is asked of the stored name, which may be absent', () => {
  const names = ['Tablet', 'Tabs', 'Potion', null]
  expect(names.filter(matcherOf('form_id', { form_id: 'tablet' })!)).toEqual(['Tablet', 'Tabs'])
  expect(names.filter(matcherOf('linked', { linked: true })!)).toEqual(['Tablet', 'Tabs'])
  expect(names.filter(matcherOf('linked', { linked: false })!)).toEqual(['Potion', null])
  expect(matcherOf('kind', { kind: 'panel' })).toBeUndefined()
})
