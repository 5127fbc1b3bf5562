import { read, utils, type WorkSheet, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { type CellChoice, cellQuestions, writtenCells } from '#files/cells/cell-questions'
import { storedDoubt } from '#files/cells/stored-doubts'
import { Table } from '#files/fix/table'
import { readCsvFile } from '#files/text/csv-file'
import { readCells } from '#files/workbook/sheet-cells'
import { medication } from '#shared/records/types/medication'

describe('a cell', () => {
  const cell = (v: number, w: string) => storedDoubt({ t: 'n', v, w }, undefined)

  it.each([
    [0.0625, '0.06', '0.0625', 'rounded'],
    [2.5, '3', '2.5', 'rounded'],
    [0.5, ' 1/2', '0.5', 'rounded'],
    [0.5, '50%', '0.5', 'percent'],
    [0.009, '0.90%', '0.009', 'percent'],
    [123456789012, '1.23457E+11', '123456789012', 'shortened'],
    [100000, '1E+05', '100000', 'shortened'],
    [1e21, '1E+21', '1000000000000000000000', 'shortened'],
    [-5, '(5)', '-5', 'rounded'],
  ])('that holds %j and shows %j differs in meaning', (v, w, stored, doubt) => {
    expect(cell(v, w)).toEqual({ stored, doubt })
  })

  it.each([
    [5, '5'],
    [7, '00007'],
    [2.5, '2.50'],
    [1250.5, '1,250.50 mg'],
    [1234567, '1 234 567'],
    [0.1 + 0.2, '0.3'],
    [1e-7, '0.0000001'],
    [-5, '-5'],
  ])('that holds %j and shows %j does not', (v, w) => {
    expect(cell(v, w)).toBeUndefined()
  })

  it('that is a text shows what it holds', () => {
    expect(storedDoubt({ t: 's', v: '5-10', w: '5-10' }, undefined)).toBeUndefined()
  })
})

/** A sheet as a workbook file holds it. */
function sheetOf(rows: unknown[][], formats: Record<string, string>) {
  const sheet = utils.aoa_to_sheet(rows)
  for (const [address, format] of Object.entries(formats)) sheet[address].z = format
  const bytes = write(utils.book_new(sheet, 'S'), { type: 'buffer', bookType: 'xlsx' })
  const workbook = read(bytes, { dense: true, cellNF: true })
  return { sheet: workbook.Sheets.S as WorkSheet, workbook }
}

const ROWS = [
  ['Price list'],
  [],
  ['Id', 'Name', 'Strength', 'Price'],
  ['1', 'A', 0.0625, 1.005],
  ['2', 'B', '5 mg', 2],
  ['3', 'C, "D"', 45935, 3],
  ['4', 'E', 0.25, 4],
]

describe('a sheet', () => {
  const { sheet, workbook } = sheetOf(ROWS, { C4: '0.00', C6: 'd-mmm', C7: '0.00', D4: '0.0' })
  const { rows, oddColumns } = readCells(sheet, workbook)
  const lines = rows.slice(2)
  const csv = lines.map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')).join('\r\n')
  const file = readCsvFile(new TextEncoder().encode(csv), medication)
  // As if the title rows were not there.
  const below = oddColumns.map((column) => ({
    ...column,
    cells: column.cells.map((cell) => ({ ...cell, row: cell.row - 2 })),
  }))
  const questions = cellQuestions(file, below)
  const rowsWith = (choice: CellChoice) => {
    const choices = new Map(questions.map(({ key }) => [key, choice]))
    return [...new Table(file, [], writtenCells(questions, choices, file)).rows()].slice(1)
  }

  it('names the cells of each column that hold something else, dates among them', () => {
    expect(oddColumns).toEqual([
      {
        position: 2,
        cells: [
          { row: 3, shown: '0.06', stored: '0.0625', doubt: 'rounded' },
          { row: 5, shown: '5-Oct', stored: '2025-10-05', doubt: 'date' },
        ],
      },
      { position: 3, cells: [{ row: 3, shown: '1.0', stored: '1.005', doubt: 'rounded' }] },
    ])
  })

  it('asks about columns that become a field only', () => {
    expect(questions.map(({ key, field, count }) => [key, field, count])).toEqual([
      ['2 rounded', 'strength', 1],
      ['2 date', 'strength', 1],
    ])
  })

  it('is written as it is shown, or with what its cells hold, and otherwise unchanged', () => {
    expect(rowsWith('shown')).toEqual([
      ['1', 'A', '0.06', '1.0'],
      ['2', 'B', '5 mg', '2'],
      ['3', 'C, "D"', '5-Oct', '3'],
      ['4', 'E', '0.25', '4'],
    ])
    expect(rowsWith('stored').map(([, , strength]) => strength)).toEqual(['0.0625', '5 mg', '2025-10-05', '0.25'])
  })

  it('is written with the text that a person types for what a cell holds', () => {
    const typed = new Map([['2025-10-05', '5-10']])
    expect(rowsWith(typed).map(([, , strength]) => strength)).toEqual(['0.06', '5 mg', '5-10', '0.25'])
  })
})
