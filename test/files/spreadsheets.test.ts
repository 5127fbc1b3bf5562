import { readFileSync } from 'node:fs'
import path from 'node:path'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { cellQuestions } from '#files/cells/cell-questions'
import { readWorkbook } from '#files/workbook/read-workbook'
import { readText } from './files'

describe.each(['formulary.xlsx', 'formulary.ods'])('a workbook from LibreOffice, %s', (name) => {
  const bytes = readFileSync(path.join(import.meta.dirname, '../fixtures/spreadsheets', name))
  const sheets = readWorkbook(new Uint8Array(bytes))
  const sheet = sheets.find(({ name: title }) => title === 'Formulary')
  const file = readText(sheet!.csv)

  it('is read as displayed', () => {
    expect(file).toMatchObject({ titleRows: 2, headerRow: 3, rows: 19 })
    const fields = ['medication_id', 'name', 'strength', 'sku', 'manufacturer', 'otc']
    expect(file.columns.map(({ field }) => field.name)).toEqual(fields)
    const lines = Papa.parse<string[]>(file.text).data
    expect(lines.slice(3, 10).map((cells) => cells.slice(0, 4))).toEqual([
      ['7', 'Aspirin', '0.06', '001234'],
      ['00008', 'Ибупрофен', '3', '01234'],
      ['1.23E+11', 'पैरासिटामोल', '50%'],
      ['0009', '阿司匹林', '5-Oct'],
      ['F-1', 'Naproxen sodium', '0.06'],
      ['F-2', 'Loratadine', '#N/A'],
      ['F-3', 'Cetirizine', '1,250.50'],
    ])
  })

  it('causes questions about cells that differ from their display', () => {
    const asked = cellQuestions(file, sheet!.oddColumns).flatMap(({ field, doubt, cells }) =>
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

  it('excludes its hidden sheet', () => {
    expect(sheets.map(({ name: title }) => title)).toEqual(['Read me', 'Formulary'])
    expect(sheet).toMatchObject({ hiddenRows: [12, 15], hiddenColumns: [4] })
  })
})
