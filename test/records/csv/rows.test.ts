import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { readCsv } from '#records/csv/read'
import { splitRows } from '#records/csv/rows'
import { recordTypes } from '#records/record-types'
import { errorsOf, fileErrors } from './support'

const { symptom } = recordTypes

const recordsOf = (text: string) => [...readCsv(text, symptom).rows].map(({ record }) => record)

const indexesOf = (text: string) => [...readCsv(text, symptom).rows].map(({ index }) => index)

const FEVER_AND_COUGH = [
  { symptom_id: '1', name: 'Fever' },
  { symptom_id: '2', name: 'Cough' },
]

describe('separator', () => {
  it.each([
    ['commas', 'id,name\n1,Fever\n2,Cough\n'],
    ['semicolons', 'id;name\n1;Fever\n2;Cough\n'],
    ['tabs', 'id\tname\n1\tFever\n2\tCough\n'],
    ['semicolons, named by a sep= line', 'sep=;\nid;name\n1;Fever\n2;Cough\n'],
    ['semicolons, named in quotes', '"sep=;"\r\nid;name\r\n1;Fever\r\n2;Cough\r\n'],
    ['commas, named in capitals', 'SEP=,\nid,name\n1,Fever\n2,Cough\n'],
    ['tabs, named by a sep= line', 'sep=\t\nid\tname\n1\tFever\n2\tCough\n'],
  ])('is found when the columns are separated by %s', (_, text) => {
    expect(recordsOf(text)).toEqual(FEVER_AND_COUGH)
  })

  it('is decided by the header row, not by the other rows', () => {
    expect(recordsOf('id;name\n1;"a,b,c,d"\n2;e,f\n')).toEqual([
      { symptom_id: '1', name: 'a,b,c,d' },
      { symptom_id: '2', name: 'e,f' },
    ])
  })

  it('is not taken from inside a quoted header', () => {
    expect(recordsOf('id,name,"a;b;name;id"\n1,Fever,x\n')).toEqual([{ symptom_id: '1', name: 'Fever' }])
  })

  it('is a comma when only one column is recognised with each separator', () => {
    expect(fileErrors('id\n1\n', symptom)).toMatchObject([{ field: 'name' }])
  })

  it.each(['|', '+', ':', ''])('named by a sep= line may not be %j', (name) => {
    expect(errorsOf(() => readCsv(`sep=${name}\nid${name}name\n`, symptom)).errors).toEqual([
      {
        index: null,
        field: null,
        code: 'not_allowed',
        msg: 'its sep= line must name a comma, a semicolon or a tab',
        value: name,
      },
    ])
  })

  it.each(['|', '+'])('is never %s, which separates the items of a list', (character) => {
    const errors = fileErrors(`id${character}name\n1${character}Fever\n`, symptom)
    expect(errors.map(({ field }) => field)).toEqual(['symptom_id', 'name'])
  })
})

describe('cells', () => {
  it('may be as many as a spreadsheet has columns, and not one more', () => {
    const row = (cells: number) => ','.repeat(cells - 1)
    expect(recordsOf(`id,name\n1,Fever${','.repeat(16_382)}\n2,Cough\n`)).toEqual(FEVER_AND_COUGH)
    expect(fileErrors(`id,name\n1,Fever\n${row(16_385)}\n`, symptom)).toMatchObject([
      { index: null, field: null, code: 'too_many', msg: 'row 2 has more than 16384 cells' },
    ])
  })
})

describe('line ends', () => {
  it.each([
    ['LF', 'id,name\n1,Fever\n2,Cough\n'],
    ['CRLF', 'id,name\r\n1,Fever\r\n2,Cough\r\n'],
    ['CR', 'id,name\r1,Fever\r2,Cough\r'],
    ['none after the last row', 'id,name\n1,Fever\n2,Cough'],
    ['a mix that starts with LF', 'id,name\n1,Fever\r\n2,Cough\r'],
    ['a mix that starts with CRLF', 'id,name\r\n1,"Fever"\n2,"Cough"\r\n'],
    ['a mix that starts with CR', 'id,name\r"1",Fever\n"2",Cough\r\n'],
  ])('may be %s', (_, text) => {
    expect(recordsOf(text)).toEqual(FEVER_AND_COUGH)
    expect(indexesOf(text)).toEqual([1, 2])
  })

  it('leave nothing behind in a refid that is the last column', () => {
    expect(recordsOf('id,name,refid\r\n1,A, x \r\n2,B,"y\r\n"\r\n')).toEqual([
      { symptom_id: '1', name: 'A', refid: ' x ' },
      { symptom_id: '2', name: 'B', refid: 'y\r\n' },
    ])
  })
})

describe('quotes', () => {
  it('enclose separators, line ends of any kind and doubled quotes', () => {
    expect(recordsOf('id,name\n1,"a,b\r\nc\rd\ne ""f"""\n2,""""\n')).toEqual([
      { symptom_id: '1', name: 'a,b\r\nc\rd\ne "f"' },
      { symptom_id: '2', name: '"' },
    ])
  })

  it('are part of the text inside an unquoted cell', () => {
    expect(recordsOf('id,name\n1,5" pipe\n2, "x" y\n')).toEqual([
      { symptom_id: '1', name: '5" pipe' },
      { symptom_id: '2', name: '"x" y' },
    ])
  })

  it.each([' ', '  \t', '\r\n', ' \n'])('may be followed by %j', (after) => {
    expect(recordsOf(`id,name\n"1" ,"Fever"${after}`)).toEqual([{ symptom_id: '1', name: 'Fever' }])
  })

  it('that never close are reported with the row in which they opened, blank rows counted', () => {
    const text = 'id,name\n1,A\n\n3,"C\n4,D\n5,E\n'
    expect(recordsOf(text)).toEqual([{ symptom_id: '1', name: 'A' }])
    expect(fileErrors(text, symptom)).toEqual([
      {
        index: null,
        field: null,
        code: 'malformed',
        msg: 'a quote that opens in row 3 never closes; write a quote at the end of that cell',
        value: null,
      },
    ])
  })

  it('that never close in the header row are reported', () => {
    expect(errorsOf(() => readCsv('id,"name\n1,A\n', symptom)).message).toContain(
      'the header row never closes',
    )
  })

  it.each(['1,"abc"def\n', '1,"abc"d"\n', '1,"a\n2,"b",c\n'])('followed by text are reported: %j', (rows) => {
    expect(fileErrors(`id,name\n${rows}`, symptom)).toMatchObject([
      {
        index: null,
        field: null,
        code: 'malformed',
        msg: expect.stringContaining('opens in row 1 is not closed properly'),
      },
    ])
  })

  it('are read like by papaparse, for any cells', () => {
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
        expect([...splitRows(text, { separator: delimiter, headerStart: 0 })]).toEqual(rows)
      }),
    )
  })
})
