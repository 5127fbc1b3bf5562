import { utils, write } from '@e965/xlsx'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import type { CellChoice } from '#files/cells/cell-questions'
import type { Target } from '#files/columns/columns'
import type { Fill } from '#files/columns/fills'
import {
  asksEncoding,
  asksHeader,
  asksHiddenRows,
  asksTotals,
  type FileSummary,
  isDecided,
  missingFields,
  openQuestions,
  type Reading,
} from '#files/file-summary'
import { FileWork } from '#files/file-work'
import { textWorkbook } from '#files/workbook/text-workbook'
import { openFile, sentBy } from './files'

type Rows = readonly (readonly string[])[]

type Form = 'csv' | 'xlsx' | 'html'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>')

/** The same rows as a CSV file, a workbook and a web page. */
const CONTENTS: Readonly<Record<Form, (rows: Rows) => BlobPart>> = {
  csv: (rows) => Papa.unparse(rows.map((cells) => [...cells])),
  xlsx: (rows) => textWorkbook([{ name: 'Stock', rows }]),
  html: (rows) =>
    `<html><table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`).join('')}</table></html>`,
}

const open = (form: Form, rows: Rows, said: Reading = {}) => openFile(CONTENTS[form](rows), `stock.${form}`, said)

/** The rows that are sent, without those that are blank. */
const sent = async (work: FileWork) =>
  (await sentBy(work))
    .join('')
    .split('\r\n')
    .filter((line) => line !== '')
    // A sheet has no cells behind the last one of a row.
    .map((line) => line.replace(/,+$/, ''))

const choosing = (key: string, choice: CellChoice): Reading => ({ choices: new Map([[key, choice]]) })

const HEADER = ['id', 'name', 'strength']

/** The rules are the same for every form, so one of them has all cases. */
const form: Form = 'csv'

it.each(['xlsx', 'html'] as const)('a file as %s is asked about what one of text is', async (other) => {
  const rows = [
    HEADER,
    ['05-Mar', 'Aspirin\nprotect', '5 mg'],
    ['8', 'ParacÃ©tamol', '#N/A'],
    ['9', 'Ibuprofen', 'n/a'],
  ]
  const asked = async (of: Form) => openQuestions((await open(of, rows)).file)
  const questions = await asked(other)
  expect(questions.map(({ key }) => key)).toEqual(['0 writtenDate', '1 lineBreak', 'broken', '2 failed', 'placeholder'])
  expect(questions).toEqual(await asked('csv'))
  const { work, again } = await open(other, rows)
  const choices = new Map<string, CellChoice>(questions.map(({ key }) => [key, 'shown']))
  expect(isDecided(again({ choices }))).toBe(true)
  expect(await sent(work)).toContain('9,Ibuprofen,n/a')
})

/** Files of the kinds that go wrong before anybody looks, each with what is asked about it. */
const DOUBTFUL_FILES: readonly (readonly [
  title: string,
  rows: Rows,
  (file: FileSummary) => unknown,
  asked: unknown,
])[] = [
  [
    'a status column',
    [
      [...HEADER, 'status'],
      ['1', 'A', '', 'registered'],
      ['2', 'B', '', 'registered'],
      ['3', 'C', '', 'withdrawn'],
    ],
    ({ csv }) => csv.fileColumns[3]?.states?.map(({ value }) => value),
    ['withdrawn', 'registered'],
  ],
  [
    'a known header above other values',
    [
      [...HEADER, 'Generics'],
      ['1', 'A', '', 'Yes'],
      ['2', 'B', '', 'No'],
      ['3', 'C', '', 'Yes'],
    ],
    ({ csv }) => csv.fileColumns[3]?.doubt,
    'flags',
  ],
  [
    'lists with another separator',
    [
      ['id', 'name', 'generic_list'],
      ['1', 'A', 'Amoxicillin; Clavulanic acid'],
      ['2', 'B', 'Aspirin'],
    ],
    ({ questions }) => questions.map(({ key }) => key),
    ['2 joined ;'],
  ],
  [
    'a mandatory field without a column',
    [
      ['id', 'name', 'unit'],
      ['1', 'Sodium', 'mmol/l'],
    ],
    (file) => missingFields(file),
    ['kind', 'result_type'],
  ],
  [
    'a ruled line',
    [HEADER, ['----', '----', '----'], ['1', 'A', '5 mg'], ['2', 'B', '6 mg']],
    ({ csv }) => csv.totals.map(({ row }) => row),
    [2],
  ],
  [
    'no header row',
    [
      ['M-1', 'Aspirin 100', '100 mg'],
      ['M-2', 'Ibuprofen 200', '200 mg'],
      ['M-3', 'Codeine 30', '30 mg'],
    ],
    ({ csv }) => csv.rowsAbove.map(({ row }) => row),
    [1],
  ],
]

describe.each(['csv', 'xlsx', 'html'] as const)('a file as %s', (one) => {
  it.each(DOUBTFUL_FILES)('with %s is asked about it', async (title, rows, askedOf, asked) => {
    const type = title.startsWith('a mandatory') ? 'lab_test' : 'medication'
    const work = new FileWork()
    const opened = await work.open(new File([CONTENTS[one](rows)], `stock.${one}`), type, {})
    expect('file' in opened && askedOf(opened.file)).toEqual(asked)
  })
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
    const row = ['7', 'Aspirin', '5 mg'].map((cell, at) => (at === position ? text : cell))
    const { file, again } = await open(form, [HEADER, ['8', 'Ibuprofen', '7 mg'], row])
    const examples = [{ index: 2, row: 3, shown: text, stored: meant }]
    expect(openQuestions(file)).toMatchObject([{ key: `${position} ${doubt}`, count: 1, examples }])
    expect(isDecided(file)).toBe(false)
    expect(isDecided(again(choosing(`${position} ${doubt}`, 'shown')))).toBe(true)
  })

  it('asks once about all cells that stand for no value, and empties or keeps them', async () => {
    const { work, file, again } = await open(form, [
      ['id', 'name', 'strength', 'generic_name', 'manufacturer'],
      ['PH1', 'Aspirin', 'NA', 'none', '-'],
      ['PH2', 'Codeine', 'N / A', 'not applicable', 'TBD'],
      ['NA', 'Natrium', '10 mg', 'sodium', 'n.a'],
      ['PH4', '?', '', '', 'Nalco'],
    ])
    const questions = openQuestions(file)
    expect(questions.map(({ key, field, count }) => [key, field, count])).toEqual([
      ['placeholder', 'name', 1],
      ['placeholder', 'strength', 2],
      ['placeholder', 'generic_name', 2],
      ['placeholder', 'manufacturer', 3],
    ])
    expect(isDecided(again(choosing('placeholder', 'empty')))).toBe(true)
    expect((await sent(work)).slice(1)).toEqual([
      'PH1,Aspirin',
      'PH2,Codeine',
      'NA,Natrium,10 mg,sodium',
      'PH4,,,,Nalco',
    ])
    again(choosing('placeholder', 'shown'))
    expect((await sent(work))[1]).toBe('PH1,Aspirin,NA,none,-')
  })

  it('asks once about broken letters, and repairs those that it can', async () => {
    const { work, file, again } = await open(form, [
      ['id', 'name', 'form_name', 'manufacturer'],
      ['MO1', 'ParacÃ©tamol 500', 'comprimÃ©', 'Lab FranÃ§ais'],
      ['MO2', 'VitaminÂ B12', 'ampoule', 'Johnson &amp; Johnson'],
      ['MO3', 'Dexa â€“ drops', 'drops', 'Müller'],
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
    ['generic_list', 'Sulfamethoxazole, Trimethoprim', ',', '"Sulfamethoxazole + Trimethoprim"'],
    ['generic_list', 'Ipratropium/Salbutamol', '/', 'Ipratropium + Salbutamol'],
    ['generic_list', 'Paracetamol & Caffeine', '&', 'Paracetamol + Caffeine'],
    ['generic_list', 'A$$B', '$$', 'A + B'],
    ['generic_list', 'A|B', '|', 'A + B'],
    ['generic_list', '{A,B}', 'brackets', 'A + B'],
    ['aliases', 'Co-amoxiclav; Amoxyclav', ';', 'Co-amoxiclav | Amoxyclav'],
    ['aliases', '["P500","Para"]', 'brackets', 'P500 | Para'],
    ['aliases', 'One\nTwo', 'line break', 'One | Two'],
  ])('asks whether %s that is %s are several', async (field, text, separator, split) => {
    const { work, file, again } = await open(form, [
      ['id', 'name', field],
      ['7', 'A', text],
      ['8', 'B', 'Whole'],
    ])
    const [question, ...others] = openQuestions(file)
    expect(others).toEqual([])
    expect(question).toMatchObject({ key: `2 joined ${separator}`, count: 1, separator })
    expect(isDecided(again(choosing(`2 joined ${separator}`, 'stored')))).toBe(true)
    expect((await sent(work))[1]).toBe(`7,A,${split.replaceAll('"', '')}`)
  })

  it('takes a comma for a part of names where the column has its own separator', async () => {
    const lists = ['A+B', 'C+D', 'E+F', 'G+H', 'I+J', 'Griseofulvin, microcrystalline']
    const rows = [['id', 'name', 'generic_list'], ...lists.map((text, row) => [`${row}`, 'A', text])]
    expect(openQuestions((await open(form, rows)).file)).toEqual([])
    expect(
      openQuestions(
        (
          await open(
            form,
            rows.filter((_, row) => row !== 1),
          )
        ).file,
      ),
    ).toHaveLength(1)
  })

  it.each([
    ['generic_list', 'Paracetamol+Caffeine'],
    ['aliases', 'P500|Para'],
    ['aliases', 'Vitamins & minerals'],
    ['aliases', '1,25-dihydroxy'],
    ['aliases', 'Co-amoxiclav 250/125'],
  ])('asks nothing about %s that is %s', async (field, text) => {
    const { file } = await open(form, [
      ['id', 'name', field],
      ['7', 'A', text],
    ])
    expect(isDecided(file)).toBe(true)
  })

  it.each([
    ['status', ['Active', 'Active', 'Inactive', 'Discontinued'], { active: 'yes', inactive: 'no', discontinued: 'no' }],
    ['Active', ['Active', 'Inactive', 'Active', 'Inactive'], { active: 'yes', inactive: 'no' }],
    ['Registration status', ['R', 'X', 'R', 'R'], { r: 'yes', x: 'no' }],
  ] as const)(
    'asks which values of %s mean that a medication is in use, the rarest first',
    async (header, values, said) => {
      const rows = [['id', 'name', header], ...values.map((value, row) => [`${row + 1}`, `Drug ${row}`, value])]
      const { work, file, again } = await open(form, rows)
      const column = file.csv.fileColumns[2]
      const counts = column?.states?.map(({ count }) => count) ?? []
      expect(counts).toEqual(counts.toSorted((a, b) => a - b))
      expect(column?.states).toHaveLength(Object.keys(said).length)
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
    const { work, file } = await open(form, [
      ['id', 'name', 'Generics', 'Label', 'Generic'],
      ['GY1', 'Panadol', 'Yes', 'Rx', 'No'],
      ['GY2', 'Calpol', 'No', 'OTC', 'Yes'],
    ])
    const doubts = file.csv.fileColumns.map(({ field, doubt, namedField }) => [field?.name, doubt, namedField?.name])
    expect(doubts.slice(2)).toEqual([
      [undefined, 'flags', 'generic_list'],
      [undefined, 'flags', 'display_name'],
      [undefined, 'flags', 'generic_name'],
    ])
    expect(isDecided(file)).toBe(false)
    expect(await sent(work)).toEqual(['id,name', 'GY1,Panadol', 'GY2,Calpol'])
  })

  it('asks about names of which a few repeat in all rows', async () => {
    const rows = Array.from({ length: 12 }, (_, row) => [`${row}`, `Drug ${row}`, row % 2 ? 'Tablets' : 'Liquids'])
    const { file } = await open(form, [['id', 'name', 'generic_name'], ...rows])
    expect(file.csv.fileColumns[2]).toMatchObject({ doubt: 'repeats', field: { name: 'generic_name' } })
    expect(isDecided(file)).toBe(false)
    expect(isDecided((await open(form, [['id', 'name', 'form'], ...rows])).file)).toBe(true)
  })

  it('has the same value in all rows, or that of another column, or an id of its texts, if the person says so', async () => {
    const rows = [
      ['ICD-10', 'Title'],
      ['A00', 'Cholera'],
      ['A01', 'Typhoid'],
    ]
    const { work, file, again } = await open(form, rows, { mapping: new Map([[1, { field: 'name' }]]) })
    expect(isDecided(file)).toBe(false)
    const filled = again({
      mapping: new Map([
        [0, { field: 'sku' }],
        [1, { field: 'name' }],
      ]),
      fills: new Map<string, Fill>([
        ['medication_id', { is: 'column', position: 0 }],
        ['form_name', { is: 'value', text: 'Tablet' }],
      ]),
      hasRightColumns: true,
      isOfType: true,
      isHeaderRight: true,
    })
    expect(isDecided(filled)).toBe(true)
    expect(await sent(work)).toEqual([
      'sku,name,medication_id,form_name',
      'A00,Cholera,A00,Tablet',
      'A01,Typhoid,A01,Tablet',
    ])
    expect(work.check(false).errorCount).toBe(0)
    again({ mapping: new Map([[1, { field: 'name' }]]), fills: new Map([['medication_id', { is: 'texts' }]]) })
    expect((await sent(work)).slice(1)).toEqual(['A00,Cholera,cholera', 'A01,Typhoid,typhoid'])
  })

  it.each([
    [['Proper Name', 'Trade Name', 'sampleType'], 'generic_name'],
    [['INN', 'Proprietary Name', 'x'], 'generic_name'],
    [['Active substance', 'Medicine', 'x'], 'generic_name'],
  ])('with the headers %j has a header row without a question, and guesses', async (header, first) => {
    const { file } = await open(form, [header, ['Ivabradine', 'Procoralan', 'x'], ['Codeine', 'Codipar', 'y']])
    expect(asksHeader(file)).toBe(false)
    expect(file.csv.fileColumns.map(({ field }) => field?.name).slice(0, 2)).toEqual([first, 'name'])
  })

  it('asks nothing of a header row above numbers', async () => {
    const { file } = await open(form, [
      ['Kod', 'Nazwa', 'Cena'],
      ['100', 'Aspiryna', '10.50'],
      ['101', 'Ibuprofen', '7.20'],
    ])
    expect(asksHeader(file)).toBe(false)
  })

  it('reads a column of retired ones as the opposite of in use', async () => {
    const { file } = await open(form, [
      ['uuid', 'name', 'Retired'],
      ['u-1', 'A', 'false'],
    ])
    expect(file.csv.fileColumns.map(({ field, reversed }) => [field?.name, reversed])).toEqual([
      ['medication_id', false],
      ['name', false],
      ['is_active', true],
    ])
  })

  it('is not taken for lab tests because its cells say that they have no value', async () => {
    const rows = [
      ['atc_code', 'atc_name', 'ddd', 'adm_r'],
      ['A01AA', 'Caries agents', 'NA', 'NA'],
      ['A01AA01', 'sodium fluoride', 'NA', 'NA'],
      ['A01AA02', 'olaflur', 'NA', 'NA'],
    ]
    expect((await open(form, rows)).file.better).toBeUndefined()
  })

  it('asks what a ruled line below the header row is', async () => {
    const { file } = await open(form, [HEADER, ['-----', '----', '----'], ['7', 'A', '5 mg']])
    expect(file.csv.totals).toMatchObject([{ row: 2 }])
    expect(asksTotals(file)).toBe(true)
  })

  it('asks nothing about texts that are what they seem', async () => {
    const rows = [
      HEADER,
      ['0001234', 'Marvelon 28', '5/160 mg'],
      ['AB-12', 'May apple', '1,250.5 mg'],
      ['МЕД-ёж', 'Null-Sieben', '10.0'],
      ['1E11', '# 5', '10,0'],
      ['1,000', 'ABC', ''],
      ['E+1', 'DEF', ''],
    ]
    const { file } = await open(form, rows)
    expect(openQuestions(file)).toEqual([])
    expect(isDecided(file)).toBe(true)
  })

  it('with an id in letters that look like Latin ones writes the Latin id if it is the same medication', async () => {
    const { work, again } = await open(form, [HEADER, ['А-1', 'A', ''], ['B-2', 'B', '']])
    again(choosing('0 lookalike', 'stored'))
    expect((await sent(work)).slice(1)).toEqual(['A-1,A', 'B-2,B'])
    again(choosing('0 lookalike', 'shown'))
    expect((await sent(work)).slice(1)).toEqual(['А-1,A', 'B-2,B'])
  })

  it('with ids that differ by case alone names both rows, and leaves one of them out', async () => {
    const { work } = await open(form, [HEADER, ['abc1', 'A', ''], ['2', 'B', ''], ['ABC1', 'A', '5 mg']])
    const similar = work.similarIds([{ index: 3, value: 'ABC1', similar_to: 'abc1' }])
    expect(similar).toEqual([{ index: 3, row: 4, id: 'ABC1', similarTo: 'abc1', otherRow: { index: 1, row: 2 } }])
    expect(work.leaveOutRows([1])).toMatchObject({ errorCount: 0, changes: { leftOut: 1 } })
    expect((await sent(work)).slice(1)).toEqual(['2,B', 'ABC1,A,5 mg'])
    expect(work.similarIds([{ index: 3, value: 'ABC1', similar_to: 'abc1' }])).toMatchObject([{ otherRow: undefined }])
  })

  it('with dates has them in one question, and writes the texts that the person types, or none', async () => {
    const dates = ['01-Feb', '03-Apr', '01-Feb']
    const { work, file, again } = await open(form, [HEADER, ...dates.map((date, row) => [`${row + 1}`, 'A', date])])
    const [question] = openQuestions(file)
    expect(question).toMatchObject({ key: '2 writtenDate', count: 3 })
    expect(question!.texts?.map(({ key, count }) => [key, count])).toEqual([
      ['01-Feb', 2],
      ['03-Apr', 1],
    ])
    const partly = again(choosing('2 writtenDate', new Map([['01-Feb', '1/2 mg']])))
    expect(isDecided(partly)).toBe(false)
    const typed = new Map([
      ['01-Feb', '1/2 mg'],
      ['03-Apr', '3/4 mg'],
    ])
    expect(isDecided(again(choosing('2 writtenDate', typed)))).toBe(true)
    expect((await sent(work)).slice(1)).toEqual(['1,A,1/2 mg', '2,A,3/4 mg', '3,A,1/2 mg'])
    expect(isDecided(again(choosing('2 writtenDate', 'empty')))).toBe(true)
    expect((await sent(work)).slice(1)).toEqual(['1,A', '2,A', '3,A'])
  })

  describe('with blanks in a column that says whether records are in use', () => {
    const mapping = new Map<number, Target>([[2, { field: 'is_active' }]])
    const rows = [
      ['id', 'name', 'in use'],
      ['1', 'A', 'yes'],
      ['2', 'B', ''],
    ]

    it.each([
      ['keep', '2,B'],
      ['yes', '2,B,yes'],
      ['no', '2,B,no'],
    ] as const)('asks, and writes the answer: %s', async (choice, line) => {
      const { work, file, again } = await open(form, rows, { mapping })
      expect(openQuestions(file).map(({ key, doubt }) => [key, doubt])).toEqual([['2 blank', 'blank']])
      again(choosing('2 blank', choice))
      expect((await sent(work))[2]).toBe(line)
    })

    it('means the answer, not the word, if the column says the opposite', async () => {
      const reversed = new Map<number, Target>([[2, { field: 'is_active', reversed: true }]])
      const { work, again } = await open(form, rows, { mapping: reversed })
      again(choosing('2 blank', 'yes'))
      expect((await sent(work)).slice(1)).toEqual(['1,A,no', '2,B,yes'])
    })

    it('asks nothing if the whole column is blank', async () => {
      const blank = rows.map((cells, at) => (at === 0 ? cells : [...cells.slice(0, 2), '']))
      const { file } = await open(form, blank, { mapping })
      expect(openQuestions(file)).toEqual([])
    })
  })

  it('does not bring a record back unasked that is not in use', async () => {
    const { work } = await open(form, [HEADER, ['1', 'A', ''], ['2', 'B', ''], ['3', 'C', '']])
    expect(work.impliedReactivationsIn(['2', '3', '9'])).toEqual(['2', '3'])
    work.leaveInactive(['2', '3'])
    expect(work.impliedReactivationsIn(['2', '3'])).toEqual([])
    expect(await sent(work)).toEqual(['id,name,strength,is_active', '1,A', '2,B,,no', '3,C,,no'])
    work.undo()
    expect((await sent(work))[0]).toBe('id,name,strength')
  })

  const PLAIN = Array.from({ length: 60 }, (_, row) => [`M${row}`, `Name ${row}`, '5 mg', 'Tablet'])
  const WIDE = ['id', 'name', 'strength', 'form']

  it.each([
    ['Count', '400'],
    ['TOTAL QTY:', ''],
    ['End of report', ''],
    ['Printed on 2026-03-05', ''],
    ['Report generated by', 'J. Smith'],
    ['', 'approved by the board'],
  ])('asks about a row at its end that is no record: %j %j', async (first, second) => {
    const { work, file, again } = await open(form, [WIDE, ...PLAIN, [first, second, '', '']])
    expect(asksTotals(file)).toBe(true)
    expect(file.csv.totals.map(({ row }) => row)).toEqual([62])
    const without = again({ totals: 'leave out' })
    expect([without.records, asksTotals(without)]).toEqual([60, false])
    expect((await sent(work)).length).toBe(61)
  })

  it('asks about a header row that is repeated among the records', async () => {
    const repeated = WIDE.map((name) => name.toUpperCase())
    const { work, file, again } = await open(form, [WIDE, ...PLAIN.slice(0, 30), repeated, ...PLAIN.slice(30)])
    expect(file.csv.totals.map(({ row }) => row)).toEqual([32])
    again({ totals: 'leave out' })
    expect((await sent(work)).length).toBe(61)
  })

  it('asks about no last row that is as filled as others, and shows those that are nearly empty', async () => {
    const sparse = ['S1', 'Sparse', '', '']
    const { file } = await open(form, [WIDE, ...PLAIN.slice(0, 30), sparse, ...PLAIN.slice(30)])
    expect(file.csv.totals).toEqual([])
    expect(file.csv.sparseRows.map(({ row, cells }) => [row, cells[0]])).toEqual([[32, 'S1']])
    const many = await open(form, [WIDE, ...PLAIN.slice(0, 30), ...Array.from({ length: 30 }, () => sparse)])
    expect([many.file.csv.totals, many.file.csv.sparseRows]).toEqual([[], []])
  })

  it('joins a number with the unit beside it, once the person has looked', async () => {
    const rows = [
      ['id', 'name', 'Strength', 'Unit'],
      ['1', 'A', '50', 'mcg'],
      ['2', 'B', '5', 'mg'],
      ['3', 'C', '7', ''],
    ]
    const { work, file } = await open(form, rows)
    expect(file.csv.fileColumns[3]).toMatchObject({ by: 'guess', unitOf: 'strength', field: undefined })
    expect(isDecided(file)).toBe(false)
    expect(await sent(work)).toEqual(['id,name,Strength', '1,A,50 mcg', '2,B,5 mg', '3,C,7'])
  })

  it('takes no unit of a header against a column of units', async () => {
    const { work } = await open(form, [
      ['id', 'name', 'Strength (mg)', 'Unit'],
      ['1', 'A', '50', 'mcg'],
    ])
    expect((await sent(work))[1]).toBe('1,A,50 mcg')
  })

  it('whose header row looks like a record asks, and loses none', async () => {
    const rows = [
      ['M1', 'Aspirin', '5 mg'],
      ['M2', 'Ibuprofen', '7 mg'],
    ]
    const mapping = new Map<number, Target>([
      [0, { field: 'medication_id' }],
      [1, { field: 'name' }],
      [2, { field: 'strength' }],
    ])
    const { work, file, again } = await open(form, rows, { headerAt: 0, mapping })
    expect([asksHeader(file), file.csv.rowsAbove.map(({ row }) => row)]).toEqual([true, [1]])
    expect(asksHeader(again({ headerAt: null }))).toBe(false)
    expect((await sent(work)).slice(1)).toEqual(['M1,Aspirin,5 mg', 'M2,Ibuprofen,7 mg'])
    expect(asksHeader(again({ isHeaderRight: true }))).toBe(false)
    // Rows above a chosen header row count too.
    const below = again({ headerAt: 1 })
    expect(below.csv.rowsAbove.map(({ row }) => row)).toEqual([1, 2])
  })

  it('says what was remembered of a column and does not fit', async () => {
    const rows = [
      ['id', 'name', 'State'],
      ['1', 'A', 'red'],
      ['2', 'B', 'blue'],
    ]
    const memory = { '["id","name","state"]': [null, null, { field: 'is_active' }] }
    const { file } = await open(form, rows, { memory })
    expect(file.csv.fileColumns[2]).toMatchObject({ field: undefined, misfit: 'is_active' })
    expect(isDecided(file)).toBe(false)
  })
})

describe('hidden rows', () => {
  /** A workbook whose third row is hidden. */
  function hiddenInWorkbook() {
    const sheet = utils.aoa_to_sheet([
      ['id', 'name'],
      ['1', 'A'],
      ['2', 'B'],
      ['3', 'C'],
    ])
    sheet['!rows'] = [{}, {}, { hidden: true }]
    return new Uint8Array(write(utils.book_new(sheet, 'Stock'), { type: 'array', bookType: 'xlsx' }))
  }

  const PAGE =
    '<table><tr><th>id</th><th>name</th></tr><tr><td>1</td><td>A</td></tr><tr style="display: none"><td>2</td><td>B</td></tr><tr><td>3</td><td>C</td></tr></table>'

  it.each(['xlsx', 'html'] as const)('are asked about, and left out or read: %s', async (form) => {
    const content = form === 'xlsx' ? hiddenInWorkbook() : PAGE
    const { work, file, again } = await openFile(content, `a.${form}`)
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
    expect(openQuestions(file).map(({ key, examples }) => [key, examples[0]?.row])).toEqual([['2 rounded', 2]])
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
  const sheet = (name: string, date: string) => ({
    name,
    rows: [HEADER, ['1', 'A', '5 mg'], ['2', date, '']],
  })
  const content = () => textWorkbook([sheet('2025', 'B 2025-01-05'), sheet('2026', 'B 2026-02-07')])

  it('are a choice, with their first rows and dates', async () => {
    const { file, again } = await openFile(content(), 'a.xlsx')
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
    const table = (name: string) =>
      `<table><tr><td>id</td><td>name</td></tr><tr><td>1</td><td>${name}</td></tr></table>`
    const { file } = await openFile(`<html>${table('A')}${table('B')}</html>`, 'a.html')
    expect(file.equalSheets?.map(({ name }) => name)).toEqual(['Sheet1', 'Sheet2'])
  })
})

describe('a text that is not plainly UTF-8', () => {
  const bytes = (...parts: (string | number[])[]) =>
    Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)))

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
    const content = bytes('id,name\n1,', [...letters], '\n')
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
