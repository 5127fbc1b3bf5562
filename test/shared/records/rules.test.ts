import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Field, IDS_OUTSIDE_PATHS, RECORD_TYPES, RESERVED_IDS, type RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { RecordRules } from '#shared/records/rules'
import { inputSchemas } from '#shared/records/schema'

type Fields = Record<string, unknown>

const minimal = (type: RecordType): Fields => ({
  [type.idField]: 'id',
  name: 'name',
  ...(type.name === 'lab_test' ? { kind: 'functional', result_type: 'na' } : {}),
})

/** Messages by field for a minimal record with these fields. */
const errors = (type: RecordType, fields: Fields): Fields =>
  Object.fromEntries(new RecordRules(type).check({ ...minimal(type), ...fields }).map(({ field, msg }) => [field, msg]))

describe.each(RECORD_TYPES)('the fields of a %s', (name) => {
  const type = recordTypes[name]
  const texts = type.fields.filter((field) => field.kind === 'string' || field.kind === 'list')
  const wrap = (field: Field, text: unknown) => (field.kind === 'list' ? ['ok', text] : text)

  it('accept texts of their full length in code points', () => {
    const WRONG: Record<Field['kind'], unknown[]> = {
      string: [7, true, [''], {}],
      list: ['a', 7, {}, [7], [null], [['a']]],
      enum: [7, true, ['M'], {}, 'none of them'],
      boolean: ['true', '', 1, 0, {}],
      any: [],
    }
    const codesOf = (field: Field, value: unknown) =>
      new RecordRules(type).check({ ...minimal(type), [field.name]: value }).map(({ field, code }) => [field, code])
    for (const field of type.fields) {
      for (const value of WRONG[field.kind]) {
        const code = value === 'none of them' ? 'not_allowed' : 'wrong_type'
        expect(codesOf(field, value), `${field.name} ${JSON.stringify(value)}`).toEqual([[field.name, code]])
      }
    }
    for (const field of texts) {
      for (const letter of ['a', '😀']) {
        const full = letter.repeat(field.maxLength)
        expect(codesOf(field, wrap(field, full)), field.name).toEqual([])
        expect(codesOf(field, wrap(field, `${full}a`))).toEqual([[field.name, 'too_long']])
      }
      for (const text of ['a\0', 'a\ud800', '\udc00\ud800'])
        expect(codesOf(field, wrap(field, text))).toEqual([[field.name, 'malformed']])
    }
  })

  it('treat null and blank text as absent', () => {
    for (const field of type.fields) {
      const errorsOf = (msg: string) => (field.required ? { [field.name]: msg } : {})
      for (const absent of [null, undefined])
        expect(errors(type, { [field.name]: absent })).toEqual(errorsOf('is required'))
      if (field.kind !== 'string' && field.kind !== 'list') continue
      for (const blank of ['', ' ', ' \t\n\u00a0\u3000\ufeff']) {
        const found = errors(type, { [field.name]: wrap(field, blank) })
        expect(found).toEqual(errorsOf('is required and must not be empty'))
      }
    }
  })

  it('remove blank text before a record is stored', () => {
    const rules = new RecordRules(type)
    const record: Fields = { ...minimal(type) }
    for (const field of type.fields) {
      if (field.required || field.kind === 'boolean' || field.kind === 'any') continue
      record[field.name] = field.kind === 'list' ? ['', ' ', '\u3000'] : ' '.repeat(500)
    }
    expect(rules.check(record)).toEqual([])
    rules.removeBlanks(record)
    for (const field of type.fields) {
      if (field.required) continue
      expect(record[field.name]).toEqual(field.kind === 'list' ? [] : undefined)
    }
    const aliases = { ...minimal(type), aliases: ['a', '', ' b ', ' '], refid: ' ' }
    expect(rules.check(aliases)).toEqual([])
    rules.removeBlanks(aliases)
    expect(aliases).toMatchObject({ aliases: ['a', ' b '], refid: ' ' })
  })

  it('accept a thousand items of a list and not one more', () => {
    expect(errors(type, { aliases: Array(1000).fill('x') })).toEqual({})
    expect(errors(type, { aliases: Array(1001).fill('x') })).toEqual({ aliases: 'must have at most 1000 items' })
  })

  it('reject the names of endpoints as IDs, and only those', () => {
    for (const id of ['batches', 'search-status', 'drug-forms']) {
      expect(errors(type, { [type.idField]: id })[type.idField]).toMatch(/^is reserved/)
      expect(errors(type, { [type.idField]: id.toUpperCase() })).toEqual({})
      expect(errors(type, { [type.idField]: ` ${id}`, name: id })).toEqual({})
    }
    for (const id of ['.', '..'])
      expect(errors(type, { [type.idField]: id })[type.idField]).toMatch(/cannot be part of a path/)
    expect(errors(type, { [type.idField]: '.a' })).toEqual({})
  })

  it('have an input schema that accepts a value exactly when the rules do', () => {
    const text = (max: number) =>
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 8 }),
        fc.string({ unit: fc.constantFrom('a', '😀', '\0', '\ud800', ' '), minLength: max - 1, maxLength: max + 1 }),
        fc.constantFrom('', '  ', 'batch', 'true'),
      )
    const valueFor = (field: Field): fc.Arbitrary<unknown> => {
      const max = 'maxLength' in field ? field.maxLength : 5
      const values = field.kind === 'enum' ? field.values : ['x']
      return fc.oneof(
        text(max),
        fc.array(text(max), { maxLength: 3 }),
        fc.array(fc.oneof(text(max), fc.integer()), { maxLength: 2 }),
        fc.constantFrom(null, undefined, true, false, 0, 1.5, {}, ...values),
        fc.jsonValue(),
      )
    }
    const rules = new RecordRules(type)
    // A schema cannot express these: conditions, and IDs that are names of endpoints.
    const free = name === 'lab_test' ? { specimen: 's', unit: 'u', panel_members: ['m'] } : {}
    for (const field of type.fields) {
      fc.assert(
        fc.property(valueFor(field), (value) => {
          fc.pre(![...RESERVED_IDS, ...IDS_OUTSIDE_PATHS].some((id) => id === value))
          const record: Fields = { ...minimal(type), ...free, [field.name]: value }
          const condition = type.conditions.some((rule) => rule.field === field.name)
          if (condition && name === 'lab_test') record.kind = 'functional'
          const accepted = rules.check(record).length === 0
          expect(accepted).toBe(inputSchemas[name].safeParse(record).success)
        }),
        { numRuns: 60 },
      )
    }
  })
})

describe('the conditions of a lab test', () => {
  const type = recordTypes.lab_test

  it.each([
    ['specimen', 'kind', 'laboratory', 's'],
    ['unit', 'result_type', 'numerical', 'u'],
    ['panel_members', 'kind', 'panel', ['m']],
  ])('require %s when %s is %s', (field, other, value, given) => {
    const message = { [field]: `is required when ${other} is ${value}` }
    for (const missing of [undefined, null, ...(Array.isArray(given) ? [[], ['', ' ']] : ['', ' '])]) {
      expect(errors(type, { [other]: value, [field]: missing })).toEqual(message)
      expect(errors(type, { [field]: missing })).toEqual({})
    }
    expect(errors(type, { [other]: value, [field]: given })).toEqual({})
  })

  it('report each wrong or missing field once', () => {
    expect(errors(type, { kind: 'laboratory', specimen: 7 })).toEqual({ specimen: 'must be a string' })
    expect(Object.keys(errors(type, { kind: 'laboratory', result_type: 'numerical' }))).toEqual(['specimen', 'unit'])
    expect(Object.keys(errors(type, { kind: 'Laboratory' }))).toEqual(['kind'])
  })
})
