import { describe, expect, it } from 'vitest'
import { readCsv as readInSteps } from '#shared/records/csv/read'
import type { RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { allErrors, fileErrors, readCsv } from './support'

const { medication, symptom, lab_test: labTest } = recordTypes

const recordsOf = (text: string, type: RecordType = symptom) =>
  [...readCsv(text, type).rows].map(({ record }) => record)

describe('rows', () => {
  it.each([
    ['blank ones counted', 'id,name\n\n1,A\n , \n"",""\n2,B\n\n', [2, 5]],
    ['from the header row, whatever is above it', '\r\n , \n\nid,name\n1,A\n', [1]],
    ['one whose cell holds line ends once', 'id,name\n1,"A\n\nB"\n2,C\n', [1, 2]],
  ])('are numbered as in a spreadsheet: %s', (_, text, indexes) => {
    expect([...readCsv(text, symptom).rows].map(({ index }) => index)).toEqual(indexes)
  })

  it('have every field of their type in its order, whichever cells are empty', () => {
    const names = medication.fields.map(({ name }) => name)
    const records = recordsOf('name,medication_id,otc\nA,1,\n,2,yes\nC\n', medication)
    expect(records.map((record) => Object.keys(record))).toEqual([names, names, names])
    expect(records).toEqual([{ medication_id: '1', name: 'A' }, { medication_id: '2', otc: true }, { name: 'C' }])
  })

  it('with more cells than the header are errors, unless the extra ones are empty', () => {
    const [first, second] = readCsv('id,name\n1,A,, ,""\n2,B, C,\n', symptom).rows
    expect(first!.errors).toEqual([])
    expect(second).toMatchObject({
      record: { symptom_id: '2', name: 'B' },
      errors: [{ index: 2, field: null, code: 'too_many', value: [' C', ''] }],
    })
  })

  it('with data are limited', () => {
    const text = 'id,name\n1,A\n\n,\n2,B\n'
    expect([...readCsv(text, symptom, { withData: 2 }).rows]).toHaveLength(2)
    const errors = [{ index: null, code: 'too_many', limit: 1 }]
    expect(fileErrors(text, symptom, { withData: 1 })).toMatchObject(errors)
  })

  it('are limited, including blank ones', () => {
    const text = (blank: number) => `id,name\n${'\n'.repeat(blank)}1,A\n`
    expect(recordsOf(text(199_999))).toHaveLength(1)
    const errors = [{ index: null, code: 'too_many', limit: 200_000 }]
    for (const tooLong of [text(200_000), `id,name\n${' ,\r'.repeat(200_001)}`])
      expect(fileErrors(tooLong, symptom)).toMatchObject(errors)
    expect(recordsOf(text(1_000_000))).toEqual([])
  })

  it('are read in steps of about ten thousand rows at most', () => {
    const wide = `${','.repeat(15_000)}\n`
    for (const text of ['\n'.repeat(190_000), wide.repeat(60), '1,A\n'.repeat(50_000)]) {
      const reading = readInSteps(`id,name\n${text}`, symptom)
      let most = 0
      for (let next = reading.next(); ; next = reading.next()) {
        if (next.done) {
          for (const { units } of next.value.records) most = Math.max(most, units)
          break
        }
        if (next.value !== text.length + 'id,name\n'.length) most = Math.max(most, next.value)
      }
      expect(most).toBeGreaterThan(0)
      expect(most).toBeLessThan(100_000)
    }
  })

  const COLUMNS = 'id,name,gender\n'

  it.each([
    ['one of fewer cells than all others have', '1,A,M\n2,B,F\n3,C', 3],
    ['one of fewer cells with a line end', '1,A,M\n2,B,F\n3,C\n', null],
    ['one of fewer cells, as another one has', '1,A\n2,B,F\n3,C', null],
  ])('look truncated if the last one is %s: %j', (_, rows, row) => {
    expect(readCsv(COLUMNS + rows, symptom).cutOffRow).toBe(row)
  })
})

it('a row that repeats the header row, or is a ruled line, only has that error', () => {
  const text = 'Medication_ID,name\n-------,----\nMedication_id,Name\n1,Alpha\n,Beta\n* * *,\n=,'
  expect(allErrors(text, medication)).toMatchObject([
    { index: 1, field: null, code: 'ruled_line' },
    { index: 2, field: null, code: 'repeated_header' },
    { index: 4, field: 'medication_id', code: 'required' },
    { index: 5, field: 'name', code: 'required' },
    { index: 6, field: null, code: 'ruled_line' },
  ])
})

describe('cells', () => {
  const medicationOf = (header: string, cell: string) => recordsOf(`id,name,${header}\n1,A,${cell}\n`, medication)[0]

  it('are trimmed, including the ID', () => {
    expect(recordsOf('id,name\n  7\t,\u00a0"Fever" \n')).toEqual([{ symptom_id: '7', name: '"Fever"' }])
    const [row] = readCsv('id,name,active,icd10\n1, A , maybe ,\n', symptom).rows
    expect(['name', 'is_active', 'icd10'].map((name) => row!.sentValue(name))).toEqual(['A', 'maybe', null])
  })

  it.each(['', '" "'])('that are empty leave the field absent, like a list without items: %j', (cell) => {
    for (const header of ['strength', 'otc', 'aliases'])
      expect(medicationOf(header, cell), header).toEqual({ medication_id: '1', name: 'A' })
    expect(medicationOf('aliases', ' | |')).toEqual({ medication_id: '1', name: 'A' })
  })

  it('of a boolean are yes or no in any case, in full or by one letter or digit', () => {
    for (const cell of ['true', 'YES', '1', 'y', 'T']) expect(medicationOf('otc', cell)).toMatchObject({ otc: true })
    for (const cell of ['False', 'no', ' 0 ', 'N', 'f']) expect(medicationOf('otc', cell)).toMatchObject({ otc: false })
    expect(medicationOf('otc', 'maybe')).toMatchObject({ otc: 'maybe' })
  })

  it('of a list are split at |, those of the generics of a medication at +, and trimmed, without empty items', () => {
    const cells = ' Calpol | PCM||Para+cetamol|,Amoxicillin + Clav|ulanate,g1+g2'
    expect(recordsOf(`id,name,synonyms,salts,generic_list_ids\n1,A,${cells}`, medication)[0]).toMatchObject({
      aliases: ['Calpol', 'PCM', 'Para+cetamol'],
      generic_list: ['Amoxicillin', 'Clav|ulanate'],
      generic_list_ids: ['g1', 'g2'],
    })
  })

  it.each([
    ['M', 'M'],
    ['Male', 'M'],
  ])('of gender: %j is %j', (cell, value) => {
    expect(recordsOf(`id,name,gender\n1,A,${cell}\n`)).toMatchObject([{ gender: value }])
  })

  it.each([
    ['Panel', 'panel'],
    ['Special test', 'special_test'],
  ])('of an enum match in any case, spaces and hyphens as underscores: %j', (cell, kind) => {
    const text = `id,name,kind,result_type\n1,A,${cell}, ORDINAL \n`
    expect(recordsOf(text, labTest)).toMatchObject([{ kind, result_type: 'ordinal' }])
  })

  it('of any row are rejected if they contain U+0000', () => {
    const errors = allErrors('id,name,aliases\na,A,x|y\nb,B,x|y\0\n', medication)
    expect(errors).toMatchObject([{ index: 2, field: 'aliases', code: 'malformed' }])
  })

  it('of refid are kept exactly, unless empty', () => {
    expect(medicationOf('ref_id', ' 007 ')).toMatchObject({ refid: ' 007 ' })
    expect(medicationOf('ref_id', '')).toEqual({ medication_id: '1', name: 'A' })
  })
})

describe('cells that are too long for every field', () => {
  const MEGABYTES = 3_000_000

  it.each([
    ['a text of NULs', 'name', '\0'.repeat(MEGABYTES), 'too_long'],
    ['a list of a million items', 'aliases', 'a|'.repeat(1_000_000), 'too_many'],
    ['a refid', 'refid', 'x'.repeat(MEGABYTES), 'too_large'],
  ])('are rejected without being split: %s', (_, field, cell, code) => {
    const header = field === 'name' ? 'id,name' : `id,name,${field}`
    const row = field === 'name' ? `1,${cell}` : `1,A,${cell}`
    const errors = allErrors(`${header}\n${row}\n`, symptom)
    expect(errors).toMatchObject([{ index: 1, field, code }])
    expect([...(errors[0]!.value as string)]).toHaveLength(201)
  })
})
