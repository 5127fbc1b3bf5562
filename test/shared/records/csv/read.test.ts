import { describe, expect, it } from 'vitest'
import { MAX_CSV_ROWS } from '#shared/limits'
import { readCsv as readInSteps } from '#shared/records/csv/read'
import type { RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { allErrors, fileError, fileErrors, readCsv } from './support'

const { medication, symptom, lab_test: labTest } = recordTypes

const recordsOf = (text: string, type: RecordType = symptom) =>
  [...readCsv(text, type).rows].map(({ record }) => record)

const indexesOf = (text: string) => [...readCsv(text, symptom).rows].map(({ index }) => index)

describe('rows', () => {
  it('are numbered as a spreadsheet shows them: blank ones are skipped but counted', () => {
    expect(indexesOf('id,name\n\n1,A\n , \n"",""\n2,B\n\n')).toEqual([2, 5])
  })

  it('count from the header row, with any blank lines above it', () => {
    expect(indexesOf('\r\n , \n\nid,name\n1,A\n')).toEqual([1])
    expect(indexesOf('sep=,\n\nid,name\n1,A\n')).toEqual([1])
  })

  it('count once when one of their quoted cells holds line ends', () => {
    expect(indexesOf('id,name\n1,"A\n\nB"\n2,C\n')).toEqual([1, 2])
  })

  it('have every field of their type in its order, whichever cells are empty', () => {
    const names = medication.fields.map(({ name }) => name)
    const records = recordsOf('name,medication_id,otc\nA,1,\n,2,yes\nC\n', medication)
    expect(records.map((record) => Object.keys(record))).toEqual([names, names, names])
    expect(records).toEqual([{ medication_id: '1', name: 'A' }, { medication_id: '2', otc: true }, { name: 'C' }])
  })

  it('may be none', () => {
    expect(recordsOf('id,name')).toEqual([])
    expect(recordsOf('id,name\r\n\r\n')).toEqual([])
  })

  it('with fewer cells than the header are filled up with absent values', () => {
    expect(recordsOf('id,name,gender,icd10\n1,A\n')).toEqual([{ symptom_id: '1', name: 'A' }])
  })

  it('with more cells than the header are errors', () => {
    const [first, second] = readCsv('id,name\n1,A\n2,B, C,\n', symptom).rows
    expect(first!.errors).toEqual([])
    expect(second).toMatchObject({
      record: { symptom_id: '2', name: 'B' },
      errors: [
        {
          index: 2,
          field: null,
          code: 'too_many',
          msg: 'the row has more cells than the header row, which has 2; put quotes around a value that holds the separator',
          value: [' C', ''],
        },
      ],
    })
  })

  it('may have more cells than the header when the extra ones are empty', () => {
    expect([...readCsv('id,name\n1,A,, ,""\n', symptom).rows][0]!.errors).toEqual([])
  })

  it('with data are limited; blank ones do not count', () => {
    const text = 'id,name\n1,A\n\n,\n2,B\n'
    expect([...readCsv(text, symptom, { withData: 2 }).rows]).toHaveLength(2)
    expect(fileErrors(text, symptom, { withData: 1 })).toEqual([
      fileError('too_many', 'it has more than 1 rows with data; split it into several files', { limit: 1 }),
    ])
  })

  it('may be 50,000 and no more', () => {
    const full = `id,name\n${'1,A\n'.repeat(MAX_CSV_ROWS)}`
    expect([...readCsv(full, symptom).rows]).toHaveLength(50_000)
    expect(fileErrors(`${full}1,A`, symptom)[0]?.msg).toContain('more than 50000 rows')
  })

  it('are limited, blank ones too, and are not read beyond that', () => {
    const text = (blank: number) => `id,name\n${'\n'.repeat(blank)}1,A\n`
    expect(recordsOf(text(199_999))).toHaveLength(1)
    const error = fileError(
      'too_many',
      'it has more than 200000 rows, blank ones counted; delete the blank rows, or split it into several files',
      { limit: 200_000 },
    )
    expect(fileErrors(text(200_000), symptom)).toEqual([error])
    expect(recordsOf(text(10_000_000))).toEqual([])
    expect(fileErrors(`id,name\n${' ,\r'.repeat(200_001)}`, symptom)).toEqual([error])
  })

  it('are read in steps: no step reads more than some ten thousand of them', () => {
    const wide = `${','.repeat(15_000)}\n`
    for (const text of ['\n'.repeat(190_000), wide.repeat(60), '1,A\n'.repeat(50_000)]) {
      const reading = readInSteps(`id,name\n${text}`, symptom)
      let most = 0
      for (let next = reading.next(); ; next = reading.next()) {
        if (next.done) {
          for (const { units } of next.value.rows) most = Math.max(most, units)
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
    ['one of fewer cells, alone', '1,A', null],
    ['one with all cells', '1,A,M\n2,B,F', null],
    ['a blank one', '1,A,M\n2,B,F\n ', null],
  ])('look cut off if the last one is %s: %j', (_, rows, row) => {
    expect(readCsv(COLUMNS + rows, symptom).cutOffRow).toBe(row)
  })

  it('return the text of a cell without surrounding white space, and null if it is empty', () => {
    const [row] = readCsv('id,name,active,icd10\n1, A , maybe ,\n', symptom).rows
    expect(['name', 'is_active', 'icd10', 'gender', 'nonsense'].map((field) => row!.sentValue(field))).toEqual([
      'A',
      'maybe',
      null,
      null,
      null,
    ])
  })
})

describe('cells', () => {
  const medicationOf = (header: string, cell: string) => recordsOf(`id,name,${header}\n1,A,${cell}\n`, medication)[0]

  it('are trimmed, the id too', () => {
    expect(recordsOf('id,name\n  7\t,\u00a0"Fever" \n')).toEqual([{ symptom_id: '7', name: '"Fever"' }])
    expect(recordsOf('id,name\n" 7 "," Fever\n"\n')).toEqual([{ symptom_id: '7', name: 'Fever' }])
  })

  it.each(['', '  ', '""', '" "'])('that are empty leave the field absent: %j', (cell) => {
    expect(medicationOf('strength', cell)).toEqual({ medication_id: '1', name: 'A' })
    expect(medicationOf('otc', cell)).toEqual({ medication_id: '1', name: 'A' })
    expect(medicationOf('aliases', cell)).toEqual({ medication_id: '1', name: 'A' })
  })

  it.each([
    ['true', true],
    ['YES', true],
    ['1', true],
    ['False', false],
    ['no', false],
    [' 0 ', false],
    ['y', true],
    ['T', true],
    ['N', false],
    ['f', false],
    ['maybe', 'maybe'],
  ])('of a boolean: %j is %j', (cell, value) => {
    expect(medicationOf('otc', cell)).toMatchObject({ otc: value })
  })

  it('of a list are split at |, trimmed, without empty items', () => {
    expect(medicationOf('synonyms', ' Calpol | PCM||Para+cetamol|')).toMatchObject({
      aliases: ['Calpol', 'PCM', 'Para+cetamol'],
    })
  })

  it("of a medication's generic lists are split at +", () => {
    expect(
      recordsOf('id,name,salts,generic_list_ids\n1,A,Amoxicillin + Clav|ulanate,g1+g2', medication)[0],
    ).toMatchObject({ generic_list: ['Amoxicillin', 'Clav|ulanate'], generic_list_ids: ['g1', 'g2'] })
  })

  it('of a list without any item leave it absent', () => {
    expect(medicationOf('aliases', ' | |')).toEqual({ medication_id: '1', name: 'A' })
  })

  it.each([
    ['M', 'M'],
    ['f', 'F'],
    ['Male', 'M'],
    ['FEMALE', 'F'],
    ['other', 'other'],
    ['constructor', 'constructor'],
  ])('of gender: %j is %j', (cell, value) => {
    expect(recordsOf(`id,name,gender\n1,A,${cell}\n`)).toMatchObject([{ gender: value }])
  })

  it.each([
    ['Panel', 'panel'],
    ['Special test', 'special_test'],
    ['SPECIAL-TEST', 'special_test'],
    ['special', 'special'],
  ])('of an enum match in any case, spaces and hyphens as underscores: %j', (cell, kind) => {
    const text = `id,name,kind,result_type\n1,A,${cell}, ORDINAL \n`
    expect(recordsOf(text, labTest)).toMatchObject([{ kind, result_type: 'ordinal' }])
  })

  it('of refid are kept exactly, unless empty', () => {
    expect(medicationOf('ref_id', ' 007 ')).toMatchObject({ refid: ' 007 ' })
    expect(medicationOf('ref_id', '')).toEqual({ medication_id: '1', name: 'A' })
  })
})

describe('cells that are too long for every field', () => {
  const MEGABYTES = 10_000_000

  it.each([
    ['a text of NULs', 'name', '\0'.repeat(MEGABYTES), 'too_long'],
    ['doubled quotes', 'name', `"${'""'.repeat(MEGABYTES / 2)}"`, 'too_long'],
    ['a list of nothing but separators', 'aliases', '|'.repeat(MEGABYTES), 'too_many'],
    ['a list of a million items', 'aliases', 'a|'.repeat(1_000_000), 'too_many'],
    ['a refid', 'refid', 'x'.repeat(MEGABYTES), 'too_large'],
    ['a boolean', 'is_active', 'x'.repeat(MEGABYTES), 'wrong_type'],
    ['an enum', 'gender', 'M'.repeat(MEGABYTES), 'not_allowed'],
  ])('are refused without being split: %s', (_, field, cell, code) => {
    const header = field === 'name' ? 'id,name' : `id,name,${field}`
    const row = field === 'name' ? `1,${cell}` : `1,A,${cell}`
    const errors = allErrors(`${header}\n${row}\n`, symptom)
    expect(errors).toMatchObject([{ index: 1, field, code }])
    expect([...(errors[0]!.value as string)]).toHaveLength(201)
  })
})
