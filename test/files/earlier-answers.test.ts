import { read, utils } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { isDecided, missingFields, openQuestions, type Reading, sparseFields } from '#files/file-summary'
import { FileWork } from '#files/file-work'
import { savedAnswers } from '#files/saved-answers'
import { textWorkbook } from '#files/workbook/text-workbook'
import type { RecordTypeName } from '#shared/records/record-type'
import { rowsSentBy } from './files'

/** The same lines as CSV and as a workbook. */
const KINDS: Readonly<Record<string, (lines: readonly string[]) => Promise<File>>> = {
  CSV: async (lines) => new File([`${lines.join('\n')}\n`], 'list.csv'),
  '.xlsx': async (lines) =>
    new File([textWorkbook([{ name: 'List', rows: lines.map((line) => line.split(',')) }])], 'list.xlsx'),
}

async function open(file: File, type: RecordTypeName, reading: Reading = {}) {
  const work = new FileWork()
  const opening = await work.open(file, type, reading)
  if ('fault' in opening) throw new Error(opening.fault)
  const sheet = opening.sheets?.chosen
  const again = (more: Reading) => work.read(type, { sheet, ...reading, ...more }).file
  return { work, file: opening.file, again }
}

const TESTS = [
  'Uuid,Void/Retire,Fully specified name,Data class,Data type,Extra',
  ...Array.from({ length: 60 }, (_, row) => `t${row},,Test ${row},LabTest,Numeric,`),
  't60,TRUE,Old test,LabTest,Numeric,',
  't61,,Blood count,LabSet,N/A,',
  't62,,Weight,Misc,Numeric,',
]

/** A user's answers about these lab tests. */
const ANSWERS: Reading = {
  mapping: new Map([
    [0, { field: 'lab_test_id' }],
    [1, { field: 'is_active', reversed: true as const }],
    [2, { field: 'name' }],
    [3, { field: 'kind' }],
    [4, { field: 'result_type' }],
  ]),
  meanings: new Map([
    [3, { labtest: 'laboratory', labset: 'panel', misc: null }],
    [4, { numeric: 'numerical', 'n/a': 'na' }],
  ]),
  fills: new Map([
    ['specimen', { is: 'value' as const, text: 'Serum' }],
    ['unit', { is: 'value' as const, text: 'g/dL' }],
    ['panel_members', { is: 'value' as const, text: 'Test 1|Test 2' }],
  ]),
  choices: new Map([['1 blank', 'yes' as const]]),
  hasRightColumns: true,
}

describe.each(Object.entries(KINDS))('a list as %s', (_, fileOf) => {
  it('has examples from all of its rows', async () => {
    const { file } = await open(await fileOf(TESTS), 'lab_test')
    expect(file.csv.fileColumns[1]).toMatchObject({ field: { name: 'is_active' }, reversed: true, by: 'guess' })
    expect(file.csv.fileColumns[1]).toMatchObject({ examples: ['TRUE'], filled: 1 })
    expect(file.csv.fileColumns[5]).toMatchObject({ field: undefined, filled: 0 })
  })

  it('is read as the user explains its values, and fills the values that rows need', async () => {
    const { work, file, again } = await open(await fileOf(TESTS), 'lab_test')
    expect(isDecided(file)).toBe(false)
    const answered = again(ANSWERS)
    expect([isDecided(answered), answered.records, answered.excludedRows]).toEqual([true, 62, 1])
    expect(answered.needed).toEqual([])
    expect(work.check().errorCount).toBe(0)
    const rows = await rowsSentBy(work)
    expect(rows[0]).toBe('lab_test_id,is_active,name,kind,result_type,Extra,specimen,unit,panel_members')
    expect(rows.slice(-2)).toEqual([
      't60,no,Old test,laboratory,numerical,,Serum,g/dL',
      't61,yes,Blood count,panel,na,,,,Test 1|Test 2',
    ])
  })

  it('downloaded with errors and chosen again is read as before', async () => {
    const broken = TESTS.with(2, 't1,,,LabTest,Numeric,')
    const first = await open(await fileOf(broken), 'lab_test')
    const answered = first.again(ANSWERS)
    expect(first.work.check().errorCount).toBe(1)
    const { name, content } = await first.work.errorsFile({ onlyFailing: false })
    const memory = [savedAnswers(answered, first.work.fixes())]
    const second = await open(new File([content], name), 'lab_test', { memory })
    expect([isDecided(second.file), second.file.records]).toEqual([true, 62])
    expect((await rowsSentBy(second.work)).at(-1)).toMatch(/^t61,yes,Blood count,panel,na,/)
    expect(second.work.check().errorCount).toBe(1)
  })

  it('downloaded without excluded rows asks about these rows', async () => {
    const first = await open(await fileOf(TESTS.with(2, 't1,,,LabTest,Numeric,')), 'lab_test')
    first.again(ANSWERS)
    first.work.check()
    first.work.leaveOut({})
    const { name, content } = await first.work.errorsFile({ onlyFailing: false })
    const { work, file, again } = await open(new File([content], name), 'lab_test')
    expect(file.csv.totals).toMatchObject([{ index: 2 }])
    again({ ...ANSWERS, totals: 'leave out' })
    expect(work.check().errorCount).toBe(0)
    const toFix = await first.work.errorsFile({ onlyFailing: true })
    expect((await open(new File([toFix.content], toFix.name), 'lab_test')).file.csv.totals).toEqual([])
  })

  it('is decided by the earlier answers when it is chosen again', async () => {
    const first = await open(await fileOf(TESTS), 'lab_test')
    const memory = [savedAnswers(first.again(ANSWERS))]
    const same = await open(await fileOf(TESTS), 'lab_test', { memory })
    expect([isDecided(same.file), same.file.isAsBefore]).toEqual([true, true])
    expect(await rowsSentBy(same.work)).toEqual(await rowsSentBy(first.work))
    const more = await open(await fileOf([...TESTS, 't63,,Liver,LabPanel,N/A,']), 'lab_test', { memory })
    expect(isDecided(more.file)).toBe(false)
    expect(more.file.csv.fileColumns[3]).toMatchObject({ by: 'memory', meanings: { labset: 'panel' } })
    expect([openQuestions(more.file), more.file.hasRightColumns]).toEqual([[], true])
  })
})

