import { readFileSync } from 'node:fs'
import path from 'node:path'
import { read, utils, write } from '@e965/xlsx'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { librarySheets } from '#files/workbook/library-workbook'
import { readWorkbook } from '#files/workbook/read-workbook'
import { SheetReader } from '#files/workbook/streamed/sheet-reader'
import { streamedSheets } from '#files/workbook/streamed/streamed-sheets'
import { textWorkbook } from '#files/workbook/text-workbook'
import { pack, pathsIn, UnusualFile, unpack, withoutCompression } from '#files/workbook/zip'
import { textCell, xlsxOf } from './workbook-files'

const fixture = (name: string) =>
  new Uint8Array(readFileSync(path.join(import.meta.dirname, '../fixtures/spreadsheets', name)))

/** A sheet with all kinds of cells, in many formats. */
function manyCells() {
  const values = [0, 1, -1, 0.1, 0.0625, 46_150, 46_150.75, 1234.5, -1234.5, 123456789012, 1e-7, true, false]
  const formats = ['General', '0', '0.00', '#,##0.00', '0%', '0.00E+00', '@', 'd-mmm', 'yyyy-mm-dd hh:mm']
  const more = ['# ?/?', '$#,##0;[Red]($#,##0)', '0.0" mg"', '[h]:mm', '"x"0;;"nothing";"text "@', '00000']
  const sheet = utils.aoa_to_sheet([
    ['text', ...values],
    ...[...formats, ...more].map(() => ['5 & <mg>', ...values]),
    [],
    ['  spaces  ', 'line\nend', 'a "quote", and a comma', '_x0041_', 'Ибупрофен 💊', '=1+1', '#N/A', ''],
  ])
  for (const [row, format] of [...formats, ...more].entries())
    for (let column = 0; column <= values.length; column++)
      sheet[utils.encode_cell({ r: row + 1, c: column })].z = format
  return sheet
}

const written = (
  sheet: ReturnType<typeof utils.aoa_to_sheet>,
  options: { bookSST?: boolean; compression?: boolean } = {},
  date1904 = false,
) => {
  const book = utils.book_new(sheet, 'Stock')
  book.Workbook = { WBProps: { date1904 } }
  return new Uint8Array(write(book, { type: 'array', bookType: 'xlsx', ...options }))
}

const odsOf = (text: string) =>
  new Uint8Array(write(utils.book_new(utils.aoa_to_sheet([[text]]), 'Stock'), { type: 'array', bookType: 'ods' }))

function partOf(bytes: Uint8Array, path: string): Uint8Array {
  let part = ''
  unpack(bytes, (found) =>
    found === path
      ? (piece) => {
          part += piece
        }
      : undefined,
  )
  return new TextEncoder().encode(part)
}

