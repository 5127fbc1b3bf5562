import { utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { isAnswered } from '#files/cells/cell-questions'
import { librarySheets } from '#files/workbook/library-workbook'
import { openFile, sentBy } from './files'
import { textCell, xlsxOf, zipOf } from './workbook-files'

/** A number with all of its digits, and the same number with the 15 digits that a spreadsheet program keeps. */
const WHOLE = '450229981000132104'
const ROUNDED = '450229981000132000'

const row = (number: number, digits: string, style = '') =>
  `<c r="A${number}"${style}><v>${digits}</v></c>${textCell(`B${number}`, 'Beta')}`
const HEADER = textCell('A1', 'medication_id') + textCell('B1', 'name')

const ods = (digits: string) =>
  `<table:table-cell office:value-type="float" office:value="${digits}" calcext:value-type="float"><text:p>4.50E+17</text:p></table:table-cell>`
const NAMESPACES =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
const odsText = (text: string) =>
  `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`
const odsRow = (cells: string) => `<table:table-row>${cells}</table:table-row>`
const odsTable = (digits: string) =>
  `<table:table table:name="S">${odsRow(odsText('medication_id') + odsText('name'))}${odsRow(ods(digits) + odsText('Beta'))}</table:table>`

const xml2003 = (digits: string) => {
  const cell = (type: string, text: string) => `<Cell><Data ss:Type="${type}">${text}</Data></Cell>`
  return `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table><Row>${cell('String', 'medication_id')}${cell('String', 'name')}</Row><Row>${cell('Number', digits)}${cell('String', 'Beta')}</Row></Table></Worksheet></Workbook>`
}

/** A workbook of each kind with one number, as written by a program that keeps these digits. */
const KINDS: Readonly<Record<string, (digits: string) => BlobPart>> = {
  '.xlsx': (digits) => xlsxOf([HEADER, row(2, digits)]),
  // Rows in another order, so that the library reads it.
  '.xlsx in an unusual order': (digits) => xlsxOf([HEADER, row(3, digits)]),
  '.ods': (digits) =>
    zipOf({
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': `<?xml version="1.0"?><office:document-content ${NAMESPACES}><office:body><office:spreadsheet>${odsTable(digits)}</office:spreadsheet></office:body></office:document-content>`,
      'styles.xml': `<?xml version="1.0"?><office:document-styles ${NAMESPACES}/>`,
      'META-INF/manifest.xml':
        '<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>',
    }),
  '.fods': (digits) =>
    `<?xml version="1.0"?><office:document ${NAMESPACES} office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>${odsTable(digits)}</office:spreadsheet></office:body></office:document>`,
  'XML of 2003': xml2003,
  'a web page': (digits) => `<table><tr><td>medication_id<td>name<tr><td x:num="${digits}">4.50E+17<td>Beta</table>`,
}

const askedIn = async (content: BlobPart) => {
  const { work, file } = await openFile(content, 'stock.xls')
  return {
    asked: file.questions.map(({ doubt, examples }) => `${doubt} ${examples[0]?.shown}: ${examples[0]?.stored}`),
    sent: (await sentBy(work)).join('').trimEnd().split('\r\n').at(-1),
  }
}

describe.each(Object.entries(KINDS))('a number of more than 15 digits in %s', (_, fileWith) => {
  it('keeps the digits of the file', async () => {
    expect(await askedIn(fileWith(WHOLE))).toEqual({ asked: [], sent: `${WHOLE},Beta` })
  })

  it('causes a question without a suggestion if a program has kept 15 of them', async () => {
    expect(await askedIn(fileWith(ROUNDED))).toEqual({ asked: [`lostDigits ${ROUNDED}: `], sent: `${ROUNDED},Beta` })
  })
})

describe('a long number in a workbook', () => {
  it('causes a question if it is written with an exponent, as Excel does, whatever its format', async () => {
    for (const style of ['', ' s="0"'])
      expect(await askedIn(xlsxOf([HEADER, row(2, '4.50229981000132E+17', style)]))).toEqual({
        asked: [`lostDigits ${ROUNDED}: `],
        sent: `${ROUNDED},Beta`,
      })
  })

  it.each([
    [1234567890123456, [], '1234567890123456'],
    [9401401000001102, ['lostDigits 9401401000001100: '], '9401401000001100'],
  ])('in the old format is as exact as a double: %s', async (value, asked, digits) => {
    const book = utils.book_new(
      utils.aoa_to_sheet([
        ['medication_id', 'name'],
        [value, 'Beta'],
      ]),
      'S',
    )
    for (const bookType of ['xls', 'xlsb'] as const)
      expect(await askedIn(new Uint8Array(write(book, { type: 'array', bookType })))).toEqual({
        asked,
        sent: `${digits},Beta`,
      })
  })

  it('is also read by the library if it has a formula', () => {
    const cell = `<c r="A2"><f>B1</f><v>${WHOLE}</v></c><c r="B2" t="n"><v>${WHOLE}</v></c>`
    expect(librarySheets(xlsxOf([HEADER, cell]))[0]?.csv).toContain(`${WHOLE},${WHOLE}`)
  })

  it('cannot be answered with the stored value, which lacks digits', async () => {
    const choices = new Map([['0 lostDigits', 'stored' as const]])
    const { file } = await openFile(xlsxOf([HEADER, row(2, ROUNDED)]), 'a.xlsx', { choices })
    expect(file.questions.map((question) => isAnswered(question, choices))).toEqual([false])
  })
})
