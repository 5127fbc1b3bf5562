import { describe, expect, it } from 'vitest'
import { type FileColumn, isDoubtful, type Mapping, type Target } from '#files/columns/file-column'
import type { Reading } from '#files/file-summary'
import { asksColumns } from '#files/file-summary'
import { opened, openFile, readText, sentBy } from './files'

const columnsIn = (text: string, reading = {}) => readText(text, reading).fileColumns

const decided = (columns: readonly FileColumn[]) =>
  Object.fromEntries(columns.map(({ header, field, by }) => [header, by && [field?.name, by]]))

const mapping = (...targets: [number, Target][]): Mapping => new Map(targets)

/** The rows that are sent of a file that is read in some way. */
const sent = async (text: string, reading: Reading): Promise<string> =>
  (await sentBy(await opened(text, 'medication', reading))).join('')

describe('a header that is similar to the name of a field', () => {
  it.each(['Nonactive', 'Strength number'])('causes no guess if it says the opposite or more: %s', (header) => {
    expect(decided(columnsIn(`id,name,${header}\n1,A,x\n`))[header]).toBeUndefined()
  })

  it.each([
    ['Manufaturer', 'manufacturer'],
    ['Strength (mg)', 'strength'],
  ])('causes a guess, and the user has to confirm it: %s', (header, field) => {
    const [column] = columnsIn(`${header},Foo\n1,2\n`)
    expect([column!.field?.name, column!.by, isDoubtful(column!)]).toEqual([field, 'guess', true])
  })
})

describe('a column', () => {
  it('needs a confirmation if it is ignored although it has values', () => {
    const text = 'id,name,Colour,Blank,_errors,updated_at\n1,A,red,,old,2026\n'
    const columns = columnsIn(text, { hidden: [1] })
    expect(columns.filter(isDoubtful).map(({ header }) => header)).toEqual(['name', 'Colour'])
  })

  it('may only have values beyond the first rows', () => {
    const rows = Array.from({ length: 80 }, (_, row) => `${row},A,${row === 70 ? 'late' : ''}`)
    expect(columnsIn(`id,name,Colour\n${rows.join('\n')}\n`).at(-1)).toMatchObject({ filled: 1 })
  })

  it('can be assigned on its own if another column has the same header', async () => {
    const text = 'id,name,name\n1,A,B\n'
    const reading = { mapping: mapping([2, { field: 'generic_name' }]) }
    expect(readText(text).headerErrors).toMatchObject([{ code: 'ambiguous_column', field: 'name' }])
    expect(await sent(text, reading)).toBe('id,name,generic_name\r\n1,A,B\r\n')
  })

  it('is shown if it has no header, and not sent unless it is assigned to a field', async () => {
    const text = 'id,name,\n1,A,5 mg\n'
    expect(columnsIn(text).filter(isDoubtful)).toMatchObject([{ position: 2, header: '' }])
    expect(await sent(text, {})).toBe('id,name\r\n1,A\r\n')
    const reading = { mapping: mapping([2, { field: 'strength' }]) }
    expect(await sent(text, reading)).toBe('id,name,strength\r\n1,A,5 mg\r\n')
  })

  it('that says the opposite is reversed, in any language', async () => {
    const values = ['yes', 'No', 'Ja', 'nein', '✓', '', 'perhaps']
    const text = `id,name,Discontinued\n${values.map((value, row) => `${row},A,${value}`).join('\n')}\n`
    const reading = { mapping: mapping([2, { field: 'is_active', reversed: true }]) }
    const work = await opened(text, 'medication', reading)
    const [content = ''] = await sentBy(work)
    expect(content.split('\r\n').map((line) => line.split(',')[2])).toEqual([
      ...['is_active', 'no', 'yes', 'no', 'yes', 'no', '', 'not “perhaps”'],
      undefined,
    ])
    expect(work.check().groups).toMatchObject([{ field: 'is_active', values: [{ value: 'not “perhaps”' }] }])
    // A downloaded file contains the reversed meaning, and is not reversed again.
    const given = await (await work.errorsFile({ onlyFailing: false })).content.text()
    expect(given.split('\r\n')[0]).toBe('id,name,is_active,_errors')
  })

  it('whose header contains a unit has it appended to bare numbers only', async () => {
    const text = 'id,name,Strength (mg)\n1,A,500\n2,B,"1,250.5"\n3,C,5-10\n4,D,5 g\n5,E,\n'
    const written = 'id,name,strength\r\n1,A,500 mg\r\n2,B,"1,250.5 mg"\r\n3,C,5-10 mg\r\n4,D,5 g\r\n5,E,\r\n'
    expect(await sent(text, {})).toBe(written)
    expect(await sent(text.replace('Strength (mg)', 'Strength in mg'), {})).toBe(written)
    const bare = await sent(text, { mapping: mapping([2, { field: 'strength' }]) })
    expect(bare.split('\r\n')[1]).toBe('1,A,500')
  })
})

