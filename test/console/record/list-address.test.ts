import { describe, expect, it } from 'vitest'
import { fieldGroups } from '#console/record/field-groups'
import { filtersIn, NO_FILTERS, putFilters, queryOf } from '#console/record/filters'
import { isUsual, sortChoices, sortNamed, sortQuery } from '#console/record/sort'
import { RECORD_TYPES } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'

const { medication, lab_test: labTest } = recordTypes

describe('the filters of a list', () => {
  it.each([
    NO_FILTERS,
    { states: 'all', form: 'tablet', kind: '', since: '2026-11-20', problem: '' },
    { states: 'inactive', form: 'unlinked', kind: 'imaging', since: '', problem: '' },
    { ...NO_FILTERS, states: 'problems', problem: 'same_item' },
  ] as const)('are the same after a round trip through the URL: %j', (filters) => {
    const parameters = new URLSearchParams()
    putFilters(parameters, filters)
    expect(filtersIn(new URLSearchParams(parameters.toString()))).toEqual(filters)
  })

  it('omit values that no user can choose', () => {
    const address = new URLSearchParams('inactive=2&form=nonsense&kind=scan&since=2026-99-99&sort=price&problem=any')
    expect(filtersIn(address)).toEqual(NO_FILTERS)
    expect(sortNamed(address.get('sort'))).toBe('match')
  })

  it('become the parameters of the API, each for the types that support it', () => {
    const filters = { ...NO_FILTERS, form: 'tablet', kind: 'imaging', q: ' x ' } as const
    expect(queryOf(medication, filters)).toEqual({ type: 'medication', q: ' x ', match: 'all', form_id: 'tablet' })
    expect(queryOf(labTest, { ...filters, q: '' })).toEqual({ type: 'lab_test', kind: 'imaging' })
    expect(queryOf(medication, { ...NO_FILTERS, q: '', form: 'linked', states: 'inactive' })).toEqual({
      type: 'medication',
      linked: true,
      active: false,
    })
    const { updated_since } = queryOf(medication, { ...NO_FILTERS, q: '', since: '2026-11-20' })
    expect(Date.parse(String(updated_since)) + 1).toBe(new Date('2026-11-20T00:00').getTime())
  })
})

describe('the usual order of a list', () => {
  it('begins with the best match, and without a search with the latest change', () => {
    expect(sortQuery({ q: 'x', sort: 'match' })).toEqual({ sort: 'match' })
    expect(sortQuery({ q: ' ', sort: 'match' })).toEqual({})
    expect(sortQuery({ q: 'x', sort: '-updated_at' })).toEqual({})
    expect(sortQuery({ q: 'x', sort: 'name' })).toEqual({ sort: 'name' })
    expect(isUsual({ q: '', sort: '-updated_at' })).toBe(true)
    expect(isUsual({ q: 'x', sort: '-updated_at' })).toBe(false)
    const labels = (q: string) => sortChoices({ q, sort: 'match' }).map(({ label }) => label)
    expect(labels('x')[0]).toBe('Best match')
    expect(labels('')).not.toContain('Best match')
  })
})

describe.each(RECORD_TYPES)('a record of the type %s', (name) => {
  const type = recordTypes[name]

  it('shows each field in one group', () => {
    const shown = fieldGroups(type).flatMap(({ fields }) => fields.map((field) => field.name))
    const expected = type.fields.map((field) => field.name).filter((field) => field !== 'is_active')
    expect(shown.toSorted()).toEqual(expected.toSorted())
    const last = fieldGroups(type).at(-1)!
    expect(last.fields.map((field) => field.name)).toEqual([type.idField, 'refid'])
  })
})
