import { utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import type { CellChoice } from '#files/cells/cell-questions'
import type { Target } from '#files/columns/columns'
import type { Fill } from '#files/columns/fills'
import {
  asksEncoding,
  asksHeader,
  asksHiddenRows,
  asksTotals,
  isDecided,
  missingFields,
  openQuestions,
  type Reading,
} from '#files/file-summary'
import { FileWork } from '#files/file-work'
import { textWorkbook } from '#files/workbook/text-workbook'
import { openFile, sentBy } from './files'

/** The rules are the same for every form of a file, so one of text has all cases. */
const open = (lines: readonly string[], said: Reading = {}) => openFile(lines.join('\r\n'), 'stock.csv', said)

/** The rows that are sent, without those that are blank. */
const sent = async (work: FileWork) =>
  (await sentBy(work))
    .join('')
    .split('\r\n')
    .filter((line) => line !== '')
    // A sheet has no cells behind the last one of a row.
    .map((line) => line.replace(/,+$/, ''))

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

const choosing = (key: string, choice: CellChoice): Reading => ({ choices: new Map([[key, choice]]) })

const HEADER = 'id,name,strength'

it.each(['xlsx', 'html'] as const)('a file as %s is asked about what one of text is', async (form) => {
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
  expect(await sent(work)).toContain('9,Ibuprofen,n/a,yes')
})

describe('a file of text', () => {
  it.each<readonly [title: string, position: number, text: string, doubt: string, meant: string]>([
    ['an id that is a date', 0, '05-Mar', 'writtenDate', ''],
    ['an id that is a date with a time', 0, '2026-03-05 00:00:00', 'writtenDate', ''],
    ['an id with a decimal', 0, '1234.0', 'decimal', '1234'],
    ['an id with a decimal comma', 0, '1234,0', 'decimal', '1234'],
    ['an id without its last digits', 0, '1.23E+11', 'lostDigits', ''],
    ['an id without its last digits, as programs write it', 0, '1.23e11', 'lostDigits', ''],
    ['a negative id without its last digits', 0, '-2E+20', 'lostDigits', ''],
    ['an id in letters that look like Latin ones', 0, 'А-1', 'lookalike', 'A-1'],
    ['a strength that is a date', 2, '01-Feb', 'writtenDate', ''],
    ['a formula that failed', 2, '#N/A', 'failed', ''],
    ['a formula that failed, in German', 2, '#BEZUG!', 'failed', ''],
    ['a formula that failed, in French', 2, '#NOM ?', 'failed', ''],
    ['a line break in a name', 1, 'Aspirin\nprotect', 'lineBreak', 'Aspirin protect'],
  ])('with %s asks about it, and is not sent before', async (_, position, text, doubt, meant) => {
    const row = ['7', 'Aspirin', '5 mg'].with(position, text).map(quoted).join(',')
    const { file, again } = await open([HEADER, '8,Ibuprofen,7 mg', row])
    const examples = [{ index: 2, row: 3, shown: text, stored: meant }]
    expect(openQuestions(file)).toMatchObject([{ key: `${position} ${doubt}`, count: 1, examples }])
    expect(isDecided(file)).toBe(false)
    expect(isDecided(again(choosing(`${position} ${doubt}`, 'shown')))).toBe(true)
  })

  it('asks once about all cells that stand for no value, and empties or keeps them', async () => {
    const { work, file, again } = await open([
      'id,name,strength,generic_name,manufacturer',
      'PH1,Aspirin,NA,none,-',
      'PH2,Codeine,N / A,not applicable,TBD',
      'NA,Natrium,10 mg,sodium,n.a',
      'PH4,?,,,Nalco',
    ])
    expect(openQuestions(file).map(({ key, field, count }) => [key, field, count])).toEqual([
      ['placeholder', 'name', 1],
      ['placeholder', 'strength', 2],
      ['placeholder', 'generic_name', 2],
      ['placeholder', 'manufacturer', 3],
    ])
    expect(isDecided(again(choosing('placeholder', 'empty')))).toBe(true)
    const emptied = ['PH1,Aspirin', 'PH2,Codeine', 'NA,Natrium,10 mg,sodium', 'PH4,,,,Nalco']
    expect((await sent(work)).slice(1)).toEqual(emptied)
    again(choosing('placeholder', 'shown'))
    expect((await sent(work))[1]).toBe('PH1,Aspirin,NA,none,-')
  })

  it('asks once about broken letters, and repairs those that it can', async () => {
    const { work, file, again } = await open([
      'id,name,form_name,manufacturer',
      'MO1,ParacÃ©tamol 500,comprimÃ©,Lab FranÃ§ais',
      'MO2,VitaminÂ B12,ampoule,Johnson &amp; Johnson',
      'MO3,Dexa â€“ drops,drops,Müller',
    ])
    expect(new Set(openQuestions(file).map(({ key }) => key))).toEqual(new Set(['broken']))
    expect(isDecided(again(choosing('broken', 'stored')))).toBe(true)
    expect((await sent(work)).slice(1)).toEqual([
      'MO1,Paracétamol 500,comprimé,Lab Français',
      'MO2,Vitamin B12,ampoule,Johnson & Johnson',
      'MO3,Dexa – drops,drops,Müller',
    ])
  })

  it.each([
    ['generic_list', 'Amoxicillin; Clavulanic acid', ';', 'Amoxicillin + Clavulanic acid'],
    ['generic_list', 'Sulfamethoxazole, Trimethoprim', ',', 'Sulfamethoxazole + Trimethoprim'],
    ['generic_list', 'Ipratropium/Salbutamol', '/', 'Ipratropium + Salbutamol'],
    ['generic_list', 'Paracetamol & Caffeine', '&', 'Paracetamol + Caffeine'],
    ['generic_list', 'A$$B', '$$', 'A + B'],
    ['generic_list', 'A|B', '|', 'A + B'],
    ['generic_list', '{A,B}', 'brackets', 'A + B'],
    ['aliases', 'Co-amoxiclav; Amoxyclav', ';', 'Co-amoxiclav | Amoxyclav'],
    ['aliases', '["P500","Para"]', 'brackets', 'P500 | Para'],
    ['aliases', 'One\nTwo', 'line break', 'One | Two'],
  ])('asks whether %s that is %s are several', async (field, text, separator, split) => {
    const { work, file, again } = await open([`id,name,${field}`, `7,A,${quoted(text)}`, '8,B,Whole'])
    const key = `2 joined ${separator}`
    expect(openQuestions(file)).toMatchObject([{ key, count: 1, separator }])
    expect(isDecided(again(choosing(key, 'stored')))).toBe(true)
    expect((await sent(work))[1]).toBe(`7,A,${split}`)
  })

  it('takes a comma for a part of names if the column has its own separator', async () => {
    const lists = ['A+B', 'C+D', 'E+F', 'G+H', 'I+J', 'Griseofulvin, microcrystalline']
    const questions = async (texts: string[]) =>
      openQuestions(
        (await open(['id,name,generic_list', ...texts.map((text, row) => `${row},A,${quoted(text)}`)])).file,
      )
    expect(await questions(lists)).toEqual([])
    expect(await questions(lists.slice(1))).toHaveLength(1)
  })

  it.each([
    ['generic_list', 'Paracetamol+Caffeine'],
    ['aliases', 'P500|Para'],
    ['aliases', 'Vitamins & minerals'],
    ['aliases', '"1,25-dihydroxy"'],
    ['aliases', 'Co-amoxiclav 250/125'],
  ])('asks nothing about %s that is %s', async (field, text) => {
    expect(isDecided((await open([`id,name,${field}`, `7,A,${text}`])).file)).toBe(true)
  })

  it.each([
    ['status', ['Active', 'Active', 'Inactive', 'Discontinued'], { active: 'yes', inactive: 'no', discontinued: 'no' }],
    ['Active', ['Active', 'Inactive', 'Active', 'Inactive'], { active: 'yes', inactive: 'no' }],
    ['Registration status', ['R', 'X', 'R', 'R'], { r: 'yes', x: 'no' }],
  ] as const)(
    'asks which values of %s mean that a medication is in use, the rarest first',
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
      expect((await sent(work)).map((line) => line.split(',')[2])).toEqual([
        header === 'Active' ? 'Active' : 'is_active',
        ...values.map((value) => meanings[value.toLowerCase()]),
      ])
    },
  )

  it('asks about a known header whose values are yes or no, or name a class, and does not read it', async () => {
    const lines = ['id,name,Generics,Label,Generic', 'GY1,Panadol,Yes,Rx,No', 'GY2,Calpol,No,OTC,Yes']
    const { work, file } = await open(lines)
    expect(file.csv.fileColumns.slice(2)).toMatchObject([
      { field: undefined, doubt: 'flags', namedField: { name: 'generic_list' } },
      { field: undefined, doubt: 'flags', namedField: { name: 'display_name' } },
      { field: undefined, doubt: 'flags', namedField: { name: 'generic_name' } },
    ])
    expect(isDecided(file)).toBe(false)
    expect(await sent(work)).toEqual(['id,name', 'GY1,Panadol', 'GY2,Calpol'])
  })

  it('asks about names of which a few repeat in all of ten rows', async () => {
    const rows = Array.from({ length: 10 }, (_, row) => `${row},Drug ${row},${row % 2 ? 'Tablets' : 'Liquids'}`)
    const { file } = await open(['id,name,generic_name', ...rows])
    expect(file.csv.fileColumns[2]).toMatchObject({ doubt: 'repeats', field: { name: 'generic_name' } })
    expect(isDecided(file)).toBe(false)
    expect(isDecided((await open(['id,name,form', ...rows])).file)).toBe(true)
    expect(isDecided((await open(['id,name,generic_name', ...rows.slice(1)])).file)).toBe(true)
  })

  it('says which fields that every record needs have no column', async () => {
    const opening = await new FileWork().open(new File(['id,name,unit\n1,Sodium,mmol/l\n'], 'a.csv'), 'lab_test', {})
    expect('file' in opening && missingFields(opening.file)).toEqual(['kind', 'result_type'])
  })

  it('has the same value in all rows, or that of another column, or an id of its texts, if the person says so', async () => {
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
    expect(await sent(work)).toEqual([header, 'A00,Cholera,A00,Tablet', 'A01,Typhoid,A01,Tablet'])
    expect(work.check(false).errorCount).toBe(0)
    again({ mapping: new Map([name]), fills: new Map([['medication_id', { is: 'texts' }]]) })
    expect((await sent(work)).slice(1)).toEqual(['A00,Cholera,cholera', 'A01,Typhoid,typhoid'])
  })

  it.each(['Proper Name,Trade Name,sampleType', 'INN,Proprietary Name,x', 'Active substance,Medicine,x'])(
    'with the headers %s has a header row without a question, and guesses',
    async (header) => {
      const { file } = await open([header, 'Ivabradine,Procoralan,x', 'Codeine,Codipar,y'])
      expect(asksHeader(file)).toBe(false)
      expect(file.csv.fileColumns).toMatchObject([{ field: { name: 'generic_name' } }, { field: { name: 'name' } }, {}])
    },
  )

  it('asks nothing of a header row above numbers', async () => {
    const { file } = await open(['Kod,Nazwa,Cena', '100,Aspiryna,10.50', '101,Ibuprofen,7.20'])
    expect(asksHeader(file)).toBe(false)
  })

  it('reads a column of retired ones as the opposite of in use', async () => {
    const { file } = await open(['uuid,name,Retired', 'u-1,A,false'])
    expect(file.csv.fileColumns.map(({ field, reversed }) => [field?.name, reversed])).toEqual([
      ['medication_id', false],
      ['name', false],
      ['is_active', true],
    ])
  })

  it('is not taken for lab tests because its cells say that they have no value', async () => {
    const lines = ['A01AA,Caries agents', 'A01AA01,sodium fluoride', 'A01AA02,olaflur'].map((line) => `${line},NA,NA`)
    expect((await open(['atc_code,atc_name,ddd,adm_r', ...lines])).file.better).toBeUndefined()
  })

  it('asks what a ruled line below the header row is', async () => {
    const { file } = await open([HEADER, '-----,----,----', '7,A,5 mg'])
    expect(file.csv.totals).toMatchObject([{ row: 2 }])
    expect(asksTotals(file)).toBe(true)
  })

  it('asks nothing about texts that are what they seem', async () => {
    const { file } = await open([
      HEADER,
      '0001234,Marvelon 28,5/160 mg',
      'AB-12,May apple,"1,250.5 mg"',
      'МЕД-ёж,Null-Sieben,10.0',
      '1E11,# 5,"10,0"',
      '"1,000",ABC,',
      'E+1,DEF,',
    ])
    expect(openQuestions(file)).toEqual([])
    expect(isDecided(file)).toBe(true)
  })

  it('with an id in letters that look like Latin ones writes the Latin id if it is the same medication', async () => {
    const { work, again } = await open([HEADER, 'А-1,A,', 'B-2,B,'])
    again(choosing('0 lookalike', 'stored'))
    expect((await sent(work)).slice(1)).toEqual(['A-1,A', 'B-2,B'])
  })

  it('with ids that differ by case alone names both rows, and leaves one of them out', async () => {
    const { work } = await open([HEADER, 'abc1,A,', '2,B,', 'ABC1,A,5 mg'])
    const similar = work.similarIds([{ index: 3, value: 'ABC1', similar_to: 'abc1' }])
    expect(similar).toEqual([{ index: 3, row: 4, id: 'ABC1', similarTo: 'abc1', otherRow: { index: 1, row: 2 } }])
    expect(work.leaveOutRows([1])).toMatchObject({ errorCount: 0, changes: { leftOut: 1 } })
    expect((await sent(work)).slice(1)).toEqual(['2,B', 'ABC1,A,5 mg'])
    expect(work.similarIds([{ index: 3, value: 'ABC1', similar_to: 'abc1' }])).toMatchObject([{ otherRow: undefined }])
  })

  it('with dates has them in one question, and writes the texts that the person types, or none', async () => {
    const { work, file, again } = await open([HEADER, '1,A,01-Feb', '2,A,03-Apr', '3,A,01-Feb'])
    const texts = [
      { key: '01-Feb', count: 2 },
      { key: '03-Apr', count: 1 },
    ]
    expect(openQuestions(file)).toMatchObject([{ key: '2 writtenDate', count: 3, texts }])
    const typed = new Map([['01-Feb', '1/2 mg']])
    expect(isDecided(again(choosing('2 writtenDate', typed)))).toBe(false)
    typed.set('03-Apr', '3/4 mg')
    expect(isDecided(again(choosing('2 writtenDate', typed)))).toBe(true)
    expect((await sent(work)).slice(1)).toEqual(['1,A,1/2 mg', '2,A,3/4 mg', '3,A,1/2 mg'])
    expect(isDecided(again(choosing('2 writtenDate', 'empty')))).toBe(true)
    expect((await sent(work)).slice(1)).toEqual(['1,A', '2,A', '3,A'])
  })

  describe('with blanks in a column that says whether records are in use', () => {
    const inUse = (reversed: boolean) =>
      new Map<number, Target>([[2, { field: 'is_active', ...(reversed && { reversed }) }]])

    it.each([
      ['keep', false, '2,B'],
      ['yes', false, '2,B,yes'],
      ['no', false, '2,B,no'],
      // It means the answer, not the word, if the column says the opposite.
      ['yes', true, '2,B,yes'],
    ] as const)('asks, and writes the answer: %s, reversed: %s', async (choice, reversed, line) => {
      const { work, file, again } = await open(['id,name,in use', '1,A,yes', '2,B,'], { mapping: inUse(reversed) })
      expect(openQuestions(file)).toMatchObject([{ key: '2 blank', doubt: 'blank' }])
      again(choosing('2 blank', choice))
      expect((await sent(work)).slice(1)).toEqual([reversed ? '1,A,no' : '1,A,yes', line])
    })

    it('asks nothing if the whole column is blank', async () => {
      const { file } = await open(['id,name,in use', '1,A,', '2,B,'], { mapping: inUse(false) })
      expect(openQuestions(file)).toEqual([])
    })
  })

  it('does not bring a record back unasked that is not in use', async () => {
    const { work } = await open([HEADER, '1,A,', '2,B,', '3,C,'])
    expect(work.impliedReactivationsIn(['2', '3', '9'])).toEqual(['2', '3'])
    work.leaveInactive(['2', '3'])
    expect(work.impliedReactivationsIn(['2', '3'])).toEqual([])
    expect(await sent(work)).toEqual(['id,name,strength,is_active', '1,A', '2,B,,no', '3,C,,no'])
    work.undo()
    expect((await sent(work))[0]).toBe('id,name,strength')
  })

  const PLAIN = Array.from({ length: 60 }, (_, row) => `M${row},Name ${row},5 mg,Tablet`)
  const WIDE = 'id,name,strength,form'

  it.each([
    'Count,400,,',
    'TOTAL QTY:,,,',
    'End of report,,,',
    'Printed on 2026-03-05,,,',
    'Report generated by,J. Smith,,',
    ',approved by the board,,',
  ])('asks about a row at its end that is no record: %s', async (last) => {
    const { work, file, again } = await open([WIDE, ...PLAIN, last])
    expect(asksTotals(file)).toBe(true)
    expect(file.csv.totals.map(({ row }) => row)).toEqual([62])
    const without = again({ totals: 'leave out' })
    expect([without.records, asksTotals(without)]).toEqual([60, false])
    expect((await sent(work)).length).toBe(61)
  })

  it('asks about a header row that is repeated among the records', async () => {
    const { work, file, again } = await open([WIDE, ...PLAIN.slice(0, 30), WIDE.toUpperCase(), ...PLAIN.slice(30)])
    expect(file.csv.totals.map(({ row }) => row)).toEqual([32])
    again({ totals: 'leave out' })
    expect((await sent(work)).length).toBe(61)
  })

  it('asks about no last row that is as filled as others, and shows those that are nearly empty', async () => {
    const sparse = 'S1,Sparse,,'
    const { file } = await open([WIDE, ...PLAIN.slice(0, 30), sparse, ...PLAIN.slice(30)])
    expect(file.csv.totals).toEqual([])
    expect(file.csv.sparseRows.map(({ row, cells }) => [row, cells[0]])).toEqual([[32, 'S1']])
    const many = await open([WIDE, ...PLAIN.slice(0, 30), ...Array.from({ length: 30 }, () => sparse)])
    expect(many.file.csv).toMatchObject({ totals: [], sparseRows: [] })
  })

  it('joins a number with the unit beside it, once the person has looked', async () => {
    const { work, file } = await open(['id,name,Strength,Unit', '1,A,50,mcg', '2,B,5,mg', '3,C,7,'])
    expect(file.csv.fileColumns[3]).toMatchObject({ by: 'guess', unitOf: 'strength', field: undefined })
    expect(isDecided(file)).toBe(false)
    expect(await sent(work)).toEqual(['id,name,Strength', '1,A,50 mcg', '2,B,5 mg', '3,C,7'])
    const both = await open(['id,name,Strength (mg),Unit', '1,A,50,mcg'])
    expect((await sent(both.work))[1]).toBe('1,A,50 mcg')
  })

  it('whose header row looks like a record asks, and loses none', async () => {
    const lines = ['M-1,Aspirin 100,100 mg', 'M-2,Ibuprofen 200,200 mg', 'M-3,Codeine 30,30 mg']
    const { work, file, again } = await open(lines)
    expect([asksHeader(file), file.csv.rowsAbove.map(({ row }) => row)]).toEqual([true, [1]])
    const fields = ['medication_id', 'name', 'strength']
    const mapping = new Map<number, Target>(fields.map((field, place) => [place, { field }]))
    expect(asksHeader(again({ headerAt: null, mapping }))).toBe(false)
    expect((await sent(work)).slice(1)).toEqual(lines)
    expect(asksHeader(again({ isHeaderRight: true }))).toBe(false)
    // Rows above a chosen header row count too.
    expect(again({ headerAt: 1 }).csv.rowsAbove.map(({ row }) => row)).toEqual([1, 2])
  })

  it('says what was remembered of a column and does not fit', async () => {
    const memory = { '["id","name","state"]': [null, null, { field: 'is_active' }] }
    const { file } = await open(['id,name,State', '1,A,red', '2,B,blue'], { memory })
    expect(file.csv.fileColumns[2]).toMatchObject({ field: undefined, misfit: 'is_active' })
    expect(isDecided(file)).toBe(false)
  })
})

