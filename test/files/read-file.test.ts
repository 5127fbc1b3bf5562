import { describe, expect, it } from 'vitest'
import { readText } from './files'

describe('reading a file in the page', () => {
  it('finds columns, ignored ones, and rows with data', () => {
    expect(readText('Code,Colour,Drug Name,_errors\n1,red,Aspirin,\n,,,\n2,blue,Ibuprofen,old\n')).toMatchObject({
      encoding: 'utf-8',
      separator: ',',
      header: ['Code', 'Colour', 'Drug Name', '_errors'],
      columns: [
        { position: 0, field: { name: 'medication_id' } },
        { position: 2, field: { name: 'name' } },
      ],
      ignoredColumns: ['Colour'],
      rows: 2,
      headerRow: 1,
      declaresSeparator: false,
    })
  })

  it.each([
    ['id;name\n1;A\n', 1, false],
    ['\r\n;;\r\nid;name\r\n1;A\r\n', 3, false],
    ['sep=;\nid;name\n1;A\n', 1, true],
    ['sep=;\r\n\r\nid;name\r\n1;A\r\n', 2, true],
    ['\rid;name\r1;A\r', 2, false],
  ])('numbers the header row as a spreadsheet program does: %j', (text, headerRow, declaresSeparator) => {
    expect(readText(text)).toMatchObject({ headerRow, declaresSeparator, separator: ';', rows: 1 })
  })

  it('names the row of an error with the number that the spreadsheet shows', () => {
    expect(() => readText('\nid,name\n1,A\n2,"never closed')).toThrow('A quote that opens in row 4 never closes')
  })
})
