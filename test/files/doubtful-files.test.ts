import { utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import type { CellChoice } from '#files/cells/cell-questions'
import type { Target } from '#files/columns/file-column'
import type { Fill } from '#files/columns/fills'
import * as summary from '#files/file-summary'
import { textWorkbook } from '#files/workbook/text-workbook'
import { opened, openFile, rowsSentBy } from './files'

const { asksHeader, asksTotals, isDecided, openQuestions } = summary

type Reading = summary.Reading

/** The rules are the same for every file format, so a text file covers all cases. */
const open = (lines: readonly string[], said: Reading = {}) => openFile(lines.join('\r\n'), 'stock.csv', said)

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

const choosing = (key: string, choice: CellChoice): Reading => ({ choices: new Map([[key, choice]]) })

const mapping = (...targets: [number, Target][]): Reading => ({ mapping: new Map(targets) })

const HEADER = 'id,name,strength'

it.each(['xlsx', 'html'] as const)('a file as %s causes the same questions as a text file', async (form) => {
  const rows = [
    ['id', 'name', 'strength', 'status'],
    ['05-Mar', 'Aspirin\nprotect', '5 mg', 'registered'],
    ['8', 'ParacÃ©tamol', '#N/A', 'withdrawn'],
    ['9', 'Ibuprofen', 'n/a', 'registered'],
    ['Total', '3', '', ''],
  ]
  const cell = (text: string) => `<td>${text.replace('\n', '<br>')}</td>`
  const page = `<html><table>${rows.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`).join('')}</table></html>`
  const content = form === 'html' ? page : textWorkbook([{ name: 'Stock', rows }])
  const { work, file, again } = await openFile(content, `stock.${form}`)
  const text = await open(rows.map((cells) => cells.map(quoted).join(',')))
  const questions = openQuestions(file)
  expect(questions.map(({ key }) => key)).toEqual(['0 writtenDate', '1 lineBreak', 'broken', '2 failed', 'placeholder'])
  expect(questions).toEqual(openQuestions(text.file))
  expect(file.csv.totals).toMatchObject([{ row: 5 }])
  expect(file.csv.fileColumns).toEqual(text.file.csv.fileColumns)
  const meanings = new Map([[3, { registered: 'yes', withdrawn: 'no' } as const]])
  const choices = new Map<string, CellChoice>(questions.map(({ key }) => [key, 'shown']))
  expect(isDecided(again({ choices, meanings, totals: 'leave out' }))).toBe(true)
  expect(await rowsSentBy(work)).toContain('9,Ibuprofen,n/a,yes')
})

describe('the cells of a file', () => {
  it.each([
    // An ID, a name or a strength, and other readings of it.
    [0, '05-Mar', 'writtenDate', ''],
    [0, '1234.0', 'decimal', '1234'],
    [0, '1.23E+11', 'lostDigits', ''],
    [0, '-2E+20', 'lostDigits', ''],
    [0, 'А-1', 'lookalike', 'A-1'],
    [2, '5E+01mg', 'lostDigits', ''],
    [2, '#N/A', 'failed', ''],
    [2, '#NOM ?', 'failed', ''],
    [1, 'Aspirin\nprotect', 'lineBreak', 'Aspirin protect'],
  ])('cause a question if one in column %i is %j, and are not sent before', async (position, text, doubt, meant) => {
    const row = ['7', 'Aspirin', '5 mg'].with(position, text).map(quoted).join(',')
    const { file, again } = await open([HEADER, '8,Ibuprofen,7 mg', row])
    const examples = [{ index: 2, row: 3, shown: text, stored: meant }]
    expect(openQuestions(file)).toMatchObject([{ key: `${position} ${doubt}`, count: 1, examples }])
    expect(isDecided(file)).toBe(false)
    expect(isDecided(again(choosing(`${position} ${doubt}`, 'shown')))).toBe(true)
  })

  it.each([
    ['generic_list', 'Amoxicillin; Clavulanic acid', ';', 'Amoxicillin + Clavulanic acid'],
    ['generic_list', 'Sulfamethoxazole, Trimethoprim', ',', 'Sulfamethoxazole + Trimethoprim'],
    ['generic_list', 'Paracetamol & Caffeine', '&', 'Paracetamol + Caffeine'],
    ['generic_list', 'A$$B', '$$', 'A + B'],
    ['aliases', 'Co-amoxiclav; Amoxyclav', ';', 'Co-amoxiclav | Amoxyclav'],
    ['aliases', '["P500","Para"]', 'brackets', 'P500 | Para'],
    ['aliases', 'One\nTwo', 'line break', 'One | Two'],
  ])('cause a question if a cell of %s, %j, may be several values', async (field, text, separator, split) => {
    const { work, file, again } = await open([`id,name,${field}`, `7,A,${quoted(text)}`, '8,B,Whole'])
    const key = `2 joined ${separator}`
    expect(openQuestions(file)).toMatchObject([{ key, count: 1, separator }])
    expect(isDecided(again(choosing(key, 'stored')))).toBe(true)
    expect((await rowsSentBy(work))[1]).toBe(`7,A,${split}`)
  })

  it.each([
    ['generic_list', 'Beclometasone 100mcg/dose'],
    ['generic_list', 'Insulin 40 IU/ml'],
    ['generic_list', 'Paracetamol 250 mg/5 ml'],
    ['aliases', 'Vitamin B (B1, B6 and B12)'],
    ['aliases', 'Insulin [human/regular]'],
  ])('are one item of %s if a comma or a slash is in brackets or a rate: %j', async (field, text) => {
    const { file } = await open([`id,name,${field}`, `7,A,${quoted(text)}`])
    expect(openQuestions(file)).toEqual([])
  })

  it('of a list with a plus cause a question before a shortened amount is split at its sign', async () => {
    const { file } = await open(['id,name,generic_list', '7,A,Aspirin 5E+01mg'])
    expect(openQuestions(file)).toMatchObject([{ key: '2 lostDigits', examples: [{ shown: 'Aspirin 5E+01mg' }] }])
  })

  const NO_VALUES = [
    'id,name,strength,generic_name,manufacturer',
    'PH1,Aspirin,NA,none,-',
    'PH2,Codeine,N / A,not applicable,TBD',
    'NA,Natrium,10 mg,sodium,n.a',
    'PH4,?,,,Nalco',
  ]
  const DATES = [HEADER, '1,A,01-Feb', '2,A,03-Apr', '3,A,01-Feb']
  const typed = new Map([
    ['01-Feb', '1/2 mg'],
    ['03-Apr', '3/4 mg'],
  ])
  const BROKEN = ['id,name,manufacturer', 'M1,VitaminÂ B12,Johnson &amp; Johnson', 'M2,Dexa â€“ drops,Müller']
  const REPAIRED = ['M1,Vitamin B12,Johnson & Johnson', 'M2,Dexa – drops,Müller']
  const EMPTIED = ['PH1,Aspirin', 'PH2,Codeine', 'NA,Natrium,10 mg,sodium', 'PH4,,,,Nalco']
  const IN_USE = ['id,name,in use', '1,A,yes', '2,B,']
  const inUse = { ...mapping([2, { field: 'is_active' }]), hasRightColumns: true }
  const notInUse = { ...mapping([2, { field: 'is_active', reversed: true }]), hasRightColumns: true }

  it.each<[string, readonly string[], string, CellChoice, string[], Reading?]>([
    ['stand for no value: they are emptied', NO_VALUES, 'placeholder', 'empty', EMPTIED],
    ['have broken letters, which are repaired', BROKEN, 'broken', 'stored', REPAIRED],
    ['look like Latin ids, and become them', [HEADER, 'А-1,A,', 'B-2,B,'], '0 lookalike', 'stored', ['A-1,A', 'B-2,B']],
    ['are dates: texts are typed', DATES, '2 writtenDate', typed, ['1,A,1/2 mg', '2,A,3/4 mg', '3,A,1/2 mg']],
    ['do not say whether they are in use: yes', IN_USE, '2 blank', 'yes', ['1,A,yes', '2,B,yes'], inUse],
    // The meaning comes from the answer instead of the word if the column says the opposite.
    ['do not say whether they are out of use: yes', IN_USE, '2 blank', 'yes', ['1,A,no', '2,B,yes'], notInUse],
  ])('that %s', async (_, lines, key, choice, sent, said = {}) => {
    const { work, file, again } = await open(lines, said)
    expect(new Set(openQuestions(file).map((question) => question.key))).toEqual(new Set([key]))
    expect(isDecided(again(choosing(key, choice)))).toBe(true)
    expect((await rowsSentBy(work)).slice(1)).toEqual(sent)
  })

  it('cause one question per field', async () => {
    const { file } = await open(NO_VALUES)
    expect(openQuestions(file).map(({ field, count }) => [field, count])).toEqual([
      ['name', 1],
      ['strength', 2],
      ['generic_name', 2],
      ['manufacturer', 3],
    ])
    const dates = await open(DATES)
    expect(openQuestions(dates.file)).toMatchObject([{ count: 3, texts: [{ count: 2 }, { key: '03-Apr', count: 1 }] }])
    const half = new Map([['01-Feb', '1/2 mg']])
    expect(isDecided(dates.again(choosing('2 writtenDate', half)))).toBe(false)
  })

  const LISTS = ['A+B', 'C+D', 'E+F', 'G+H', 'I+J', 'Griseofulvin, microcrystalline']
  const lists = (texts: readonly string[]) => [
    'id,name,generic_list',
    ...texts.map((text, row) => `${row},A,${quoted(text)}`),
  ]

  it.each<[string, readonly string[], Reading?]>([
    ['the separator of the field', ['id,name,generic_list', '7,A,Paracetamol+Caffeine']],
    ['an “and” in a name', ['id,name,aliases', '7,A,Vitamins & minerals']],
    ['a comma in a name', ['id,name,aliases', '7,A,"1,25-dihydroxy"']],
    ['a comma in a column with its own separator', lists(LISTS)],
    ['a column that says of no record whether it is in use', ['id,name,in use', '1,A,', '2,B,'], inUse],
    ['zeros and slashes', [HEADER, '0001234,Marvelon 28,5/160 mg', 'AB-12,May apple,"1,250.5 mg"']],
    ['words that begin like others', [HEADER, 'МЕД-ёж,Null-Sieben,10.0', '1E11,# 5,"10,0"', '"1,000",ABC,', 'E+1,D,']],
  ])('are what they seem: %s', async (_, lines, said) => {
    const { file } = await open(lines, said)
    expect([openQuestions(file), isDecided(file)]).toEqual([[], true])
  })

  it("cause a question about a comma unless the field's separator is more frequent", async () => {
    expect(openQuestions((await open(lists(LISTS.slice(1)))).file)).toHaveLength(1)
  })
})

describe('the columns of a file', () => {
  it.each([
    ['status', ['Active', 'Active', 'Inactive', 'Discontinued'], { active: 'yes', inactive: 'no', discontinued: 'no' }],
    ['Registration status', ['R', 'X', 'R', 'R'], { r: 'yes', x: 'no' }],
  ] as const)(
    'show by %s what is active: each value is asked about, the rarest first',
    async (header, values, said) => {
      const lines = values.map((value, row) => `${row + 1},Drug ${row},${value}`)
      const { work, file, again } = await open([`id,name,${header}`, ...lines])
      const counts = file.csv.fileColumns[2]?.states?.map(({ count }) => count) ?? []
      expect(counts).toEqual(counts.toSorted((a, b) => a - b))
      expect(counts).toHaveLength(Object.keys(said).length)
      expect(isDecided(file)).toBe(false)
      expect(isDecided(again({ meanings: new Map([[2, { r: 'yes' }]]) }))).toBe(false)
      expect(isDecided(again({ meanings: new Map([[2, said]]) }))).toBe(true)
      const meanings: Readonly<Record<string, string>> = said
      expect((await rowsSentBy(work)).map((line) => line.split(',')[2])).toEqual([
        'is_active',
        ...values.map((value) => meanings[value.toLowerCase()]),
      ])
    },
  )

  it('are ignored if a known header is above yes and no, or classes', async () => {
    const lines = ['id,name,Generics,Label,Generic', 'GY1,Panadol,Yes,Rx,No', 'GY2,Calpol,No,OTC,Yes']
    const { work, file } = await open(lines)
    expect(file.csv.fileColumns.slice(2)).toMatchObject([
      { field: undefined, doubt: 'flags', namedField: { name: 'generic_list' } },
      { field: undefined, doubt: 'flags', namedField: { name: 'display_name' } },
      { field: undefined, doubt: 'flags', namedField: { name: 'generic_name' } },
    ])
    expect(isDecided(file)).toBe(false)
    expect(await rowsSentBy(work)).toEqual(['id,name', 'GY1,Panadol', 'GY2,Calpol'])
  })

  it('cause a question if a few names repeat in all of ten rows', async () => {
    const rows = Array.from({ length: 10 }, (_, row) => `${row},Drug ${row},${row % 2 ? 'Tablets' : 'Liquids'}`)
    const { file } = await open(['id,name,generic_name', ...rows])
    expect(file.csv.fileColumns[2]).toMatchObject({ doubt: 'repeats', field: { name: 'generic_name' } })
    expect(isDecided(file)).toBe(false)
    expect(isDecided((await open(['id,name,form', ...rows])).file)).toBe(true)
    expect(isDecided((await open(['id,name,generic_name', ...rows.slice(1)])).file)).toBe(true)
  })

  it("can be filled with one value, with another column's values, or with IDs made from the texts", async () => {
    const labTests = (await opened('id,name,unit\n1,Sodium,mmol/l\n', 'lab_test')).read('lab_test', {})
    expect(summary.missingFields(labTests.file)).toEqual(['kind', 'result_type'])
    const name = [1, { field: 'name' }] as const
    const lines = ['ICD-10,Title', 'A00,Cholera', 'A01,Typhoid']
    const { work, file, again } = await open(lines, { mapping: new Map([name]) })
    expect(isDecided(file)).toBe(false)
    const filled = again({
      mapping: new Map([[0, { field: 'sku' }], name]),
      fills: new Map<string, Fill>([
        ['medication_id', { is: 'column', position: 0 }],
        ['form_name', { is: 'value', text: 'Tablet' }],
      ]),
      ...{ hasRightColumns: true, isOfType: true, isHeaderRight: true },
    })
    expect(isDecided(filled)).toBe(true)
    const header = 'sku,name,medication_id,form_name'
    expect(await rowsSentBy(work)).toEqual([header, 'A00,Cholera,A00,Tablet', 'A01,Typhoid,A01,Tablet'])
    expect(work.check(false).errorCount).toBe(0)
    again({ mapping: new Map([name]), fills: new Map([['medication_id', { is: 'texts' }]]) })
    expect((await rowsSentBy(work)).slice(1)).toEqual(['A00,Cholera,cholera', 'A01,Typhoid,typhoid'])
  })

  it.each<[readonly string[], object[], Reading?]>([
    [
      ['Proper Name,Trade Name,sampleType', 'Ivabradine,Procoralan,x'],
      [{ name: 'generic_name' }, { name: 'name' }],
    ],
    [['Kod,Nazwa,Cena', '100,Aspiryna,10.50', '101,Ibuprofen,7.20'], []],
    [
      ['uuid,name,Retired', 'u-1,A,false'],
      [{ name: 'medication_id' }, { name: 'name' }, { name: 'is_active' }],
    ],
  ])('have a header row without a question, and guessed names: %j', async (lines, fields) => {
    const { file } = await open(lines)
    expect(asksHeader(file)).toBe(false)
    expect(file.csv.fileColumns.flatMap(({ field }) => field ?? [])).toMatchObject(fields)
    expect(file.csv.fileColumns.some(({ reversed }) => reversed)).toBe(lines[0]?.includes('Retired'))
  })

  it('combine a number with the unit in the next column, after the user has confirmed it', async () => {
    const { work, file } = await open(['id,name,Strength,Unit', '1,A,50,mcg', '2,B,5,mg', '3,C,7,'])
    expect(file.csv.fileColumns[3]).toMatchObject({ by: 'guess', unitOf: 'strength', field: undefined })
    expect(isDecided(file)).toBe(false)
    expect(await rowsSentBy(work)).toEqual(['id,name,Strength', '1,A,50 mcg', '2,B,5 mg', '3,C,7'])
    const both = await open(['id,name,Strength (mg),Unit', '1,A,50,mcg'])
    expect((await rowsSentBy(both.work))[1]).toBe('1,A,50 mcg')
  })

  it('are reported if they do not fit the earlier answers', async () => {
    const columns = { headers: ['id', 'name', 'state'], targets: { state: { field: 'is_active' } } }
    const memory = [{ ...columns, fills: {}, choices: {}, more: {} }]
    const { file } = await open(['id,name,State', '1,A,red', '2,B,blue'], { memory })
    expect(file.csv.fileColumns[2]).toMatchObject({
      field: undefined,
      misfit: { field: 'is_active', because: 'values' },
    })
    expect(isDecided(file)).toBe(false)
  })
})

describe('the rows of a file', () => {
  const PLAIN = Array.from({ length: 60 }, (_, row) => `M${row},Name ${row},5 mg,Tablet`)
  const WIDE = 'id,name,strength,form'

  it.each([
    [62, 'Count,400,,'],
    [62, 'End of report,,,'],
    [62, 'Printed on 2026-03-05,,,'],
    [32, WIDE.toUpperCase()],
    [2, '-----,----,----'],
  ])('cause a question if row %i is not a record: %s', async (row, line) => {
    const { work, file, again } = await open([WIDE, ...PLAIN.toSpliced(row - 2, 0, line)])
    expect([asksTotals(file), file.csv.totals.map((total) => total.row)]).toEqual([true, [row]])
    const without = again({ totals: 'leave out' })
    expect([without.records, asksTotals(without)]).toEqual([60, false])
    expect((await rowsSentBy(work)).length).toBe(61)
  })

  it('whose IDs only differ by case are both named, and one can be excluded', async () => {
    const { work } = await open([HEADER, 'abc1,A,', '2,B,', 'ABC1,A,5 mg'])
    const similar = work.similarIds([{ index: 3, value: 'ABC1', similar_to: 'abc1' }])
    expect(similar).toEqual([
      { index: 3, row: 4, id: 'ABC1', name: 'A', similarTo: 'abc1', otherRow: { index: 1, row: 2 } },
    ])
    expect(work.leaveOutRows([1])).toMatchObject({ errorCount: 0, changes: { leftOut: 1 } })
    expect((await rowsSentBy(work)).slice(1)).toEqual(['2,B', 'ABC1,A,5 mg'])
    expect(work.similarIds([{ index: 3, value: 'ABC1', similar_to: 'abc1' }])).toMatchObject([{ otherRow: undefined }])
  })

  it('do not reactivate an inactive record without a question', async () => {
    const { work } = await open([HEADER, '1,A,', '2,B,', '3,C,'])
    expect(work.impliedReactivationsIn(['2', '3', '9'])).toEqual(['2', '3'])
    work.leaveInactive(['2', '3'])
    expect(work.impliedReactivationsIn(['2', '3'])).toEqual([])
    expect(await rowsSentBy(work)).toEqual(['id,name,strength,is_active', '1,A', '2,B,,no', '3,C,,no'])
    work.undo()
    expect((await rowsSentBy(work))[0]).toBe('id,name,strength')
  })

  it('cause a question if the first row looks like a record instead of a header row', async () => {
    const lines = ['M-1,Aspirin 100,100 mg', 'M-2,Ibuprofen 200,200 mg', 'M-3,Codeine 30,30 mg']
    const { work, file, again } = await open(lines)
    expect([asksHeader(file), file.csv.rowsAbove.map(({ row }) => row)]).toEqual([true, [1]])
    const fields = ['medication_id', 'name', 'strength']
    const all = new Map<number, Target>(fields.map((field, place) => [place, { field }]))
    expect(asksHeader(again({ headerAt: null, mapping: all }))).toBe(false)
    expect((await rowsSentBy(work)).slice(1)).toEqual(lines)
    expect(asksHeader(again({ isHeaderRight: true }))).toBe(false)
    // Rows above a chosen header row are also counted.
    expect(again({ headerAt: 1 }).csv.rowsAbove.map(({ row }) => row)).toEqual([1, 2])
  })

  /** A workbook whose third row is hidden. */
  function hiddenInWorkbook() {
    const sheet = utils.aoa_to_sheet(['id,name', '1,A', '2,B', '3,C'].map((line) => line.split(',')))
    sheet['!rows'] = [{}, {}, { hidden: true }]
    return new Uint8Array(write(utils.book_new(sheet, 'Stock'), { type: 'array', bookType: 'xlsx' }))
  }
  const HIDDEN_IN_PAGE =
    '<table><tr><th>id<th>name<tr><td>1<td>A<tr style="display: none"><td>2<td>B<tr><td>3<td>C</table>'

  it.each(['xlsx', 'html'] as const)('cause a question if hidden, and are excluded or read: %s', async (form) => {
    const content = form === 'xlsx' ? hiddenInWorkbook() : HIDDEN_IN_PAGE
    const { work, file, again } = await openFile(content, `a.${form}`)
    expect([file.hiddenRows, summary.asksHiddenRows(file), isDecided(file)]).toEqual([1, true, false])
    expect(isDecided(again({ hiddenRows: 'leave out' }))).toBe(true)
    expect(await rowsSentBy(work)).toEqual(['id,name', '1,A', '3,C'])
    again({ hiddenRows: 'read' })
    expect(await rowsSentBy(work)).toEqual(['id,name', '1,A', '2,B', '3,C'])
  })
})

describe('a web page from a spreadsheet program', () => {
  it.each(['x:num', 'sdval'])('causes a question about numbers that are displayed rounded: %s', async (attribute) => {
    const page = `<table><tr><td>id<td>name<td>strength<tr><td>1<td>A<td ${attribute}="0.0625">0.06<tr><td>2<td>B<td ${attribute}="5">5</table>`
    const { work, file, again } = await openFile(page, 'a.html')
    expect(openQuestions(file)).toMatchObject([{ key: '2 rounded', examples: [{ row: 2 }] }])
    again(choosing('2 rounded', 'stored'))
    expect((await rowsSentBy(work)).slice(1)).toEqual(['1,A,0.0625', '2,B,5'])
  })
})

describe('sheets that fit equally well', () => {
  it('are offered as a choice, with their first rows and dates', async () => {
    const sheet = (name: string, date: string) => ({
      name,
      rows: [HEADER, '1,A,5 mg', `2,${date},`].map((line) => line.split(',')),
    })
    const content = textWorkbook([sheet('2025', 'B 2025-01-05'), sheet('2026', 'B 2026-02-07')])
    const { file, again } = await openFile(content, 'a.xlsx')
    expect(file.equalSheets?.map(({ name, newestDate, firstRows }) => [name, newestDate, firstRows[1]])).toEqual([
      ['2025', '2025-01-05', ['1', 'A', '5 mg']],
      ['2026', '2026-02-07', ['1', 'A', '5 mg']],
    ])
    expect(isDecided(file)).toBe(false)
    expect(again({ totals: 'keep' }).equalSheets).toBeDefined()
    const chosen = again({ sheet: '2026', isSheetRight: true })
    expect([chosen.sheet, isDecided(chosen)]).toEqual(['2026', true])
  })

  it('have no date if their cells contain none', async () => {
    const sheet = () => utils.aoa_to_sheet([HEADER.split(','), ['1', 'A', 0.0625]])
    const [one, two] = [sheet(), sheet()]
    for (const { C2 } of [one, two]) C2.z = '0.00'
    const book = utils.book_new(one, 'One')
    utils.book_append_sheet(book, two, 'Two')
    const { file } = await openFile(write(book, { type: 'array', bookType: 'xlsx' }), 'a.xlsx')
    expect(file.equalSheets?.map(({ newestDate }) => newestDate)).toEqual([undefined, undefined])
  })
})

describe('a text that is not clearly UTF-8', () => {
  it.each([
    ['windows-1252', [0xe9, 0x80, 0xdf], 'é€ß'],
    ['windows-1250', [0xb3, 0xf3, 0x9f], 'łóź'],
    ['windows-1251', [0xc0, 0xf1, 0xef], 'Асп'],
  ] as const)('is read as the user chooses, and sent as UTF-8: %s', async (encoding, letters, text) => {
    const content = Uint8Array.from([...Buffer.from('id,name\n1,'), ...letters, 0x0a])
    const { work, file, again } = await openFile(content, 'a.csv')
    expect([summary.asksEncoding(file), isDecided(file)]).toEqual([true, false])
    expect(file.csv.encodingSamples.find((sample) => sample.encoding === encoding)?.lines).toEqual([`1,${text}`])
    expect(isDecided(again({ encoding }))).toBe(true)
    expect(await rowsSentBy(work)).toEqual(['id,name', `1,${text}`])
  })

  it('has samples from its first megabyte only', async () => {
    const content = new Uint8Array(Buffer.from(`id,name\n${'A'.repeat(1024 * 1024)}\n1,Caf\xe9\n`, 'latin1'))
    expect((await openFile(content, 'a.csv')).file.csv.encodingSamples.map(({ lines }) => lines)).toContainEqual([])
  })

  it.each([
    ['utf-16le', 'Łódź'],
    ['utf-16be', 'Łódź'],
    ['utf-16be', '阿司匹林肠溶片对乙酰氨基酚缓释片布洛芬混悬液'],
  ] as const)('causes a question without a byte order mark: %s, %s', async (encoding, name) => {
    const rows = ['id,name', '1,Aspirin', ...Array.from({ length: 30 }, () => `2,${name}`)]
    const little = Buffer.from(rows.join('\n'), 'utf16le')
    const content = new Uint8Array(encoding === 'utf-16le' ? little : little.swap16())
    const { work, file, again } = await openFile(content, 'a.csv')
    expect([summary.asksEncoding(file), file.csv.encoding]).toEqual([true, encoding])
    again({ encoding })
    expect((await rowsSentBy(work)).slice(0, 3)).toEqual(rows.slice(0, 3))
  })
})