describe('hidden rows', () => {
  /** A workbook whose third row is hidden. */
  function hiddenInWorkbook() {
    const sheet = utils.aoa_to_sheet(['id,name', '1,A', '2,B', '3,C'].map((line) => line.split(',')))
    sheet['!rows'] = [{}, {}, { hidden: true }]
    return new Uint8Array(write(utils.book_new(sheet, 'Stock'), { type: 'array', bookType: 'xlsx' }))
  }

  const PAGE =
    '<table><tr><th>id</th><th>name</th></tr><tr><td>1</td><td>A</td></tr><tr style="display: none"><td>2</td><td>B</td></tr><tr><td>3</td><td>C</td></tr></table>'

  it.each(['xlsx', 'html'] as const)('are asked about, and left out or read: %s', async (form) => {
    const { work, file, again } = await openFile(form === 'xlsx' ? hiddenInWorkbook() : PAGE, `a.${form}`)
    expect([file.hiddenRows, asksHiddenRows(file), isDecided(file)]).toEqual([1, true, false])
    expect(isDecided(again({ hiddenRows: 'leave out' }))).toBe(true)
    expect(await sent(work)).toEqual(['id,name', '1,A', '3,C'])
    again({ hiddenRows: 'read' })
    expect(await sent(work)).toEqual(['id,name', '1,A', '2,B', '3,C'])
  })
})

