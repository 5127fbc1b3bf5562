import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { splitRows } from '#shared/records/csv/rows'
import { recordTypes } from '#shared/records/record-types'
import { allErrors, errorsOf, fileErrors, readCsv } from './support'

const { symptom } = recordTypes

const recordsOf = (text: string) => [...readCsv(text, symptom).rows].map(({ record }) => record)

/** The cells alone, without further information about them. */
const cellsOf = (text: string, separator: ',' | ';' | '\t') =>
  [...splitRows(text, { separator, headerStart: 0 })].map((cells) => [...cells])

const FEVER_AND_COUGH = [
  { symptom_id: '1', name: 'Fever' },
  { symptom_id: '2', name: 'Cough' },
]

describe('the separator', () => {
  it.each([
    ['commas', 'id,name\n1,Fever\n2,Cough\n'],
    ['semicolons', 'id;name\n1;Fever\n2;Cough\n'],
    ['tabs', 'id\tname\n1\tFever\n2\tCough\n'],
    ['semicolons, named by a sep= line', 'sep=;\nid;name\n1;Fever\n2;Cough\n'],
  ])('is found when the columns are separated by %s', (_, text) => {
    expect(recordsOf(text)).toEqual(FEVER_AND_COUGH)
  })

  it('is decided by the text outside quotes in the header row', () => {
    expect(recordsOf('id;name\n1;"a,b,c,d"\n2;e,f\n')).toMatchObject([{ name: 'a,b,c,d' }, { name: 'e,f' }])
    expect(recordsOf('id,name,"a;b;name;id"\n1,Fever,x\n')).toEqual([{ symptom_id: '1', name: 'Fever' }])
    expect(fileErrors('id\n1\n', symptom)).toMatchObject([{ field: 'name' }])
  })

  it.each(['|', '+', ':', ''])('must not be %j, whether or not a sep= line names it', (character) => {
    const { errors } = errorsOf(() => readCsv(`sep=${character}\nid${character}name\n`, symptom))
    expect(errors).toMatchObject([{ index: null, code: 'not_allowed', value: character }])
    const fields = fileErrors(`id${character}name\n1${character}Fever\n`, symptom).map(({ field }) => field)
    expect(fields).toEqual(['symptom_id', 'name'])
  })
})

it('a row may have as many cells as a spreadsheet has columns, and not one more', () => {
  const row = (cells: number) => ','.repeat(cells - 1)
  expect(recordsOf(`id,name\n1,Fever${','.repeat(16_382)}\n2,Cough\n`)).toEqual(FEVER_AND_COUGH)
  expect(fileErrors(`id,name\n1,Fever\n${row(16_385)}\n`, symptom)).toMatchObject([
    { index: null, field: null, code: 'too_many', msg: 'row 2 has more than 16384 cells' },
  ])
})

describe('line breaks', () => {
  it.each([
    ['CR', 'id,name\r1,Fever\r2,Cough\r'],
    ['a mix that starts with CR', 'id,name\r"1",Fever\n"2",Cough\r\n'],
  ])('may be %s', (_, text) => {
    const rows = [...readCsv(text, symptom).rows].map(({ index, record }) => ({ index, record }))
    expect(rows).toEqual(FEVER_AND_COUGH.map((record, n) => ({ index: n + 1, record })))
  })

  it('leave nothing behind in a refid that is the last column', () => {
    const refids = recordsOf('id,name,refid\r\n1,A, x \r\n2,B,"y\r\n"\r\n').map(({ refid }) => refid)
    expect(refids).toEqual([' x ', 'y\r\n'])
  })
})

describe('quotes', () => {
  it('are text inside an unquoted cell', () => {
    const names = recordsOf('id,name\n1,5" pipe\n2,x "y"\n3,Catheter 5",BD\n4,Gauze\n').map(({ name }) => name)
    expect(names).toEqual(['5" pipe', 'x "y"', 'Catheter 5"', 'Gauze'])
  })

  it('may have blanks around them', () => {
    const rows = cellsOf('"1" ; \t"a;""b""\n" ;" c " \n', ';')
    expect(rows).toEqual([['1', 'a;"b"\n', ' c ']])
  })

  it('that never close are reported with the row of the opening quote, counting blank rows', () => {
    const text = 'id,name\n1,A\n\n3,"C\n4,D\n5,E\n'
    expect(recordsOf(text)).toEqual([{ symptom_id: '1', name: 'A' }])
    expect(fileErrors(text, symptom)).toMatchObject([{ index: null, code: 'malformed', row: 3, column: 2 }])
    expect(errorsOf(() => readCsv('id,"name\n1,A\n', symptom)).message).toContain('the header row never closes')
  })

  it.each([
    ['1,"abc"def\n2,B\n', '"abc"def'],
    ['1,"a\n2,"b",c\n2,B\n', '"a\n2,"b"'],
    ['1, "x" y\n2,B\n', '"x" y'],
  ])('followed by text are an error of their row, and the rows below are read: %j', (rows, value) => {
    const text = `id,name,gender\n${rows}`
    const error = { index: 1, field: 'name', code: 'malformed', value, row: 1, column: 2 }
    expect(allErrors(text, symptom)[0]).toMatchObject(error)
    expect(recordsOf(text).at(-1)).toEqual({ symptom_id: '2', name: 'B' })
  })

  it('followed by text in the header row are an error of the file', () => {
    expect(errorsOf(() => readCsv('id,"name"x\n1,A\n', symptom)).errors).toMatchObject([
      { index: null, code: 'malformed', row: 0, column: 2 },
    ])
  })

  it('that are missing never merge rows into an ID or a name, and are reported for other values', () => {
    const text = 'id,name,gender\n1,"5 inch tube,M\n2,Gauze,F\n3,Tube 3",M\n4,A,M\n'
    const value = '5 inch tube,M\n2,Gauze,F\n3,Tube 3'
    const error = { index: 1, field: 'name', code: 'malformed', row: 1, column: 2, value }
    expect(allErrors(text, symptom)).toMatchObject([error])
    expect(allErrors('id,name\n"1\n2",A\n', symptom)).toMatchObject([{ field: 'symptom_id', column: 1 }])
    const { rows, warnings } = readCsv('id,name,icd10\n1,A,"x\n2,B,y\n3,C,z"\n4,D,"one, two\nthree"\n', symptom)
    expect([...rows]).toHaveLength(2)
    const msg = expect.stringContaining('a value in this column, the first in row 1, looks like several rows')
    expect(warnings).toEqual([{ field: 'icd10', msg }])
  })

  it('are read as by papaparse, for any cells', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r', ' ', 'é', '💊') })
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }))
    const dialect = fc.record({
      delimiter: fc.constantFrom(',' as const, ';' as const, '\t' as const),
      newline: fc.constantFrom('\n', '\r', '\r\n'),
      quotes: fc.boolean(),
    })
    fc.assert(
      fc.property(table, dialect, (rows, { delimiter, ...format }) => {
        const text = Papa.unparse(rows, { delimiter, ...format }) + format.newline
        expect(cellsOf(text, delimiter)).toEqual(rows)
      }),
    )
  })
})
