import { describe, expect, it } from 'vitest'
import { readCsv } from '#records/csv/read'
import type { RecordTypeName } from '#records/record-type'
import { recordTypes } from '#records/record-types'
import { errorsOf } from './support'

const { medication, symptom, lab_test: labTest } = recordTypes

/** The table of decisions, section 5, by type. */
const ALTERNATIVES: Record<RecordTypeName, Record<string, string[]>> = {
  medication: {
    medication_id: ['id', 'code', 'item_id', 'item_code'],
    refid: ['ref_id', 'reference_id'],
    name: ['drug_name', 'medicine_name'],
    display_name: ['label'],
    aliases: ['alias', 'synonyms', 'alternate_names'],
    is_active: ['active'],
    form_name: ['form', 'dosage_form', 'drug_form'],
    generic_list: ['generics', 'salts'],
    manufacturer: ['manufacturer_name', 'company'],
  },
  lab_test: {
    lab_test_id: ['id', 'code', 'item_id', 'item_code'],
    name: ['test_name'],
    kind: ['test_type'],
    loinc: ['loinc_code'],
    unit: ['units'],
    panel_members: ['members'],
  },
  symptom: {
    symptom_id: ['id', 'code', 'item_id', 'item_code'],
    name: ['symptom_name'],
    snomed_id: ['snomed', 'snomed_code', 'snomed_ct'],
    icd10: ['icd_10', 'icd10_code', 'icd'],
    gender: ['sex'],
  },
  diagnosis: {
    diagnosis_id: ['id', 'code', 'item_id', 'item_code'],
    name: ['diagnosis_name'],
    snomed_id: ['snomed', 'snomed_code', 'snomed_ct'],
    icd10: ['icd_10', 'icd10_code', 'icd'],
    gender: ['sex'],
  },
}

const alternatives = Object.entries(ALTERNATIVES).flatMap(([type, fields]) =>
  Object.entries(fields).flatMap(([field, headers]) =>
    headers.map((header) => [type as RecordTypeName, header, field] as const),
  ),
)

describe('column names', () => {
  it.each(alternatives)('of a %s: %s means %s', (typeName, header, field) => {
    const type = recordTypes[typeName]
    const mandatory = type.fields.filter(({ name, required }) => required && name !== field)
    const headers = [header, ...mandatory.map(({ name }) => name)]
    const cells = ['true', ...mandatory.map(() => 'x')]
    const { rows, warnings } = readCsv(`${headers.join(',')}\n${cells.join(',')}\n`, type)
    expect(Object.keys([...rows][0]!.record)).toContain(field)
    expect(warnings).toEqual([])
  })

  it.each(['Generic Name', ' GENERIC-NAME ', 'generic_name', 'Generic  name'])(
    'match as %j: without regard to case, spaces and hyphens as underscores',
    (header) => {
      const { rows } = readCsv(`ID,Name,${header}\n1,A,Paracetamol\n`, medication)
      expect([...rows][0]!.record).toMatchObject({ generic_name: 'Paracetamol' })
    },
  )

  it('may stand in any order', () => {
    const { rows } = readCsv('name,sex,id\nFever,M,7\n', symptom)
    expect([...rows][0]!.record).toEqual({ symptom_id: '7', name: 'Fever', gender: 'M' })
  })

  it('of another type are not recognised', () => {
    expect(readCsv('id,name,drug_name\n', symptom).warnings).toEqual([
      { field: 'drug_name', msg: 'unknown column, ignored' },
    ])
  })

  it('may be quoted and hold line ends', () => {
    const { rows } = readCsv('"id","Symptom\nname"\n1,Fever\n', symptom)
    expect([...rows][0]).toMatchObject({ index: 1, record: { name: 'Fever' } })
  })
})

describe('columns that are not read', () => {
  it('are named in one warning each, as the caller wrote them', () => {
    const { warnings, rows } = readCsv('id,Shelf No,name,colour,COLOUR\n1,2,A,red,blue\n', symptom)
    expect(warnings).toEqual([
      { field: 'Shelf No', msg: 'unknown column, ignored' },
      { field: 'colour', msg: 'unknown column, ignored' },
    ])
    expect([...rows][0]!.record).toEqual({ symptom_id: '1', name: 'A' })
  })

  it('raise no warning when they are read-only fields', () => {
    const { warnings, rows } = readCsv('id,name,Updated At,form_id\n1,A,2026-01-01,tablet\n', medication)
    expect(warnings).toEqual([])
    expect([...rows][0]!.record).toEqual({ medication_id: '1', name: 'A' })
  })

  it.each(['_errors', ' _Errors ', '-ERRORS', 'updated-at'])(
    'raise no warning as %j, whatever is in it and however often it is there',
    (header) => {
      const { warnings, rows } = readCsv(`id,${header},name,${header}\n1,name is required,A,x\n`, symptom)
      expect(warnings).toEqual([])
      expect([...rows].map(({ record, errors }) => ({ record, errors }))).toEqual([
        { record: { symptom_id: '1', name: 'A' }, errors: [] },
      ])
    },
  )

  it('are passed over when they have neither header nor values', () => {
    const { warnings, rows } = readCsv('id,,name,,\n1,,A,,\n2, ,B\n', symptom)
    expect(warnings).toEqual([])
    expect([...rows].map(({ record }) => record)).toEqual([
      { symptom_id: '1', name: 'A' },
      { symptom_id: '2', name: 'B' },
    ])
  })
})

describe('errors of the header', () => {
  it('reports a value below an empty header, once', () => {
    const { status, errors } = errorsOf(() => readCsv('id,,name\n1,,A\n\n2,x,B\n3,y,C\n', symptom))
    expect(status).toBe(400)
    expect(errors).toEqual([
      {
        index: null,
        field: null,
        code: 'ambiguous_column',
        msg: 'column 2 has a value in row 3 but no header',
        value: 'x',
      },
    ])
  })

  it('reports two columns for one field, also by an alternative name', () => {
    const { message, errors } = errorsOf(() => readCsv('symptom_id,name,Code\n1,A,2\n', symptom))
    expect(message).toBe('The CSV file cannot be read: symptom_id has more than one column.')
    expect(errors).toEqual([
      {
        index: null,
        field: 'symptom_id',
        code: 'ambiguous_column',
        msg: 'has more than one column',
        value: ['symptom_id', 'Code'],
      },
    ])
  })

  it('reports a missing mandatory column once, not for every row', () => {
    expect(errorsOf(() => readCsv('id,aliases\n1,A\n2,B\n3,C\n', symptom)).errors).toEqual([
      { index: null, field: 'name', code: 'required', msg: 'has no column, but is mandatory', value: null },
    ])
  })

  it('reports all of them together', () => {
    const { errors } = errorsOf(() => readCsv('name,test_name,unit,units,,\n1,2,3,4,5\n', labTest))
    expect(errors.map(({ field }) => field)).toEqual([
      'lab_test_id',
      'name',
      'kind',
      'result_type',
      'unit',
      null,
    ])
    expect(errors.every(({ index }) => index === null)).toBe(true)
  })

  it.each([
    ['only blank lines', '\n , \r\n\n'],
    ['only a sep= line', 'sep=;\n\n'],
  ])('reports a file of %s as one without a header row', (_, text) => {
    expect(errorsOf(() => readCsv(text, symptom)).errors).toEqual([
      { index: null, field: null, code: 'wrong_file', msg: 'it has no header row', value: null },
    ])
  })
})