describe('a web page that a spreadsheet program has written', () => {
  it.each(['x:num', 'sdval'])('is asked about numbers that are shown rounded: %s', async (attribute) => {
    const page = `<table><tr><td>id</td><td>name</td><td>strength</td></tr><tr><td>1</td><td>A</td><td ${attribute}="0.0625">0.06</td></tr><tr><td>2</td><td>B</td><td ${attribute}="5">5</td></tr></table>`
    const { work, file, again } = await openFile(page, 'a.html')
    expect(openQuestions(file)).toMatchObject([{ key: '2 rounded', examples: [{ row: 2 }] }])
    again(choosing('2 rounded', 'stored'))
    expect((await sent(work)).slice(1)).toEqual(['1,A,0.0625', '2,B,5'])
  })

  it('has cells over several rows and columns in their places', async () => {
    const page =
      '<table><tr><td>id</td><td>name</td><td>manufacturer</td></tr><tr><td>1</td><td>A<br>forte</td><td rowspan=2>Acme &amp; Co</td></tr><tr><td>2</td><td>B</td></tr><tr><td colspan=2>3</td><td>Other</td></tr></table>'
    const { work, file, again } = await openFile(page, 'a.html')
    expect(openQuestions(file).map(({ key }) => key)).toEqual(['1 lineBreak', '2 merged'])
    again(choosing('2 merged', 'stored'))
    expect(await sent(work)).toEqual(['id,name,manufacturer', '1,"A\nforte",Acme & Co', '2,B,Acme & Co', '3,,Other'])
  })
})

