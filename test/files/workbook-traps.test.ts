import { CFB, read, utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { asksColumns } from '#files/file-summary'
import type { FileWork } from '#files/file-work'
import { MAX_CSV_COLUMNS } from '#shared/limits'
import { openFile, rowsSentBy, sentBy } from './files'
import { textCell, xlsxOf, zipOf } from './workbook-files'

const open = (content: BlobPart, name = 'stock.xlsx') => openFile(content, name)

const sent = async (work: FileWork) => (await sentBy(work)).join('').trimEnd().split('\r\n')

/** The questions, one per line: the key, and for each example its row, its displayed text and its value. */
const questionsOf = ({ questions }: Awaited<ReturnType<typeof open>>['file']) =>
  questions.map(({ key, examples }) =>
    [key, ...examples.map(({ row, shown, stored }) => `${row}: ${shown} → ${stored}`)].join(' | '),
  )

/** A sheet from the lines of a text. */
const sheetOf = (...lines: string[]) => utils.aoa_to_sheet(lines.map((line) => line.split(',')))

/** The same sheet in several formats. */
const writtenAs = (bookType: 'xlsx' | 'xls' | 'ods', sheet: ReturnType<typeof utils.aoa_to_sheet>) =>
  new Uint8Array(write(utils.book_new(sheet, 'Stock'), { type: 'array', bookType }))

it('a cell with only a time of day causes a question with that time, and without a date', async () => {
  const sheet = utils.aoa_to_sheet([
    ['id', 'name', 'strength'],
    ['1', 'A', 8.5 / 24],
    ['2', 'B', 0],
  ])
  for (const address of ['C2', 'C3']) sheet[address].z = 'h:mm'
  const { file } = await open(writtenAs('xlsx', sheet))
  expect(questionsOf(file)).toEqual(['2 date | 2: 8:30 → 08:30:00 | 3: 0:00 → 00:00:00'])
})

it.each(['xlsx', 'xls', 'ods'] as const)(
  'merged cells contain their value for every row, if the user confirms it: %s',
  async (format) => {
    const sheet = sheetOf('id,name,manufacturer', '1,A,Acme', '2,B,', '3,C,', ',,')
    sheet['!merges'] = [utils.decode_range('C2:C5')]
    const { work, file, again } = await open(writtenAs(format, sheet))
    expect(questionsOf(file)).toEqual(['2 merged | 3:  → Acme | 4:  → Acme'])
    again({ choices: new Map([['2 merged', 'stored']]) })
    expect((await sent(work)).slice(1, 4)).toEqual(['1,A,Acme', '2,B,Acme', '3,C,Acme'])
    again({ choices: new Map([['2 merged', 'shown']]) })
    expect((await rowsSentBy(work)).slice(1, 4)).toEqual(['1,A,Acme', '2,B', '3,C'])
  },
)

it('a formula without its value causes a question for each cell', async () => {
  const header = textCell('A1', 'id') + textCell('B1', 'name') + textCell('C1', 'strength')
  const row = (number: number, strength: string) =>
    textCell(`A${number}`, `${number}`) + textCell(`B${number}`, `N${number}`) + strength
  const { work, file, again } = await open(
    xlsxOf([
      header,
      row(2, '<c r="C2"><f>1+1</f></c>'),
      row(3, '<c r="C3"><f>B1&amp;" mg"</f><v/></c>'),
      row(4, '<c r="C4"><f>1+2</f><v>3</v></c>'),
      // As Excel writes the empty text.
      row(5, '<c r="C5" t="str"><f>IF(B5="","",B5)</f><v></v></c>'),
    ]),
  )
  expect(questionsOf(file)).toEqual(['2 formula | 2:  →  | 3:  → '])
  const texts = new Map([
    ['row 2', '2 mg'],
    ['row 3', '7 mg'],
  ])
  again({ choices: new Map([['2 formula', texts]]) })
  expect((await sent(work)).slice(1)).toEqual(['2,N2,2 mg', '3,N3,7 mg', '4,N4,3', '5,N5,'])
})

it.each(['xlsx', 'xls'] as const)('a hidden column is reported, and columns need confirmation: %s', async (format) => {
  const sheet = sheetOf('id,name,strength', '1,A,5 mg')
  sheet['!cols'] = [{}, {}, { hidden: true }]
  const { file } = await open(writtenAs(format, sheet))
  expect(file.csv.fileColumns.map(({ isHidden }) => isHidden)).toEqual([false, false, true])
  expect(asksColumns(file)).toBe(true)
})

it('a workbook is opened at the best matching sheet', async () => {
  const wide = Array.from({ length: MAX_CSV_COLUMNS + 1 }, (_, column) => `column ${column}`)
  const book = utils.book_new(utils.aoa_to_sheet([wide, ['1', 'A']]), 'Wide')
  utils.book_append_sheet(book, sheetOf('sep=|', '1'), 'Separator')
  utils.book_append_sheet(book, sheetOf('How to use this file', 'name'), 'Read me')
  utils.book_append_sheet(book, sheetOf('Id,Colour', '1,red'), 'Colours')
  utils.book_append_sheet(book, sheetOf('Price list', '', 'Code,Name,Dosage form', '1,A,Tab'), 'Formulary')
  const { sheets, file } = await open(new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' })))
  const fits = sheets?.all.map(({ name, fieldCount }) => `${name} ${fieldCount}`)
  expect(fits).toEqual(['Wide 0', 'Separator 0', 'Read me 0', 'Colours 1', 'Formulary 3'])
  expect(sheets?.chosen).toBe('Formulary')
  expect(file.csv).toMatchObject({ headerRow: 3, rows: 1 })
})

it('a workbook with errors is downloaded as a text workbook that contains them', async () => {
  const { work } = await open(writtenAs('xlsx', sheetOf('Code,Name', '0012,', '0013,B')), 'formulary.xlsx')
  work.check()
  const { name, content } = await work.errorsFile({ onlyFailing: false })
  expect(name).toBe('formulary-errors.xlsx')
  const sheet = read(await content.arrayBuffer()).Sheets.Stock!
  expect(utils.sheet_to_json(sheet, { header: 1, defval: '' })).toEqual([
    ['Code', 'Name', '_errors'],
    ['0012', '', 'name: is required'],
    ['0013', 'B', ''],
  ])
  expect(sheet.A2).toMatchObject({ t: 's' })
})

describe('a file with the wrong extension', () => {
  const HTML =
    '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta charset="windows-1252"></head><body>\n<table border=1><tr><th>Code</th><th>Name</th><th>Strength</th></tr><tr><td>007</td><td>Caf\xe9 &amp; co</td><td>1/2</td></tr></table></body></html>'

  it('is read if it is a web page with a table, every cell as a text', async () => {
    const bytes = Uint8Array.from(HTML, (character) => character.charCodeAt(0))
    const { work, file } = await open(bytes, 'export.xls')
    expect(file.questions).toEqual([])
    expect(await sent(work)).toEqual(['Code,Name,Strength', '007,Café & co,1/2'])
  })

  const ROWS = '<tr><td>id<td>name</tr><tr><td>1<td>A</tr>'

  it.each([
    ['a comment', `<!-- stock --><table>${ROWS}</table>`],
    ['a line of text', `Stock of today\n<table>\n${ROWS}</table>`],
    ['its first row', ROWS],
    ['its first row, and does not end', '<tr><td>id<td>name<tr><td>1<td>A'],
  ])('is read if it is a table that begins with %s', async (_, content) => {
    expect(await sent((await open(content, 'export.xls')).work)).toEqual(['id,name', '1,A'])
  })

  it('loses the styles and scripts in its cells', async () => {
    const cells = '<td>1<style>td { color: red }</style><td>A<script>b()</script> forte'
    const { work } = await open(`<table><tr><td>id<td>name<tr>${cells}</table>`, 'export.xls')
    expect(await sent(work)).toEqual(['id,name', '1,A forte'])
  })

  it('keeps covered cells, within limits', async () => {
    const covered =
      '<table><tr><td>id<td>name<td>form<tr><td>1<td colspan=2>A<tr><td>2<td rowspan=2>B<td>C<tr><td>3<td>D</table>'
    const { work, file } = await open(covered, 'export.xls')
    expect(await sent(work)).toEqual(['id,name,form', '1,A', '2,B,C', '3,,D'])
    expect(file.questions).toMatchObject([{ doubt: 'merged', count: 1 }])
    const row = '<tr><td colspan=1000>A<td>B'
    await expect(open(`<table>${row.repeat(3000)}</table>`, 'a.xls')).rejects.toThrow('too many merged cells')
  })

  it('is read if its columns are separated by pipes, and no other separator is meant', async () => {
    const { work, file } = await open('id|name|aliases\n1|A, forte|\n"2"|B|x;y\n', 'export.txt')
    expect(file.csv).toMatchObject({ hasPipes: true, rows: 2, needsRewrite: true })
    expect(await sent(work)).toEqual(['id,name,aliases', '1,"A, forte",', '2,B,x;y'])
    const list = await open('id,name,aliases\n1,A,x|y\n', 'a.csv')
    expect(list.file.csv.hasPipes).toBe(false)
  })

  it.each([
    ['\x89PNG\r\n', 'This is a picture.'],
    ['[{"medication_id": "1"}]', 'This is a JSON file'],
    ['MIME-Version: 1.0\r\n', 'This is a web archive.'],
    ['<html><body>Please log in</body></html>', 'This is a web page without a table.'],
    ['PK\x03\x04\0\0\0\0rubbish', 'The workbook is damaged or not complete.'],
    ['', 'It is empty. It needs a row with the names of the columns'],
  ])('is reported by its type: %j', async (text, message) => {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
    await expect(open(bytes, 'a.xlsx')).rejects.toThrow(message)
  })

  it.each([
    [{ 'word/document.xml': '<x/>', '[Content_Types].xml': '<x/>' }, 'This is a document of a word processor'],
    [{ 'stock.csv': 'id,name', 'notes.txt': 'x' }, 'This is an archive with “notes.txt”, “stock.csv”'],
  ])('is reported by its content: %j', async (files, message) => {
    await expect(open(zipOf(files), 'a.xlsx')).rejects.toThrow(message)
  })

  it('is reported as protected with a password', async () => {
    const container = CFB.utils.cfb_new()
    CFB.utils.cfb_add(container, '/EncryptionInfo', new Uint8Array(100))
    CFB.utils.cfb_add(container, '/EncryptedPackage', new Uint8Array(5000))
    const bytes = Uint8Array.from(CFB.write(container, { type: 'array' }) as number[])
    await expect(open(bytes)).rejects.toThrow('The workbook is protected with a password.')
  })
})
