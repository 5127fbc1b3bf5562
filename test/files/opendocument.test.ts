import { readFileSync } from 'node:fs'
import path from 'node:path'
import { utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { librarySheets } from '#files/workbook/library-workbook'
import { readWorkbook } from '#files/workbook/read-workbook'
import { documentSheets } from '#files/workbook/streamed/document-sheets'
import { zipOf } from './workbook-files'

const NAMESPACES = ['office', 'table', 'text', 'style']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ')

const bodyOf = (body: string, styles = '') =>
  `<office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${body}</office:spreadsheet></office:body>`

/** An .ods file as libraries write it: without styles. */
const odsOf = (body: string, styles = '', manifest = '<manifest/>') =>
  zipOf({
    'content.xml': `<?xml version="1.0"?><office:document-content ${NAMESPACES}>${bodyOf(body, styles)}</office:document-content>`,
    'META-INF/manifest.xml': manifest,
  })

const fodsOf = (body: string) =>
  new TextEncoder().encode(
    `<?xml version="1.0"?>\n<!-- stock -->\n<office:document ${NAMESPACES}>${bodyOf(body)}</office:document>`,
  )

const table = (content: string, attributes = '') =>
  `<table:table table:name="Stock"${attributes}>${content}</table:table>`
const row = (cells: string, attributes = '') => `<table:table-row${attributes}>${cells}</table:table-row>`
const cell = (text: string, attributes = '') =>
  `<table:table-cell${attributes}><text:p>${text}</text:p></table:table-cell>`
const value = (type: string, attribute: string, shown: string) =>
  cell(shown, ` office:value-type="${type}" office:${attribute}`)

const EMPTY = '<table:table-cell/>'

const stockOf = (body: string) => readWorkbook(odsOf(table(body)))[0]

/** The unusual cells of the first sheet, one per line. */
const oddCells = (body: string) =>
  stockOf(body)?.oddColumns.flatMap(({ position, cells }) =>
    cells.map(({ row: place, shown, stored, doubt }) => `${position} ${place} ${doubt}: ${shown} → ${stored}`),
  )

describe('an OpenDocument spreadsheet', () => {
  it('is read as by the library, both written by LibreOffice and by the library', () => {
    const fixture = readFileSync(path.join(import.meta.dirname, '../fixtures/spreadsheets/formulary.ods'))
    const sheet = utils.aoa_to_sheet([
      ['id', 'name', 'price', 'active'],
      ['007', ' two  spaces & <b>', 0.1, true],
      [],
      ['008', 'line\nend', -3, false],
    ])
    const own = write(utils.book_new(sheet, 'Stock'), { type: 'array', bookType: 'ods' })
    for (const bytes of [new Uint8Array(fixture), new Uint8Array(own)]) {
      const texts = (sheets: ReturnType<typeof readWorkbook>) => sheets.map(({ name, csv }) => [name, csv.trim()])
      const [first] = texts(readWorkbook(bytes))
      expect(texts(librarySheets(bytes))).toContainEqual(first)
    }
  })

  it.each([
    ['packed', odsOf],
    ['in one file', fodsOf],
  ])('repeats rows and cells without using memory: %s', (_, fileOf) => {
    const blank = '<table:table-cell table:number-columns-repeated="16384"/>'
    const [sheet] = readWorkbook(
      fileOf(
        table(
          row(cell('id') + cell('name')) +
            row(blank, ' table:number-rows-repeated="2"') +
            row(cell('x', ' table:number-columns-repeated="2"') + blank, ' table:number-rows-repeated="2"') +
            row(blank, ' table:number-rows-repeated="1048571" table:visibility="collapse"'),
        ),
      ),
    )
    expect(sheet).toMatchObject({ csv: 'id,name\r\n\r\n\r\nx,x\r\nx,x', hiddenRows: [] })
  })

  it('contains the text of all spans of a cell, without its comment or picture', () => {
    const comment = '<office:annotation><text:p>Check <text:span>this</text:span></text:p></office:annotation>'
    const picture = '<draw:frame><draw:text-box><text:p>Logo</text:p></draw:text-box></draw:frame>'
    const text = `<text:p>  Kali<text:span>um</text:span><text:s text:c="2"/>\n  <text:a>5 &lt; 6</text:a>${picture}</text:p>`
    const sheet = stockOf(
      row(`<table:table-cell>${comment}${text}<text:p>end</text:p></table:table-cell>${cell('b<text:tab/>c')}`),
    )
    expect(sheet?.csv).toBe('"Kalium   5 < 6\nend",b\tc')
  })

  it('keeps covered cells, and asks what a merged cell means for each row', () => {
    const covered = '<table:covered-table-cell><text:p>old</text:p></table:covered-table-cell>'
    const body =
      row(cell('id') + cell('form')) +
      row(cell('1') + cell('Tablet', ' table:number-rows-spanned="2"')) +
      row(cell('2') + covered) +
      row(cell('both', ' table:number-columns-spanned="2"') + covered)
    expect(stockOf(body)?.csv).toBe('id,form\r\n1,Tablet\r\n2\r\nboth')
    expect(oddCells(body)).toEqual(['1 2 merged:  → Tablet'])
  })

  it('causes questions about cells that contain more than they display', () => {
    const body = row(
      [
        value('float', 'value="0.0625"', '0.06'),
        value('percentage', 'value="0.5"', '50%'),
        value('date', 'date-value="2025-10-05"', '5-Oct'),
        value('date', 'date-value="2025-10-05T08:30:00"', '5-Oct'),
        value('time', 'time-value="PT08H30M00S"', '8:30'),
        value('float', 'value="5"', ''),
        cell('', ' table:formula="of:=[.A1]"'),
        '<table:table-cell table:formula="of:=[.A1]"/>',
        value('currency', 'value="1250.5"', '$1,250.50'),
        value('boolean', 'boolean-value="true"', 'WAHR'),
        '<table:table-cell office:value-type="float" office:value="7"/>',
      ].join(''),
    )
    expect(oddCells(body)).toEqual([
      '0 0 rounded: 0.06 → 0.0625',
      '1 0 percent: 50% → 0.5',
      '2 0 date: 5-Oct → 2025-10-05',
      '3 0 date: 5-Oct → 2025-10-05 08:30:00',
      '4 0 date: 8:30 → 08:30:00',
      '5 0 hidden:  → 5',
      '7 0 formula:  → ',
    ])
    expect(stockOf(body)?.csv).toBe('0.06,50%,5-Oct,5-Oct,8:30,,,,"$1,250.50",WAHR,7')
  })

  it('excludes hidden tables and those linked from another document', () => {
    const styles =
      '<style:style style:name="off" style:family="table"><style:table-properties table:display="false"/></style:style>'
    const hidden = ' table:visibility="collapse"'
    const columns = `<table:table-column table:number-columns-repeated="2"/><table:table-column${hidden}/>`
    const shown = columns + row(cell('1') + EMPTY + cell('2')) + row(cell('3'), ' table:visibility="filter"')
    const copy = `<table:dde-links><table:dde-link>${table(row(cell('copy')))}</table:dde-link></table:dde-links>`
    const sheets = readWorkbook(odsOf(table(row(cell('off')), ' table:style-name="off"') + table(shown) + copy, styles))
    expect(sheets).toEqual([{ name: 'Stock', csv: '1,,2\r\n3', hiddenRows: [1], hiddenColumns: [2], oddColumns: [] }])
  })

  it('is reported as protected with a password', () => {
    const manifest = '<manifest:manifest><manifest:encryption-data/></manifest:manifest>'
    expect(() => readWorkbook(odsOf('', '', manifest))).toThrow('The workbook is protected with a password.')
  })

  it('is damaged if it is truncated', () => {
    const text = new TextDecoder().decode(fodsOf(table(row(cell('id')))))
    const part = new TextEncoder().encode(text.slice(0, text.indexOf('</table:table>')))
    expect(() => readWorkbook(part)).toThrow('The workbook is damaged or not complete.')
  })

  it.each([
    ['in all columns', cell('x', ' table:number-columns-repeated="16384"')],
    ['after many blank cells', `<table:table-cell table:number-columns-repeated="16383"/>${cell('x')}`],
    ['that are long', cell('x'.repeat(1000))],
  ])('is rejected if it repeats values without end: %s', (_, cells) => {
    const body = table(row(cells, ' table:number-rows-repeated="1048576"'))
    expect(() => readWorkbook(odsOf(body))).toThrow('The table has too many rows and columns.')
  })

  it('has no more blanks in a cell than a spreadsheet program stores', () => {
    const text = '<text:p>a<text:s text:c="400000000"/></text:p>'
    expect(stockOf(row(`<table:table-cell>${text}</table:table-cell>`))?.csv.length).toBe('"a"'.length + 32_767)
  })

  it('is recognized by its root element, in no time after many comments', () => {
    const head = `<?xml version="1.0"?>${'<!-- stock -->\n'.repeat(40)}`
    const flat = new TextDecoder().decode(fodsOf(table(row(cell('id'))))).replace(/^.*-->/s, '')
    expect(documentSheets(new TextEncoder().encode(head + flat))).toMatchObject([{ csv: 'id' }])
    expect(documentSheets(new TextEncoder().encode(`${head}<Workbook/>`))).toBe(undefined)
  })
})
