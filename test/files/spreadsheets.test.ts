import { readFileSync } from 'node:fs'
import path from 'node:path'
import { read } from '@e965/xlsx'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { cellQuestions } from '#files/cells/cell-questions'
import { readCsvFile } from '#files/text/csv-file'
import { markHidden } from '#files/workbook/ods-hidden'
import { readCells } from '#files/workbook/sheet-cells'
import { diagnosis } from '#shared/records/types/finding'
import { medication } from '#shared/records/types/medication'

/** Files of a spreadsheet program; see the README beside them. */
const fixture = (name: string) => readFileSync(path.join(import.meta.dirname, '../fixtures/spreadsheets', name))

const encoder = new TextEncoder()

/** The sheet with the records, as the page reads it. */
function formulary(file: string) {
  const bytes = fixture(file)
  const workbook = read(bytes, { dense: true, cellNF: true, cellStyles: true, cellFormula: false })
  markHidden(workbook, bytes)
  const sheet = workbook.Sheets.Formulary!
  const { rows, oddColumns } = readCells(sheet, workbook)
  const csv = Papa.unparse(rows, { newline: '\r\n' })
  const hiddenRows = (sheet['!rows'] ?? []).flatMap((row, place) => (row?.hidden ? [place + 1] : []))
  const hiddenSheets = workbook.Workbook?.Sheets?.flatMap(({ name, Hidden }) => (Hidden ? [name] : []))
  const hiddenColumns = (sheet['!cols'] ?? []).flatMap((column, place) => (column?.hidden ? [place] : []))
  return {
    csv,
    oddColumns,
    hiddenRows,
    hiddenColumns,
    hiddenSheets,
    file: readCsvFile(encoder.encode(csv), medication),
  }
}

const linesOf = (csv: string): string[][] => Papa.parse<string[]>(csv).data

describe.each(['formulary.xlsx', 'formulary.xls', 'formulary.ods'])('a workbook that LibreOffice wrote, %s', (name) => {
  const { csv, oddColumns, hiddenRows, hiddenColumns, hiddenSheets, file } = formulary(name)
  const questions = cellQuestions(file, oddColumns)

  it('has its header row below a title over merged cells and a blank row', () => {
    expect(file).toMatchObject({ titleRows: 2, headerRow: 3, rows: 19 })
    const fields = ['medication_id', 'name', 'strength', 'sku', 'manufacturer', 'otc']
    expect(file.columns.map(({ field }) => field.name)).toEqual(fields)
  })

  it('is read as it is shown: zeros in front, names in any script, what formulas come to, hidden rows too', () => {
    expect(
      linesOf(csv)
        .slice(3, 10)
        .map((cells) => cells.slice(0, 4)),
    ).toEqual([
      ['7', 'Aspirin', '0.06', '001234'],
      ['00008', 'Ибупрофен', '3', '01234'],
      ['1.23E+11', 'पैरासिटामोल', '50%'],
      ['0009', '阿司匹林', '5-Oct'],
      ['F-1', 'Naproxen sodium', '0.06'],
      ['F-2', 'Loratadine', '#N/A'],
      ['F-3', 'Cetirizine', '1,250.50'],
    ])
  })

  it('asks about what its cells hold: rounded numbers, a percentage, a date and a shortened id', () => {
    const asked = questions.flatMap(({ field, doubt, cells }) =>
      cells.map(({ row, shown, stored }) => `${field} ${doubt} ${row}: ${shown} → ${stored}`),
    )
    expect(asked).toEqual([
      'medication_id shortened 6: 1.23E+11 → 123456789012',
      'strength rounded 4: 0.06 → 0.0625',
      'strength rounded 5: 3 → 2.5',
      'strength rounded 8: 0.06 → 0.0625',
      'strength percent 6: 50% → 0.5',
      'strength date 7: 5-Oct → 2025-10-05',
      'strength failed 9: #N/A → ',
    ])
  })

  it('tells which sheets, rows and columns are hidden', () => {
    const hidden = { hiddenSheets: ['Old'], hiddenRows: [13, 16], hiddenColumns: [4] }
    expect({ hiddenSheets, hiddenRows, hiddenColumns }).toEqual(hidden)
  })
})

describe('a file of text that LibreOffice wrote', () => {
  const WESTERN = ['Müdigkeit „chronisch“; unklar', 'Sjögren’s disease – 5 €']
  const FOREIGN = ['Кашель, сухой', 'सिरदर्द', '頭痛; 発熱']

  it.each([
    ['diagnoses-semicolon-utf-16.csv', 'utf-16le', ';', FOREIGN],
    ['diagnoses-tab-utf-16.csv', 'utf-16le', '\t', FOREIGN],
    ['diagnoses-semicolon-utf-8.csv', 'utf-8', ';', FOREIGN],
    ['diagnoses-semicolon-windows-1252.csv', 'windows-1252', ';', WESTERN],
  ])('is read in its encoding and with its separator, %s', (name, encoding, separator, names) => {
    const file = readCsvFile(fixture(name), diagnosis)
    expect(file).toMatchObject({ encoding, separator, headerRow: 1 })
    expect(file.columns.map(({ field }) => field.name)).toEqual(['diagnosis_id', 'name', 'snomed_id'])
    const read = Papa.parse<string[]>(file.text.slice(file.headerStart), { delimiter: separator }).data
    expect(read.slice(1, 1 + names.length).map(([, text]) => text)).toEqual(names)
  })

  it('has lost what its cells hold: shortened ids, dates and failed formulas are asked about', () => {
    const file = readCsvFile(fixture('formulary-as-shown.csv'), medication)
    expect(file).toMatchObject({ headerRow: 3, titleRows: 2, rows: 19 })
    expect(cellQuestions(file).map(({ field, doubt, count }) => [field, doubt, count])).toEqual([
      ['medication_id', 'lostDigits', 1],
      ['strength', 'writtenDate', 1],
      ['strength', 'failed', 1],
    ])
  })
})
