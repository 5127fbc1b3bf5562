import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { parseExactJson } from '#shared/json/exact-numbers'
import { RECORD_TYPES } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { SearchTexts } from '#shared/records/search/search-text'
import { returnedForm, storedForm, writtenForm } from '#shared/records/stored-form'
import { catalogOfEachTest } from '../../../support/catalog'

const NAMES = ['name', 'display_name', 'aliases', 'refid']
const FINDING = [...NAMES, 'snomed_id', 'icd10', 'icd10_term', 'gender']

/** The slots of stored records. A name may be added at the end of a list. None may ever move, change or disappear. */
const SLOTS: Record<string, string[]> = {
  medication: [
    ...[...NAMES, 'strength', 'generic_name', 'generic_id', 'generic_list', 'generic_list_ids', 'form_name', 'sku'],
    ...['schedule_code', 'custom_type', 'therapy_class', 'therapy_class_id', 'action_class', 'action_class_id'],
    ...['manufacturer', 'otc'],
  ],
  lab_test: [
    ...[...NAMES, 'kind', 'result_type', 'loinc', 'discipline', 'specimen', 'unit', 'unit_id', 'panel_members'],
    ...['panel_member_ids', 'method', 'body_part', 'laterality', 'view'],
  ],
  symptom: FINDING,
  diagnosis: FINDING,
}

const { medication } = recordTypes

const read = (data: string, type = medication) =>
  returnedForm(type, { record_id: 'a', is_active: 1, written_at: 0, data })

describe('the stored form', () => {
  it.each(RECORD_TYPES)('of a %s has each field at its slot in stored records', (name) => {
    const type = recordTypes[name]
    expect(type.storedFields.map((field) => field.name)).toEqual(SLOTS[name])
    expect(type.storedFields.map(({ slot }) => slot)).toEqual(SLOTS[name]!.map((_, slot) => slot))
    const elsewhere = type.fields.filter(({ slot }) => slot === null).map((field) => field.name)
    expect(elsewhere).toEqual([type.idField, 'is_active'])
  })

  it('has not changed between releases', () => {
    const record = { medication_id: 'a', name: 'A', form_name: 'Tab', otc: false, refid: 7 }
    const data = '["A",0,0,7,0,0,0,0,0,"Tab",0,0,0,0,0,0,0,0,false]'
    expect(storedForm(medication, record)).toBe(data)
    expect(read(data)).toMatchObject({ name: 'A', form_name: 'Tab', form_id: 'tablet', otc: false, refid: 7 })
    expect(Object.keys(read(data))).toEqual([
      ...medication.returnedFields.map(({ name }) => name),
      'added_names',
      'updated_at',
    ])
  })

  it.each([
    ['an object, as an early version wrote it', '{"name":"A"}'],
    ['of more fields than are known, as a later version writes it', JSON.stringify(['A', ...Array(19).fill(0)])],
    ['without a name', '[0,"B"]'],
  ])('is rejected if it is %s', (_, data) => {
    expect(() => read(data)).toThrow('in a form that this version of the service does not know')
  })
})

it.each([
  ['escapes', { strength: '"\\\n\u0001\u2028/é😀', aliases: ["it's", '\t'] }],
  ['a number that no double holds', { refid: parseExactJson('1e400') }],
  ['U+0000', { refid: 'a\0b' }],
  ['few characters beyond Latin-1', { strength: 'ā"\\\n😀\ud800', generic_name: 'é'.repeat(99) }],
  ['many characters beyond Latin-1', { strength: 'औषधि' }],
])('the form in which a record is written produces exactly the stored form: %s', async (_, fields) => {
  const sent = { medication_id: 'a', name: 'A', ...fields }
  const row = await env.DB.prepare('select j.value ->> 0 as id, j.value ->> 3 as data from json_each(?) as j')
    .bind(`[${writtenForm(medication, sent, 'N\n', '\na\n', 0).json}]`)
    .first()
  expect(row).toEqual({ id: 'a', data: storedForm(medication, sent) })
})

describe('the stored search text of records', () => {
  const catalog = catalogOfEachTest('symptom')
  const cases = [
    { name: 'D', display_name: 'N', aliases: ['ND', 'D N'] },
    { name: 'ASPIRIN', display_name: 'Baby ASPIRIN', aliases: ['Aspirin', 'ASA'] },
    { name: 'पैरासिटामोल 500 MG', display_name: 'पैरासिटामोल' },
    { name: 'İstanbul', display_name: 'asthma Ünd MEHR' },
    { name: 'Say "aah" \\ NOW', display_name: "it's 😀 NEW" },
    { name: 'a\u0001B', display_name: 'c\u0001D', refid: [1, { a: 'N' }] },
  ]
  const expected = cases.map((fields) => {
    const { text } = new SearchTexts(recordTypes.symptom).of(fields)
    return { text, nameLength: [...text.slice(1, text.indexOf('\n', 1))].length }
  })
  const QUERY = 'select search_text as text, name_length as nameLength from records order by record_id'
  const stored = async () => (await env.DB.prepare(QUERY).all()).results

  it('contains their names, whether they are inserted or updated', async () => {
    const records = cases.map((fields, index) => catalog.record(String(index + 100), fields))
    await catalog.write(records)
    expect(await stored()).toEqual(expected)
    await catalog.write(records.map((record) => ({ ...record, name: 'Other', display_name: null, aliases: [] })))
    await catalog.write(records)
    expect(await stored()).toEqual(expected)
  })
})
