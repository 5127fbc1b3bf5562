import Papa from 'papaparse'
import type { CsvFile } from '#import/text/csv-file'
import type { OddCell, OddColumn } from '#import/workbook/sheet-cells'
import { splitRows } from '#records/csv/rows'
import { LINE_END } from '#records/csv/write'

/** What is written of cells that hold something else than they show. */
export type CellChoice = 'shown' | 'held'

/** The choices for a sheet, by the position of the column. */
export type CellChoices = ReadonlyMap<number, CellChoice>

/** A column for which a person has to choose. */
export interface CellQuestion {
  position: number
  /** Name of the field that the column becomes. */
  field: string
  cells: readonly OddCell[]
}

/** The columns to ask about: those that become a field, and of them the rows below the header row. */
export function cellQuestions(odd: readonly OddColumn[], { columns, headerRow }: CsvFile): CellQuestion[] {
  return columns.flatMap(({ position, field }) => {
    const cells = odd
      .find((column) => column.position === position)
      ?.cells.filter(({ row }) => row >= headerRow)
    return cells === undefined || cells.length === 0 ? [] : [{ position, field: field.name, cells }]
  })
}

/**
 * A sheet with what was chosen in place of what it shows.
 *
 * @param csv the sheet as it is shown, a line for each of its rows
 */
export function withChoices(csv: string, questions: readonly CellQuestion[], choices: CellChoices): string {
  const held = new Map<number, { position: number; text: string }[]>()
  for (const { position, cells } of questions) {
    if (choices.get(position) !== 'held') continue
    for (const { row, held: text } of cells) held.set(row, [...(held.get(row) ?? []), { position, text }])
  }
  if (held.size === 0) return csv
  const rows = [...splitRows(csv, { separator: ',', headerStart: 0 })]
  for (const [row, cells] of rows.entries()) {
    for (const { position, text } of held.get(row) ?? []) cells[position] = text
  }
  return Papa.unparse(rows, { newline: LINE_END })
}