describe('a workbook that is read row by row', () => {
  it.each([
    ['as LibreOffice wrote it', fixture('formulary.xlsx')],
    ['with texts in its cells', written(manyCells())],
    ['with shared texts, pack', written(manyCells(), { bookSST: true, compression: true })],
    ['that begins in 1904', written(manyCells(), {}, true)],
  ])('is read as by the library, %s', (_, bytes) => {
    expect(streamedSheets(bytes)).toEqual(librarySheets(bytes))
  })

  it('has every row and cell at its position', () => {
    const bytes = xlsxOf(
      [
        textCell('A1', 'id') + textCell('C1', 'name'),
        '',
        '<c><v>1</v></c><c t="str"><v>A</v></c><c s="0"/>',
        '<c r="B4" t="b"><v>1</v></c><c r="D4" t="e"><v>#REF!</v></c><c r="F4"><v>x</v></c>',
      ],
      {
        before: '<cols><col min="2" max="2" hidden="1"/></cols>',
        behind: '<mergeCells count="2"><mergeCell ref="A1:B1"/><mergeCell ref="A3:A4"/></mergeCells>',
      },
    )
    const [sheet] = streamedSheets(bytes)
    expect(sheet).toMatchObject({ csv: 'id,,name\r\n\r\n1,A,\r\n,TRUE,,#REF!,,#NUM!', hiddenColumns: [1] })
    expect([sheet]).toEqual(librarySheets(bytes))
  })

  it('contains the text of all runs of a cell, without phonetic text', () => {
    const text =
      '<r><rPr><b/></rPr><t>Ka</t></r><r><t xml:space="preserve">li </t></r><rPh sb="0" eb="1"><t>no</t></rPh>'
    const cells = [
      `<c r="A1" t="inlineStr"><is>${text}</is></c>`,
      textCell('B1', '&lt;&#65;&#x1F48A;&amp;lt;&quot;&apos;_x000D_&#10;'),
      '<c r="C1" t="str"><v>&amp;amp;</v></c>',
    ]
    const [sheet] = streamedSheets(xlsxOf([cells.join('')]))
    expect(sheet?.csv).toBe('"Kali ","<A💊&lt;""\'\n",&amp;')
  })

  it.each([
    ['a section of other text', '<c r="A1" t="str"><v><![CDATA[a<b]]></v></c>', 'a<b'],
    ['a comment', '<c r="A1"><v>1</v></c><!-- <c r="B1"><v>1</v></c> -->', '1'],
    ['attributes in single quotes', "<c t = 'str' r='A1'><v>1</v></c>", '1'],
    ['prefixes', '<x:c xmlns:x="x" r="A1"><x:v>1</x:v></x:c>', '1'],
  ])('is read with %s', (_, cells, csv) => {
    expect(streamedSheets(xlsxOf([cells]))).toMatchObject([{ csv }])
  })

  it.each([
    ['cells in another order', '<c r="B1"><v>1</v></c><c r="A1"><v>2</v></c>'],
    ['a row that no sheet has', '</row><row r="9000000000"><c><v>1</v></c>'],
    ['a column that no sheet has', '<c r="XFE1"><v>1</v></c>'],
    ['a cell of another row', '<c r="A7"><v>1</v></c>'],
    ['a date as a text', '<c r="A1" t="d"><v>2025-10-05T00:00:00Z</v></c>'],
    ['an element that does not end', '<c r="A1" t="str"><v>1</c>'],
  ])('is left to the library if it is written in an unusual way: %s', (_, cells) => {
    const bytes = xlsxOf([cells, textCell('A2', 'x')])
    expect(() => streamedSheets(bytes)).toThrow(UnusualFile)
    expect(readWorkbook(bytes)).toEqual(librarySheets(bytes))
  })

  it('is damaged if its texts or its end are missing', () => {
    const whole = written(manyCells(), { bookSST: true, compression: true })
    for (const share of [0.3, 0.6, 0.9]) {
      const part = whole.slice(0, whole.length * share)
      expect(() => readWorkbook(part)).toThrow('The workbook is damaged or not complete.')
    }
  })

  it('is damaged if one of its parts is declared as compressed and is not', () => {
    const bytes = xlsxOf([textCell('A1', 'id')])
    // The method of the first part, in its header and in the list of parts (APPNOTE.TXT, 4.3.7 and 4.3.12).
    const list = bytes.findIndex((_, at) => [0x50, 0x4b, 1, 2].every((byte, n) => bytes[at + n] === byte))
    bytes[8] = bytes[list + 10] = 8
    expect(() => readWorkbook(bytes)).toThrow('The workbook is damaged or not complete.')
  })

  it.each([
    ['.xlsx', xlsxOf([textCell('A1', 'a strength of 5 mg')])],
    ['.ods', odsOf('a strength of 5 mg')],
  ])('is damaged if one byte of a value is changed, as %s', (_, bytes) => {
    const at = Buffer.from(bytes).indexOf('5 mg')
    bytes[at] = '9'.charCodeAt(0)
    expect(() => readWorkbook(bytes)).toThrow('The workbook is damaged or not complete.')
  })

  it('is damaged if two different parts have the same path', () => {
    const file = 'xl/worksheets/sheet2.xml'
    const bytes = Buffer.from(written(manyCells()))
    const parts = Object.fromEntries(pathsIn(bytes).map((path) => [path, partOf(bytes, path)]))
    const other = partOf(xlsxOf([textCell('A1', 'another sheet')]), 'xl/worksheets/sheet1.xml')
    const twice = Buffer.from(pack({ ...parts, [file]: other }))
    for (let at = twice.indexOf(file); at !== -1; at = twice.indexOf(file, at)) twice.write('1', at + 19)
    expect(() => readWorkbook(twice)).toThrow('The workbook is damaged or not complete.')
  })

  it('is read, or rejected with a reason, whatever happens to its bytes', () => {
    const whole = xlsxOf([
      textCell('A1', 'id') + textCell('B1', 'name'),
      '<c r="A2" t="str"><v>A-1</v></c><c r="B2" t="b"><v>1</v></c><c r="C2"><f>B2</f><v>4.5</v></c>',
    ])
    const damage = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255) })
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (places) => {
        const bytes = whole.slice()
        for (const { at, byte } of places) bytes[at] = byte
        try {
          expect(readWorkbook(bytes).length).toBeGreaterThan(0)
        } catch (error) {
          expect(String(error)).toMatch(/^Error: (?:The workbook|This is) /)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('is read if a chunk ends within a row', () => {
    const texts = Array.from({ length: 3000 }, (_, row) => `text ${row}`.repeat(9))
    const bytes = xlsxOf(texts.map((text, row) => textCell(`A${row + 1}`, text)))
    expect(streamedSheets(bytes)).toMatchObject([{ csv: texts.join('\r\n') }])
  })
})

const cellsOf = async (content: Blob) => {
  const { Sheets, SheetNames } = read(await content.arrayBuffer(), { dense: true, cellNF: true })
  return Sheets[SheetNames[0]!]!['!data']!
}

describe('a text workbook', () => {
  it('keeps every text unchanged', async () => {
    const texts = ['007', '=1+1', '+1', '-1', '@SUM(A1)', '2026-11-20', 'two\nlines', '1E5', 'é語😀', ' x ']
    const [, row] = await cellsOf(textWorkbook([{ name: 'S', rows: [['id'], texts] }]))
    const cells = row!
    expect(cells.map((cell) => cell?.v)).toEqual(texts)
    for (const cell of cells) expect(cell).toMatchObject({ t: 's', z: '@' })
    expect(cells.some((cell) => cell?.f !== undefined)).toBe(false)
  })

  it('escapes text that spreadsheet programs would read as an escape', async () => {
    const content = textWorkbook([{ name: 'S', rows: [['_x0041_', 'a_x_b']] }])
    const { files } = read(await content.arrayBuffer(), { bookFiles: true }) as unknown as {
      files: Record<string, { content: Uint8Array }>
    }
    const xml = new TextDecoder().decode(files['xl/worksheets/sheet1.xml']!.content)
    expect(xml).toContain('>_x005F_x0041_<')
    expect(xml).toContain('>a_x_b<')
  })

  it('rejects a text that no cell can contain, and names it', () => {
    const rows = [
      ['id', 'aliases'],
      ['A1', 'x'.repeat(32_768)],
    ]
    expect(() => textWorkbook([{ name: 'S', rows }])).toThrow('“aliases” of “A1” is longer than a cell')
  })
})

/** An archive of two parts. */
const archive = () => pack({ 'a.txt': new TextEncoder().encode('first'), 'b.txt': new TextEncoder().encode('second') })

const END_BYTES = 22

/** The texts of the parts of an archive. */
function textsOf(bytes: Uint8Array): Record<string, string> {
  const texts: Record<string, string> = {}
  unpack(bytes, (path) => (piece) => {
    texts[path] = (texts[path] ?? '') + piece
  })
  return texts
}

/**
 * The same archive with the end record of large archives: the short end record refers to it for the numbers
 * (APPNOTE.TXT, 4.3.14).
 */
function withLargeEnd(bytes: Uint8Array): Uint8Array {
  const endAt = bytes.byteLength - END_BYTES
  const old = new DataView(bytes.buffer, bytes.byteOffset + endAt, END_BYTES)
  const ends = new Uint8Array(56 + 20 + END_BYTES)
  const view = new DataView(ends.buffer)
  view.setUint32(0, 0x06064b50, true)
  view.setBigUint64(4, 44n, true)
  view.setBigUint64(24, BigInt(old.getUint16(10, true)), true)
  view.setBigUint64(32, BigInt(old.getUint16(10, true)), true)
  view.setBigUint64(40, BigInt(old.getUint32(12, true)), true)
  view.setBigUint64(48, BigInt(old.getUint32(16, true)), true)
  view.setUint32(56, 0x07064b50, true)
  view.setBigUint64(64, BigInt(endAt), true)
  view.setUint32(72, 1, true)
  ends.set(bytes.subarray(endAt), 76)
  view.setUint16(76 + 8, 0xffff, true)
  view.setUint16(76 + 10, 0xffff, true)
  view.setUint32(76 + 12, 0xffffffff, true)
  view.setUint32(76 + 16, 0xffffffff, true)
  return Uint8Array.from([...bytes.subarray(0, endAt), ...ends])
}

describe('a sheet that is read row by row', () => {
  it('is rejected if its rows begin with too many blank cells', () => {
    const reader = new SheetReader(() => {})
    const readRows = (rows: number) => {
      for (let row = 1; row <= rows; row++) {
        reader.begin('row', { r: String(row) })
        reader.begin('c', { r: `XFD${row}` })
        reader.end('c', '')
      }
    }
    reader.begin('sheetData', {})
    expect(() => readRows(5000)).toThrow('too many cells')
  })
})

describe('an archive', () => {
  it("with a large archive's end record is read, including its checksums", () => {
    const large = withLargeEnd(archive())
    expect(textsOf(large)).toEqual({ 'a.txt': 'first', 'b.txt': 'second' })
    large[large.indexOf('f'.charCodeAt(0), 30)]! ^= 1
    expect(() => textsOf(large)).toThrow(UnusualFile)
  })

  it('with a part that exceeds the length of a string is rejected before it is unpacked', () => {
    const bytes = archive()
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    const listAt = view.getUint32(bytes.byteLength - END_BYTES + 16, true)
    expect(textsOf(withoutCompression(bytes))).toEqual({ 'a.txt': 'first', 'b.txt': 'second' })
    view.setUint32(listAt + 24, 2 ** 29 + 1, true)
    expect(() => withoutCompression(bytes)).toThrow('the size of a.txt')
  })
})
