import { describe, expect, it } from 'vitest'
import { readText } from './files'

describe('reading a file in the page', () => {
  it('finds columns, ignored ones, and rows with data', () => {
    const csv = readText('Code,Colour,Drug Name,_errors\n1,red,Aspirin,\n,,,\n2,blue,Ibuprofen,old\n')
    expect(csv).toMatchObject({ encoding: 'utf-8', separator: ',', ignoredColumns: ['Colour'], rows: 2 })
    expect(csv.columns.map(({ position, field }) => `${position} ${field.name}`)).toEqual(['0 medication_id', '2 name'])
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