describe('sheets that fit equally', () => {
  it('are a choice, with their first rows and dates', async () => {
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

  it('are a choice in a web page with several tables', async () => {
    const table = '<table><tr><td>id</td><td>name</td></tr><tr><td>1</td><td>A</td></tr></table>'
    const { file } = await openFile(`<html>${table}${table}</html>`, 'a.html')
    expect(file.equalSheets?.map(({ name }) => name)).toEqual(['Sheet1', 'Sheet2'])
  })
})

describe('a text that is not plainly UTF-8', () => {
  it.each([
    ['windows-1252', [0xe9, 0x80, 0xdf], 'é€ß'],
    ['windows-1250', [0xb3, 0xf3, 0x9f], 'łóź'],
    ['windows-1251', [0xc0, 0xf1, 0xef], 'Асп'],
    ['windows-1253', [0xc1, 0xf3, 0xf0], 'Ασπ'],
    ['windows-1254', [0xdd, 0xfe, 0xf0], 'İşğ'],
    ['windows-1255', [0xe0, 0xf1, 0xf4], 'אספ'],
    ['windows-1256', [0xc3, 0xd3, 0xc8], 'أسب'],
    ['macintosh', [0x8e, 0x9f, 0xd8], 'éüÿ'],
    ['cp437', [0x82, 0x81, 0xe1], 'éüß'],
    ['cp850', [0x82, 0x81, 0xb5], 'éüÁ'],
    ['cp852', [0xa5, 0x88, 0xab], 'ąłź'],
    ['ibm866', [0x80, 0xe1, 0xaf], 'Асп'],
  ] as const)('is read as the person says, and sent as UTF-8: %s', async (encoding, letters, text) => {
    const content = Uint8Array.from([...Buffer.from('id,name\n1,'), ...letters, 0x0a])
    const { work, file, again } = await openFile(content, 'a.csv')
    expect([asksEncoding(file), isDecided(file)]).toEqual([true, false])
    expect(file.csv.encodingSamples.find((sample) => sample.encoding === encoding)?.lines).toEqual([`1,${text}`])
    expect(isDecided(again({ encoding }))).toBe(true)
    expect(await sent(work)).toEqual(['id,name', `1,${text}`])
  })

  it('has samples of its first megabyte alone', async () => {
    const content = new Uint8Array(Buffer.from(`id,name\n${'A'.repeat(1024 * 1024)}\n1,Caf\xe9\n`, 'latin1'))
    expect((await openFile(content, 'a.csv')).file.csv.encodingSamples.map(({ lines }) => lines)).toContainEqual([])
  })

  it.each([
    ['utf-16le', 'Łódź'],
    ['utf-16be', 'Łódź'],
    ['utf-16le', 'Ибупрофен таблетки покрытые плёночной оболочкой'],
    ['utf-16be', '阿司匹林肠溶片对乙酰氨基酚缓释片布洛芬混悬液'],
  ] as const)('is asked about without a mark: %s, %s', async (encoding, name) => {
    const rows = ['id,name', '1,Aspirin', ...Array.from({ length: 30 }, () => `2,${name}`)]
    const little = Buffer.from(rows.join('\n'), 'utf16le')
    const content = new Uint8Array(encoding === 'utf-16le' ? little : little.swap16())
    const { work, file, again } = await openFile(content, 'a.csv')
    expect([asksEncoding(file), file.csv.encoding]).toEqual([true, encoding])
    again({ encoding })
    expect((await sent(work)).slice(0, 3)).toEqual(rows.slice(0, 3))
  })
})
