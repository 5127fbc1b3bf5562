import { describe, expect, it } from 'vitest'
import { MAX_REQUEST_SEARCH_CHARACTERS, MAX_SEARCH_TEXT_CHARACTERS } from '#shared/limits'
import { jsonSource } from '#shared/records/json-source'
import { RecordCheck } from '#shared/records/record-check'
import { recordTypes } from '#shared/records/record-types'
import { utf8Encoder } from '#shared/text/utf8'
import { atOnce } from '#shared/work'
import { checkedCsv, checkedJson, withData } from './csv/support'

const { diagnosis, lab_test: labTest } = recordTypes

const record = (id: string, fields: object = {}) => ({ medication_id: id, name: 'Name', ...fields })
const test = (id: string, fields: object = {}) => {
  return { lab_test_id: id, name: 'Name', kind: 'functional', result_type: 'na', ...fields }
}

describe('the errors of records', () => {
  it('name every failing field of every failing record, in order, with the rejected value', () => {
    const list = ['a', 'x'.repeat(101)]
    const { errors } = checkedJson([
      record('ok'),
      record('bad', { strength: 7, otc: 'true', generic_list: list }),
      { name: '  ' },
      ...['text', null, [], 7],
      record('bad too', { is_active: 'no', name: null }),
      record('text', { name: 'x\0', sku: '\ud800' }),
    ])
    // As JSON: a failing assertion with half a surrogate pair in it breaks the connection to the test runner.
    const found = errors.map(({ index, field, code, value }) => [index, field, code, JSON.stringify(value)])
    expect(found).toEqual([
      [1, 'strength', 'wrong_type', '7'],
      [1, 'generic_list', 'too_long', JSON.stringify(list)],
      [1, 'otc', 'wrong_type', '"true"'],
      [2, 'medication_id', 'required', 'null'],
      [2, 'name', 'required', '"  "'],
      ...['"text"', 'null', '[]', '7'].map((value, n) => [3 + n, null, 'wrong_type', value]),
      [7, 'name', 'required', 'null'],
      [7, 'is_active', 'wrong_type', '"no"'],
      [8, 'name', 'malformed', '"x\\u0000"'],
      [8, 'sku', 'malformed', '"\\ud800"'],
    ])
    expect(errors[1]).toMatchObject({ msg: 'item 2 must be at most 100 characters', limit: 100, item: 2 })
  })

  it('are at every later place of a duplicate ID, naming the first, which may be invalid', () => {
    const sent = [record('a', { name: '' }), record('b'), record('a'), record('A'), record('a', { sku: 7 })]
    const twice = { field: 'medication_id', code: 'duplicate_id', value: 'a', first_index: 0 }
    expect(checkedJson(sent).errors).toMatchObject([
      { index: 0, field: 'name', code: 'required' },
      { index: 2, ...twice },
      { index: 4, ...twice },
      { index: 4, field: 'sku', code: 'wrong_type' },
    ])
    expect(checkedCsv('medication_id,name\n="1",A\n1,B\n').errors).toMatchObject([{ index: 2, code: 'duplicate_id' }])
  })

  it('report a record that is too large for the database, or nested too deeply', () => {
    const errorOf = (refid: unknown) => checkedJson([record('a', { refid })]).errors[0]
    expect(errorOf('x'.repeat(499_900))).toBeUndefined()
    const value = expect.stringMatching(/^x{200}…$/)
    expect(errorOf('x'.repeat(600_000))).toMatchObject({ field: 'refid', code: 'too_large', limit: 500_000, value })
    const aliases = Array.from({ length: 500 }, (_, n) => `${n} ${'\ufdfa'.repeat(150)}`)
    expect(checkedJson([record('a', { aliases })]).errors).toMatchObject([{ field: 'aliases', code: 'too_large' }])
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
    expect(errorOf(nested(990))).toBeUndefined()
    expect(errorOf(nested(991))).toMatchObject({ field: 'refid', code: 'too_deep', limit: 990 })
  })

  it('are a single one if names that normalization lengthens exceed the limit together', () => {
    // Each has 80,000 characters, and 97,000 when normalized for search.
    const aliases = Array.from({ length: 500 }, (_, n) => `${n} ${'x'.repeat(150)}\ufdfa\ufdfa`)
    const [error, ...others] = checkedJson(Array.from({ length: 115 }, (_, n) => record(`${n}`, { aliases }))).errors
    expect(others).toEqual([])
    expect(error).toMatchObject({ field: 'name', code: 'too_large', limit: MAX_REQUEST_SEARCH_CHARACTERS })
    expect(error?.index).toBeGreaterThan(MAX_REQUEST_SEARCH_CHARACTERS / 99_000)
    expect(error?.index).toBeLessThan(MAX_REQUEST_SEARCH_CHARACTERS / 96_000)
  })
})

