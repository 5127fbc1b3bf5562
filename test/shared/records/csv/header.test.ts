import { describe, expect, it } from 'vitest'
import { recordTypes } from '#shared/records/record-types'
import { allErrors, errorsOf, fileError, fileErrors, readCsv } from './support'

const { medication, symptom } = recordTypes

const alternatives = Object.values(recordTypes).flatMap((type) =>
  type.fields.flatMap(({ name, headers = [] }) => headers.map((header) => [type, header, name] as const)),
)

describe('column names', () => {
  // test/docs/pages/contract.test.ts compares the names with those of the contract.
  it('may be any name of a field', () => {
    for (const [type, header, field] of alternatives) {
      const mandatory = type.fields.filter(({ name, required }) => required && name !== field)
      const headers = [header, ...mandatory.map(({ name }) => name)]
      const cells = ['true', ...mandatory.map(() => 'x')]
      const { rows, warnings } = readCsv(`${headers.join(',')}\n${cells.join(',')}\n`, type)
      expect([...rows][0]!.record[field], `${type.name} ${header}`).toBeDefined()
      expect(warnings).toEqual([])
    }
  })

  it.each([' GENERIC-NAME ', 'gene\u200bric_name\u2060', 'Generic  name', '"Generic\nname"'])(
    'match as %j',
    (header) => {
      const { rows } = readCsv(`Name,${header},ID\nA,Paracetamol,1\n`, medication)
      expect([...rows]).toMatchObject([{ index: 1, record: { medication_id: '1', generic_name: 'Paracetamol' } }])
    },
  )
})

it('a field with a column of its own name is read from it, with a warning per alternative column', () => {
  const { rows, warnings, errors } = readCsv('Code,id,symptom_id,name\n1,2,3,A\n', symptom)
  expect(errors).toEqual([])
  expect([...rows][0]!.record).toEqual({ symptom_id: '3', name: 'A' })
  const msg = 'ignored, because the column symptom_id is read for the same field'
  expect(warnings).toEqual([
    { field: 'Code', msg },
    { field: 'id', msg },
  ])
})

describe('a misspelled header', () => {
  const warningOf = (header: string, type = medication) =>
    readCsv(`id,name,${header}\n`, type).warnings.map(({ msg }) => msg)

  it.each([
    ['Manufacturar', 'manufacturer'],
    ['aliasses', 'aliases'],
  ])('is ignored with a warning that names the field: %s', (header, field) => {
    expect(warningOf(header)).toEqual([`unknown column, ignored; did you mean ${field}?`])
  })

  it.each(['Dose', 'x'.repeat(100_000), 'strenght,strength', 'Non-manufacturer', 'Manufacture date', 'Generic code'])(
    'causes no guess if no field is similar, it says the opposite or more, or the field has a column: %s',
    (header) => expect(warningOf(header)).toEqual(['unknown column, ignored']),
  )
})

describe('ignored columns', () => {
  it('are named in one warning each, as the caller wrote them, with at most 200 characters', () => {
    const { warnings, rows } = readCsv(`id,Shelf No,name,drug_name,DRUG_NAME,${'x'.repeat(201)}\n1,2,A,b,c\n`, symptom)
    const msg = 'unknown column, ignored'
    expect(warnings).toEqual(['Shelf No', 'drug_name', `${'x'.repeat(200)}…`].map((field) => ({ field, msg })))
    expect([...rows][0]!.record).toEqual({ symptom_id: '1', name: 'A' })
  })

  it.each(['_errors', ' _Errors ', '-ERRORS', 'updated-at', 'form_id'])(
    'raise no warning as %j, with any content and any number of times',
    (header) => {
      const { warnings, rows } = readCsv(`id,${header},name,${header}\n1,name is required,A,x\n`, medication)
      expect(warnings).toEqual([])
      expect([...rows]).toMatchObject([{ record: { medication_id: '1', name: 'A' }, errors: [] }])
    },
  )
})

describe('the check of the header', () => {
  const brief = (text: string) => allErrors(text, symptom).map(({ index, field, code }) => `${index} ${field} ${code}`)

  it('reports a value below an empty header, once', () => {
    const error = { index: null, field: null, code: 'ambiguous_column', value: 'x', row: 3, column: 2 }
    expect(fileErrors('id,,name\n1,,A\n\n2,x,B\n3,y,C\n', symptom)).toMatchObject([error])
  })

  it.each([
    ['one header twice', 'symptom_id,name,Symptom ID\n1,A,2\n', ['symptom_id', 'Symptom ID']],
    ['two alternatives and no column of its own', 'id,name,Code\n1,A,2\n', ['id', 'Code']],
  ])('reports %s as two columns for one field', (_, text, value) => {
    const error = { index: null, field: 'symptom_id', code: 'ambiguous_column', value, column: 3 }
    expect(fileErrors(text, symptom)).toMatchObject([error])
  })

  it('names headers that may be meant as a required column', () => {
    expect(allErrors('Item no,Product name,Colour\n1,A,red\n', medication)).toMatchObject([
      { field: 'medication_id', code: 'required', nearest: ['Item no'] },
      { field: 'name', code: 'required', nearest: ['Product name'] },
    ])
    for (const error of allErrors('x,y\n1,A\n', medication)) expect(error).not.toHaveProperty('nearest')
  })

  it('still checks the other fields of the rows, and ignores fields that are not read', () => {
    expect(brief('id,gender,snomed,snomed_code\n1,X,1,2\n1,M\n,F,a,b\n')).toEqual([
      'null name required',
      'null snomed_id ambiguous_column',
      '1 gender not_allowed',
      '2 symptom_id duplicate_id',
      '3 symptom_id required',
    ])
    // A missing column is one error instead of one per row. Rows above an unclosed quote are also checked.
    expect(brief('id,aliases\n1,A\n2,B\n')).toEqual(['null name required'])
    expect(brief('id,name,gender\n1,,\n2,B,"M\n3,,\n')).toEqual(['null null malformed', '1 name required'])
  })

  it.each(['\n , \r\n\n', 'sep=;\n\n'])('reports a file of blank lines as one without a header row: %j', (text) => {
    const error = fileError('wrong_file', 'it has no header row; its first line must name the columns')
    expect(errorsOf(() => readCsv(text, symptom)).errors).toEqual([error])
  })
})

describe('a column of a required field without a single value', () => {
  it('counts as missing: one error of the file that names it, and none in its rows', () => {
    const { errors, rows } = readCsv('Code,name,strength\n,A,5\n ,B,\n', medication)
    const msg = 'is required but its column "Code" has no values; fill it'
    expect(errors).toEqual([fileError('required', msg, { field: 'medication_id' })])
    expect([...rows].map(({ record }) => record.medication_id)).toEqual([undefined, undefined])
  })

  it('leaves the field to a column with another of its names', () => {
    const { errors, rows, warnings } = readCsv('medication_id,code,name\n,7,A\n', medication)
    expect([...rows]).toMatchObject([{ record: { medication_id: '7', name: 'A' } }])
    expect([errors, warnings]).toEqual([[], []])
  })

  it('is a column in a file without rows, and as soon as one row has a value', () => {
    expect(readCsv('id,name\n', medication).errors).toEqual([])
    expect(readCsv('id,name\n,A\n2,B\n', medication).errors).toEqual([])
  })
})