const DRUGS = ['uuid,Name,Strength', ',Aspirin,5 mg', ',Ibuprofen,7 mg', ',Naproxen,9 mg']

it('the answers contain the value for empty cells, and no other replaced value', async () => {
  const { file } = await open(await KINDS.CSV!(['medication_id,name', 'M1,Aspirin']), 'medication')
  const fixes = [
    { field: 'strength', values: new Set(['']), text: '5 mg' },
    { field: 'form_name', values: new Set(['']), text: '' },
    { field: 'otc', values: new Set(['perhaps']), text: 'no' },
  ]
  expect(savedAnswers(file, fixes).fills).toEqual({ strength: { is: 'value', text: '5 mg' } })
})

describe('a column of a required field', () => {
  const open3 = (lines: readonly string[], reading?: Reading) =>
    KINDS.CSV!(lines).then((file) => open(file, 'medication', reading))

  it('without values counts as missing: IDs can be created, and no row has an error', async () => {
    const { work, file, again } = await open3(DRUGS)
    expect(missingFields(file)).toEqual(['medication_id'])
    expect(file.csv.fileColumns[0]).toMatchObject({ field: undefined, emptyField: { name: 'medication_id' } })
    const filled = again({ fills: new Map([['medication_id', { is: 'texts' }]]) })
    expect(missingFields(filled)).toEqual([])
    expect(await rowsSentBy(work)).toContain(',Aspirin,5 mg,aspirin-5-mg')
    expect(work.check().errorCount).toBe(0)
  })

  it('with few values causes a question about the value of the other rows', async () => {
    const { work, file, again } = await open3(DRUGS.with(1, 'u1,Aspirin,5 mg'))
    expect(sparseFields(file)).toEqual(['medication_id'])
    const filled = again({ fills: new Map([['medication_id', { is: 'texts' }]]), hasRightColumns: true })
    expect(isDecided(filled)).toBe(true)
    expect((await rowsSentBy(work)).slice(1)).toEqual([
      'u1,Aspirin,5 mg',
      'ibuprofen-7-mg,Ibuprofen,7 mg',
      'naproxen-9-mg,Naproxen,9 mg',
    ])
    again({ fills: new Map([['medication_id', { is: 'nothing' }]]), hasRightColumns: true })
    expect(work.check()).toMatchObject({ errorCount: 2, groups: [{ code: 'required' }] })
  })
})

describe("a user's answers about a file", () => {
  const openLines = async (lines: readonly string[], reading?: Reading) =>
    open(await KINDS.CSV!(lines), 'medication', reading)

  it('apply to a column of another file with the same header, which causes a question', async () => {
    const first = await openLines(['id,name,Box', '1,A,red'])
    const memory = [
      savedAnswers(first.again({ mapping: new Map([[2, { field: 'custom_type' }]]), hasRightColumns: true })),
    ]
    const { file } = await openLines(['name,Box,Lot,id', 'A,red,7,1'], { memory })
    expect(file.csv.fileColumns[1]).toMatchObject({ by: 'memory', field: { name: 'custom_type' } })
    expect([isDecided(file), file.isAsBefore]).toEqual([false, false])
  })

  it('stay known for a column that could not be read as before', async () => {
    const first = await openLines(['id,name,State', '1,A,yes'])
    const memory = [
      savedAnswers(first.again({ mapping: new Map([[2, { field: 'is_active' }]]), hasRightColumns: true })),
    ]
    const { file } = await openLines(['id,name,State', '1,A,red', '2,B,blue'], { memory })
    expect(file.csv.fileColumns[2]).toMatchObject({ field: undefined, misfit: { because: 'values' } })
    expect(savedAnswers({ ...file, hasRightColumns: true }).targets).toMatchObject({ state: { field: 'is_active' } })
  })

  it('contain the values that were replaced in all rows', async () => {
    const first = await openLines(['id,name,otc', '1,A,perhaps', '2,B,yes'])
    first.work.check()
    first.work.setAll({}, 'otc', 'no')
    const memory = [savedAnswers(first.file, first.work.fixes())]
    const { work } = await openLines(['id,name,otc', '3,C,Perhaps'], { memory })
    expect(await rowsSentBy(work)).toContain('3,C,no')
    first.work.undo()
    expect(first.work.fixes()).toEqual([])
  })
})

it('a file downloaded as a workbook can be read by this page', async () => {
  const { work } = await open(await KINDS['.xlsx']!(DRUGS), 'medication')
  work.check()
  const { content } = await work.errorsFile({ onlyFailing: false })
  const sheet = read(await content.arrayBuffer()).Sheets.List!
  expect(utils.sheet_to_json<string[]>(sheet, { header: 1 })[0]).toContain('_errors')
})