describe('unknown fields of a type', () => {
  it('are ignored and named once each', () => {
    const { errors, warnings } = checkedJson([
      record('a', { colour: 'red', __proto__x: 1, updated_at: 7, form_id: { any: 'thing' } }),
      record('b', { colour: 'blue', _errors: 'of a CSV file' }),
      record('c', { constructor: 1, Name: 'x', 'medication_id ': 'y' }),
    ])
    const names = ['colour', '__proto__x', '_errors', 'constructor', 'Name', 'medication_id ']
    expect(warnings).toEqual(names.map((field) => ({ field, msg: 'unknown field, ignored' })))
    expect(errors).toEqual([])
    const text = '{"records":[{"medication_id":"a","name":"n","__proto__":{"sku":7}}],"note":true}'
    expect(checkedJson(text)).toMatchObject({ errors: [], warnings: [{ field: 'note' }, { field: '__proto__' }] })
  })

  it('are named in at most a hundred warnings', () => {
    const many = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`x${from + n}`, n]))
    const { warnings } = checkedJson([
      record('a', { ['y'.repeat(300)]: 1, ...many(0, 60) }),
      record('b', many(30, 130)),
    ])
    expect(warnings).toHaveLength(101)
    expect([warnings[0]!.field, warnings[99]!.field]).toEqual([`${'y'.repeat(200)}…`, 'x98'])
    expect(warnings[100]).toMatchObject({ field: '*', msg: expect.stringContaining('ignored 31 times') })
  })
})

it('fields of imaging on another lab test have one warning each, unless they are blank', () => {
  const fields = { body_part: 'Chest', laterality: 'left', view: 'AP' }
  const imaging = test('x', { kind: 'imaging', ...fields })
  const fieldsOf = (...tests: object[]) => checkedJson(tests, labTest).warnings.map(({ field }) => field)
  expect(fieldsOf(imaging, test('y', fields), test('z', fields))).toEqual(['body_part', 'laterality', 'view'])
  expect(fieldsOf(imaging, test('w', { body_part: null, view: '' }))).toEqual([])
})

it('unknown dosage forms are named in one warning, the most frequent first, twenty at most', () => {
  const warningOf = (forms: (string | null)[]) =>
    checkedJson(forms.map((form_name, n) => record(`${n}`, { form_name }))).warnings[0]
  expect(warningOf(['Tablet', null])).toBeUndefined()
  const warning = warningOf(['Tablet', 'SYSTEM', 'Disc', 'SYSTEM', null, '', 'Tabs'])
  const [system, disc] = [
    { value: 'SYSTEM', count: 2 },
    { value: 'Disc', count: 1 },
  ]
  expect(warning).toMatchObject({ field: 'form_name', values: [system, disc] })
  expect(warning!.msg).toMatch(
    /^2 values in 3 records without an accepted dosage form, stored as plain text: "SYSTEM" \(2\), "Disc" \(1\)$/,
  )
  const many = warningOf(Array.from({ length: 21 }, (_, n) => `unknown ${n}`))
  expect(many!.values).toHaveLength(20)
})

