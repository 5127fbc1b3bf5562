import { describe, expect, it } from 'vitest'
import { rowCheck } from '#files/check/row-check'
import { rowErrors, summaryOf } from '#files/check/row-errors'
import { fileWithErrors } from '#files/fix/errors-file'
import { readCsvFile } from '#files/text/csv-file'
import { encodeText } from '#files/text/encode'
import type { FieldError } from '#shared/errors/errors'
import type { FieldErrorCode } from '#shared/errors/schemas'
import { labTest } from '#shared/records/types/lab-test'
import { medication } from '#shared/records/types/medication'
import { opened, readText, tableOf } from './files'

const csv = readText('\nid,name\n1,A\n')
const error = (
  index: number | null,
  field: string | null,
  msg: string,
  code: FieldErrorCode = 'required',
): FieldError => ({ index, field, code, msg, value: null })

describe('the errors of a file', () => {
  it.each([
    [1, 'is required', 3, 'is required'],
    [5, 'is a duplicate of the record at index 2', 7, 'is a duplicate of the record in row 4'],
    [2, 'the row has 5 cells, the header row 2', 4, 'the row has 5 cells, the header row 2'],
    [null, 'column 3 has a value in row 7 but no header', null, 'column 3 has a value in row 9 but no header'],
  ])('have the row numbers of the spreadsheet: %j %s', (index, msg, row, message) => {
    expect(rowErrors([error(index, 'x', msg)], csv)).toMatchObject([{ row, message }])
  })

  it('are grouped by field and code, the largest group first', () => {
    const { groups } = summaryOf(
      rowErrors(
        [
          error(1, 'name', 'is required'),
          error(2, 'aliases', 'item 3 must be at most 200 characters', 'too_long'),
          error(3, 'aliases', 'item 1 must be at most 200 characters', 'too_long'),
          error(4, 'medication_id', 'is a duplicate of the record at index 1', 'duplicate_id'),
          error(5, 'medication_id', 'is a duplicate of the record at index 2', 'duplicate_id'),
          error(6, 'medication_id', 'is required'),
          error(7, 'medication_id', 'is a duplicate of the record at index 3', 'duplicate_id'),
        ],
        csv,
      ),
    )
    expect(groups.map(({ field, reason, errorCount }) => [field, reason, errorCount])).toEqual([
      ['medication_id', 'is a duplicate of an earlier row', 3],
      ['aliases', 'has an item that is too long', 2],
      ['name', 'is required', 1],
      ['medication_id', 'is required', 1],
    ])
    expect(new Set(groups.map(({ key }) => key)).size).toBe(4)
  })
})

describe('an edited row', () => {
  it("is checked by the service's rules", () => {
    const fields = ['lab_test_id', 'name', 'kind', 'result_type', 'unit']
    const columns = fields.map((field, column) => ({ column, header: field, field }))
    const check = rowCheck(labTest, columns)
    expect(check(['1', 'A', 'Imaging', 'na', ''])).toEqual(new Map())
    expect(check(['1', '', 'imaging', 'numerical', ''])).toEqual(
      new Map([
        [1, 'is required'],
        [4, 'is required when result_type is numerical'],
      ]),
    )
  })
})

const withFault = async (name: string, content: string | Uint8Array<ArrayBuffer>, onlyFailing = false) => {
  const table = tableOf(content)
  const errors = rowErrors([{ index: 1, field: 'name', code: 'required', msg: 'is required', value: null }], table.csv)
  const given = await fileWithErrors({ name, table, sheet: undefined, errors, onlyFailing })
  const bytes = new Uint8Array(await given.content.arrayBuffer())
  return { name: given.name, bytes, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) }
}

describe('a file downloaded with its errors', () => {
  it.each([
    [
      'all cells as they were',
      'a.csv',
      'id, name ,otc\n 1 ,,"yes, ""no"""\n2,B,\n',
      'id," name ",otc,_errors\r\n" 1 ",,"yes, ""no""",E\r\n2,B,,\r\n',
    ],
    ['no old errors', 'a.csv', 'id,_Errors,name\n1,old,\n2,older,B\n', 'id,_errors,name\r\n1,E,\r\n2,,B\r\n'],
    ['rows of any length', 'a.b.csv', 'id,name\n1\n\n2,B,x\n', 'id,name,_errors\r\n1,,E\r\n,,\r\n2,B,,x\r\n'],
    ['the lines above', 'a.txt', 'sep=;\r\n\r\nid;name\r\n1;\r\n', 'sep=;\r\n\r\nid;name;_errors\r\n1;;E\r\n'],
  ])('has a column with the errors, and %s', async (_, file, content, written) => {
    const { name, text } = await withFault(file, content)
    expect(name).toBe(file.replace(/(?=\.\w+$)/, '-errors'))
    expect(text).toBe(`\uFEFF${written.replace(/\bE\b/, 'name: is required')}`)
  })

  it('can contain only the rows with errors, with the original separator', async () => {
    expect(await withFault('a.csv', 'sep=;\r\n\r\nid;name\r\n1;\r\n2;B\r\n', true)).toMatchObject({
      name: 'a-rows-to-fix.csv',
      text: '\uFEFFsep=;\r\nid;name;_errors\r\n1;;name: is required\r\n',
    })
  })

  it.each([
    // Node 20 reads Windows-1252 as Latin-1. Browsers do not, and their tests cover the difference.
    ['windows-1252', 'Müller'],
    ['utf-16le', 'Müller € „x“'],
  ])('keeps the encoding %s', async (encoding, value) => {
    const { bytes } = await withFault('a.csv', encodeText(`id;name;sku\n1;;${value}\n`, encoding))
    const again = readCsvFile(bytes, medication)
    expect(again.encoding).toBe(encoding)
    expect(again.text).toContain(value)
  })
})

it('encoding a text writes every Windows-1252 character as its byte, and others as question marks', () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  expect(encodeText(new TextDecoder('windows-1252').decode(all), 'windows-1252')).toEqual(all)
  expect(encodeText('a→💊', 'windows-1252')).toEqual(Uint8Array.of(0x61, 0x3f, 0x3f))
})

it('a test without a column for its specimen is no error, because the catalog may contain it', async () => {
  const lines = ['id,name,kind,result_type', 'L1,Glucose,laboratory,na']
  const work = await opened(`${lines.join('\n')}\n`, 'lab_test')
  expect([work.check(true).errorCount, work.check(false).errorCount]).toEqual([0, 1])
})
