import { describe, expect, it } from 'vitest'
import { catalogOfIds, contentFit } from '#files/columns/catalog-fit'
import type { Target } from '#files/columns/file-column'
import { knownState } from '#files/columns/states'
import { headerParts, withUnit } from '#files/columns/units'
import { Table } from '#files/fix/table'
import { partsOf } from '#files/parts'
import type { CsvFile } from '#files/text/csv-file'
import type { RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { medication } from '#shared/records/types/medication'
import { readText } from './files'

describe('reading a file in the page', () => {
  it('finds the columns and the rows with data', () => {
    const csv = readText('Code,Colour,Drug Name,_errors\n1,red,Aspirin,\n,,,\n2,blue,Ibuprofen,old\n')
    expect(csv).toMatchObject({ encoding: 'utf-8', separator: ',', ignoredColumns: ['Colour'], rows: 2 })
    expect(csv.columns.map(({ position, field }) => `${position} ${field.name}`)).toEqual(['0 medication_id', '2 name'])
  })

  it.each([
    ['id;name\n1;A\n', 1, false],
    ['sep=;\nid;name\n1;A\n', 1, true],
    ['\rid;name\r1;A\r', 2, false],
  ])('numbers the header row as a spreadsheet program does: %j', (text, headerRow, declaresSeparator) => {
    expect(readText(text)).toMatchObject({ headerRow, declaresSeparator, separator: ';', rows: 1 })
  })

  it("shows the row of an error with the spreadsheet's number", () => {
    expect(() => readText('\nid,name\n1,A\n2,"never closed')).toThrow('A quote that opens in row 4 never closes')
  })
})

const sent = (csv: CsvFile) => {
  const bytes = new TextEncoder().encode(csv.text)
  const [part] = partsOf(new Table(csv), bytes)
  return part!.content.text()
}

describe('a file with title rows above its header row', () => {
  const csv = readText('Price list;;\n"As of\nNovember";;\n;;\nid;name;strength\n1;A;5 mg\n')

  it('is read from the row that names the most fields, with the row numbers of the spreadsheet', () => {
    expect(csv).toMatchObject({ titleRows: 3, headerRow: 4, header: ['id', 'name', 'strength'], rows: 1 })
  })

  it.each([
    [19, 19],
    [20, 0],
  ])('has the header row among its first 20 rows: with %i title rows it is found below %i', (titles, found) => {
    const text = `${Array.from({ length: titles }, (_, i) => `Line ${i}`).join('\n')}\nid,name,strength\n1,A,5 mg\n`
    expect(readText(text).titleRows).toBe(found)
  })

  it('is sent without them', async () => {
    expect(await sent(csv)).toBe('id,name,strength\r\n1,A,5 mg\r\n')
  })
})

it('a column is read as the field that the user chooses, or ignored', async () => {
  const mapping = new Map<number, Target>([
    [3, { field: 'strength' }],
    [2, { field: null }],
    [4, { field: 'custom_type' }],
  ])
  const chosen = readText('id,name,strenght,Dose,Colour\n1,A,5 mg,x,red\n2,B,5 mg,,blue\n', { mapping })
  expect(chosen.fileColumns.slice(2)).toMatchObject([
    { field: undefined, by: 'person' },
    { field: { name: 'strength' }, by: 'person' },
    { field: { name: 'custom_type' }, by: 'person' },
  ])
  expect(await sent(chosen)).toBe('id,name,strength,custom_type\r\n1,A,x,red\r\n2,B,,blue\r\n')
})

it("a file in the service's format is sent unchanged", async () => {
  const text = '\nid,name,Colour,_errors\n1,A,red,\n'
  expect(await sent(readText(text))).toBe(text)
})

describe('a header row', () => {
  it.each([
    ['medication', 'symptom_id,name,icd10', 'symptom'],
    ['symptom', 'id,test_name,kind,unit', 'lab_test'],
    ['symptom', 'diagnosis_id,name', 'diagnosis'],
    ['medication', 'id,name', undefined],
    ['symptom', 'id,name,icd10,snomed', undefined],
  ] as const)('chosen as %s, %s is %s', (chosen, header, better) => {
    expect(contentFit(header.split(','), [], recordTypes[chosen]).better?.type).toBe(better)
  })
})

describe('the values of a file', () => {
  /** Four rows with IDs, names, and the values of one more column. */
  const rowsWith = (values: readonly string[]) =>
    ['a', 'b', 'c', 'd'].map((name, row) => [`${row}`, name, values[row]!])

  it.each([
    ['symptom', ['5 mg', '10mg', '250 MCG', ''], 'medication'],
    ['lab_test', ['Tablet', 'Capsules', 'INJECTION', 'Tab'], 'medication'],
    ['symptom', ['Amoxicillin 250 mg', 'Ibuprofen 200mg caps', 'Paracetamol 5 ml', 'Zinc'], 'medication'],
    ['medication', ['718-7', '4544-3', '2345-7', ''], 'lab_test'],
    ['medication', ['Laboratory', 'special test', 'panel', 'x'], 'lab_test'],
    ['medication', ['R51', 'R10.4', 'R05', 'G43.9'], 'symptom'],
    ['lab_test', ['E11.9', 'I10', 'J45', 'R51'], 'diagnosis'],
    // Too few, or too mixed.
    ['symptom', ['5 mg', '10mg', '', ''], undefined],
    // Symptoms can also have disease codes.
    ['symptom', ['E11.9', 'I10', 'J45', 'R51'], undefined],
  ] as const)('chosen as %s, %j are of %s', (chosen, values, better) => {
    expect(contentFit(['id', 'name', 'x'], rowsWith(values), recordTypes[chosen]).better?.type).toBe(better)
  })

  it('and its headers need no question if both belong to the chosen catalog', () => {
    const header = ['id', 'drug_name', 'strength']
    const rows = rowsWith(['5 mg', '1 g', '2 g', '3 g'])
    expect(contentFit(header, rows, medication)).toEqual({ better: undefined, isClear: true })
    const without = rows.map((cells) => cells.slice(0, 2))
    expect(contentFit(['id', 'name'], without, medication).isClear).toBe(false)
  })
})

describe('the IDs of a file', () => {
  const known = (...counts: [RecordTypeName, number][]) => catalogOfIds(new Map(counts), 20, 'medication')

  it('show the right catalog if it contains them and the chosen one does not', () => {
    expect(known(['medication', 0], ['symptom', 18], ['lab_test', 1])).toEqual({ type: 'symptom', by: 'ids' })
    expect(known(['medication', 12], ['symptom', 14])).toBeUndefined()
    expect(known(['medication', 0], ['symptom', 9])).toBeUndefined()
    expect(catalogOfIds(new Map(), 0, 'medication')).toBeUndefined()
  })
})

it.each([
  ['Strength (mg)', 'Strength', 'mg'],
  ['Strength (%)', 'Strength', '%'],
  ['strength_%', 'strength', '%'],
  ['Strength (of a tablet)', 'Strength', undefined],
])('the header %s has a base and a unit', (header, base, unit) => {
  expect(headerParts(header)).toEqual({ base, unit })
})

it('a unit is appended to bare numbers only, and a percent sign without a space', () => {
  expect(['5', '250/125', '5-10'].map((text) => withUnit(text, 'mg'))).toEqual(['5 mg', '250/125 mg', '5-10 mg'])
  expect(withUnit('0.9', '%')).toBe('0.9%')
  expect(withUnit('5 mg', 'mg')).toBe('5 mg')
})

it.each([
  ['Ja', 'yes'],
  ['NEIN', 'no'],
  ['✓', 'yes'],
  ['Withdrawn', 'no'],
  // The word means yes in one language and no in another.
  ['ne', 'no'],
  ['perhaps', undefined],
])('the meaning of %s is known: %s', (text, meaning) => expect(knownState(text)).toBe(meaning))