describe('probable mistakes in values', () => {
  type Warned = ReturnType<typeof checkedJson>
  /** Field, code, number, and the first example. */
  const warned = ({ errors, warnings }: Warned) => {
    expect(errors).toEqual([])
    return warnings.map(({ field, code, count, examples }) => [
      ...[field, code, count, examples?.[0]?.index],
      examples?.[0]?.value,
    ])
  }

  it('are codes with a wrong check digit', () => {
    const tests = ['718-7', '718-8', 'other'].map((loinc, n) => test(`${n}`, { loinc }))
    expect(warned(checkedJson(tests, labTest))).toEqual([['loinc', 'check_digit', 1, 1, '718-8']])
    const csv = 'id,name,snomed\na,A,22298006\nb,B,22298060\nc,C,\n'
    expect(warned(checkedCsv(csv, diagnosis))).toEqual([['snomed_id', 'check_digit', 1, 2, '22298060']])
  })

  it('are IDs and codes in scientific notation with a sign', () => {
    const sent = [
      record('1.23457E+11'),
      record('a', { sku: '8,9E+12', strength: '1E+6', refid: '1E+6' }),
      record('b', { generic_list_ids: ['7', '1e+20'] }),
      record('1.23E11'),
    ]
    expect(warned(checkedJson(sent))).toEqual([
      ['medication_id', 'spreadsheet_damage', 1, 0, '1.23457E+11'],
      ['sku', 'spreadsheet_damage', 1, 1, '8,9E+12'],
      ['generic_list_ids', 'spreadsheet_damage', 1, 2, '1e+20'],
    ])
    // `+` separates the items of this list, so such a number is two of them.
    const list = checkedCsv('id,name,generic_list_ids\nc,C,1.2E+10\nd,D,7+8\n')
    expect(warned(list)).toEqual([['generic_list_ids', 'spreadsheet_damage', 1, 1, '1.2E+10']])
  })

  it('are IDs and codes that a program has turned into dates, and those with a leading apostrophe', () => {
    const csv = "id,name,sku\n5-Oct,A,2-Jan\n2026-03-04,B,MAR1\n'0017,C,MAR-100\nx,7/1/1751,'=1+1\n"
    expect(warned(checkedCsv(csv))).toEqual([
      ['medication_id', 'spreadsheet_damage', 3, 1, '5-Oct'],
      ['sku', 'spreadsheet_damage', 2, 1, '2-Jan'],
    ])
    const tests = ['7/1/1751', 'Feb-51', '1751-7'].map((loinc, n) => test(`${n}`, { loinc }))
    expect(warned(checkedJson(tests, labTest))).toEqual([['loinc', 'spreadsheet_damage', 2, 0, '7/1/1751']])
  })

  it('are words with similar characters of another script', () => {
    const names = [
      'Pаracetamol',
      'Кофeин',
      'Carвedilol',
      'TNFα 5 μg',
      'антиHCV',
      'Кофеин',
      'Café',
      'β-blocker',
      'IgG антитела',
    ]
    expect(warned(checkedJson(names.map((name, n) => record(`${n}`, { name }))))).toEqual([
      ['name', 'mixed_scripts', 3, 0, 'Pаracetamol'],
    ])
  })

  it('are columns and fields for the active state under names that are not read', () => {
    for (const header of ['retired', 'Discontinued', 'status', 'is_withdrawn']) {
      expect(warned(checkedCsv(`id,name,${header}\nr,R,true\n`)), header).toEqual([
        [header, 'ignored_state', undefined, undefined, undefined],
      ])
      expect(warned(checkedCsv(`id,name,${header},is_active\nr,R,true,no\n`))[0]?.[1], header).toBeUndefined()
      expect(warned(checkedJson([record('r', { [header]: true })]))[0]?.[1], header).toBe('ignored_state')
      expect(warned(checkedJson([record('r', { [header]: true, is_active: false })]))[0]?.[1], header).toBeUndefined()
    }
    expect(warned(checkedCsv('id,name,state\nr,R,Ohio\n'))[0]?.[1]).toBeUndefined()
  })

  it('are spreadsheet errors in cells of a CSV file, but not in JSON and not in a refid', () => {
    const cells = ['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!'].map((cell, n) => `r${n},${cell},${cell},${cell}\n`)
    expect(warned(checkedCsv(`id,name,aliases,refid\n${cells.join('')}x,#N/A in a text,,`))).toEqual([
      ['name', 'spreadsheet_damage', 5, 1, '#N/A'],
      ['aliases', 'spreadsheet_damage', 5, 1, '#N/A'],
    ])
    expect(warned(checkedJson([record('j', { name: '#N/A' })]))).toEqual([])
    const others = ['Err:502', 'Loading...', '#NUM!', '#SPILL!', '#NULL!', '#CALC!', '#GETTING_DATA', '#BEZUG!', '#NV']
    expect(warned(checkedCsv(`id,name\n${others.map((cell, n) => `r${n},${cell}\n`).join('')}e,Error 502`))).toEqual([
      ['name', 'spreadsheet_damage', others.length, 1, 'Err:502'],
    ])
  })

  it('are cells of the form ="…", in all columns together except a refid', () => {
    const csv = '="medication_id",name,aliases,otc,refid\n="1001",Alpha,"=""a|b""","=""no""",="x"\n="1002",Beta,,,\n'
    expect(warned(checkedCsv(csv))).toEqual([['file', 'formula_text', 4, 1, '="1001"']])
  })

  it('are placeholder texts', () => {
    const fields = { strength: '\\N', sku: 'NULL', aliases: ['n.a.'], name: '-' }
    expect(warned(checkedJson([record('NA', fields), record('N/A')])).toSorted()).toEqual([
      ['aliases', 'null_marker', 1, 0, 'n.a.'],
      ['medication_id', 'null_marker', 1, 1, 'N/A'],
      ['name', 'null_marker', 1, 0, '-'],
      ['sku', 'null_marker', 1, 0, 'NULL'],
      ['strength', 'null_marker', 1, 0, '\\N'],
    ])
  })

  it('are lists that were not split, and texts with broken characters', () => {
    const rows = ['1,CafÃ©,Amoxicillin; Clavulanic acid,"[""a"",""b""]"', '2,A &amp; B,a+b;c,x|y;z', '3,Café,a+b,x|y']
    expect(warned(checkedCsv(`id,name,generic_list,aliases\n${rows.join('\n')}\n`)).toSorted()).toEqual([
      ['aliases', 'unsplit_list', 1, 1, '["a","b"]'],
      ['generic_list', 'unsplit_list', 1, 1, 'Amoxicillin; Clavulanic acid'],
      ['name', 'broken_text', 2, 1, 'CafÃ©'],
    ])
  })
})