describe('a file without a header row', () => {
  it('keeps its first record if the user confirms it, with the row numbers of the spreadsheet', async () => {
    const fields = mapping([0, { field: 'medication_id' }], [1, { field: 'name' }], [2, { field: 'strength' }])
    const text = 'M1;Aspirin;5 mg\nM2;Ibuprofen;7 mg\n'
    const { work, file } = await openFile(text, 'a.csv', { headerAt: null, mapping: fields })
    const header = ['Column A', 'Column B', 'Column C']
    expect(file).toMatchObject({ records: 2, csv: { hasHeader: false, header } })
    expect(await sentBy(work)).toEqual(['medication_id,name,strength\r\nM1,Aspirin,5 mg\r\nM2,Ibuprofen,7 mg\r\n'])
    expect(work.check().errorCount).toBe(0)
    work.edit([{ index: 1, column: 1, text: '' }])
    expect(work.rows([1])).toMatchObject([{ row: 1, cells: ['M1', '', '5 mg'] }])
    const given = await (await work.errorsFile({ onlyFailing: false })).content.text()
    expect(given).toBe('medication_id;name;strength;_errors\r\nM1;;5 mg;name: is required\r\nM2;Ibuprofen;7 mg;\r\n')
  })

  it('uses the header row that the user chooses', async () => {
    const text = 'Our medicines, all of them\nid,name,strength\nKey,Label,Power\nM1,Aspirin,5 mg\n'
    const reading = { headerAt: 2, mapping: mapping([0, { field: 'medication_id' }], [1, { field: 'name' }]) }
    expect(await sent(text, reading)).toBe('medication_id,name,Power\r\nM1,Aspirin,5 mg\r\n')
  })
})

it.each([
  ['id,name,strength\n1,A,5\n', false],
  ['Item Code,Drug name,Label\n1,A,B\n', false],
  ['id,name,Colour\n1,A,red\n', true],
  ['strength,form\n5,Tablet\n', true],
  ['id,code,name\n1,2,A\n', true],
])('a file causes questions about its columns %j: %s', async (text, isAsked) => {
  expect(asksColumns((await openFile(text, 'a.csv')).file)).toBe(isAsked)
})

it('a row of totals is excluded if the user confirms it, even after rows are included again', async () => {
  const text = 'id,name,strength\n1,Total protein,5\n2,B,7\nGrand total: 2,,12\n,,\n,Summe,12\n'
  const { work, file } = await openFile(text, 'a.csv')
  expect(file.csv.totals.map(({ row }) => row)).toEqual([4, 6])
  work.read('medication', { totals: 'leave out' })
  work.takeBackRows()
  expect(work.check().errorCount).toBe(0)
  expect(await sentBy(work)).toEqual(['id,name,strength\r\n1,Total protein,5\r\n2,B,7\r\n'])
  work.read('medication', { totals: 'keep' })
  expect(await sentBy(work)).toEqual([text])
})
