import Papa from 'papaparse'
import type { CsvFile } from '#files/text/csv-file'
import type { OddCell, OddColumn } from '#files/workbook/sheet-cells'
import { splitRows } from '#shared/records/csv/rows'
import { LINE_END } from '#shared/records/csv/write'
import type { Difference } from './held-value'

/**
 * What is written of cells that hold something else than they show: the one or the other, nothing, or texts that the
 * person has typed, by `typedKey`.
 */
export type CellChoice = 'shown' | 'held' | 'empty' | ReadonlyMap<string, string>

/** The choices for a sheet, by the key of the question. */
export type CellChoices = ReadonlyMap<string, CellChoice>

/** Cells of one column, different in one way, for which a person has to choose. */
export interface CellQuestion {
  key: string
  position: number
  /** Name of the field that the column becomes. */
  field: string
  difference: Difference
  cells: readonly OddCell[]
}

/** What tells which cells get the same text: those that hold the same; an empty formula holds nothing. */
export const typedKey = ({ row, held }: OddCell): string => (held === '' ? `row ${row + 1}` : held)

/** Whether every cell has what is to be written of it. */
export function isAnswered({ key, cells }: CellQuestion, choices: CellChoices): boolean {
  const choice = choices.get(key)
  if (choice === undefined) return false
  return typeof choice === 'string' || cells.every((cell) => choice.has(typedKey(cell)))
}

/**
 * What to ask: of each column that becomes a field, a question for each way in which cells differ, of the rows below
 * the header row.
 */
export function cellQuestions(odd: readonly OddColumn[], { columns, headerRow }: CsvFile): CellQuestion[] {
  return columns.flatMap(({ position, field }) => {
    const cells = odd.find((column) => column.position === position)?.cells ?? []
    const below = cells.filter(({ row }) => row >= headerRow)
    return [...Map.groupBy(below, ({ difference }) => difference)].map(([difference, found]) => ({
      key: `${position} ${difference}`,
      position,
      field: field.name,
      difference,
      cells: found,
    }))
  })
}

/** What is written of a cell; undefined if it stays as it is shown. */
function chosenText(cell: OddCell, choice: CellChoice, column: (row: number) => string): string | undefined {
  if (choice === 'shown') return undefined
  if (choice === 'empty') return ''
  if (choice !== 'held') return choice.get(typedKey(cell))
  return cell.from === undefined ? cell.held : column(cell.from)
}

/**
 * A sheet with what was chosen in place of what it shows.
 *
 * @param csv the sheet as it is shown, a line for each of its rows
 */
export function withChoices(csv: string, questions: readonly CellQuestion[], choices: CellChoices): string {
  const isMerged = ({ difference }: CellQuestion) => difference === 'merged'
  // Merged cells last: they get what is written of the cell that they are part of.
  const ordered = [...questions.filter((one) => !isMerged(one)), ...questions.filter(isMerged)]
  const decided = ordered.filter(({ key }) => (choices.get(key) ?? 'shown') !== 'shown')
  if (decided.length === 0) return csv
  const rows: string[][] = [...splitRows(csv, { separator: ',', headerStart: 0 })]
  for (const { key, position, cells } of decided) {
    for (const cell of cells) {
      const text = chosenText(cell, choices.get(key) ?? 'shown', (row) => rows[row]?.[position] ?? '')
      const written = rows[cell.row]
      if (text === undefined || written === undefined) continue
      while (written.length < position) written.push('')
      written[position] = text
    }
  }
  return Papa.unparse(rows, { newline: LINE_END })
}