it('the work per record includes the normalized text, even if it is too long', () => {
  // One character that normalization turns into eighteen.
  const aliases = Array.from({ length: MAX_SEARCH_TEXT_CHARACTERS / 1000 }, (_, n) => `${n}${'\ufdfa'.repeat(90)}`)
  const source = atOnce(jsonSource(utf8Encoder.encode(JSON.stringify([record('a', { aliases })]))))
  const [first] = withData(source.records)
  const { result, units } = new RecordCheck(recordTypes.medication, source).check(first!)
  expect(result).toMatchObject([{ field: 'aliases', code: 'too_large' }])
  expect(units).toBeGreaterThan(MAX_SEARCH_TEXT_CHARACTERS)
})

it('warnings are about sent values alone, whether or not a record has its stored ones already', () => {
  const sent = [record('a', { strength: 'N/A' }), record('b', { strength: 'N/A', form_name: 'Stored', sku: 'N/A' })]
  const source = atOnce(jsonSource(utf8Encoder.encode(JSON.stringify(sent))))
  const [compared, filled] = withData(source.records)
  const reader = new RecordCheck(recordTypes.medication, source, { keptFields: new Set(['form_name', 'sku']) })
  reader.check(compared!)
  reader.comparison = undefined
  reader.check(filled!)
  expect(reader.warnings).toMatchObject([{ field: 'strength', code: 'null_marker', count: 2 }])
})
