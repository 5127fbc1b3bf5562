import { nameWith } from './patterns'
import type { CellEdit, Table } from './table'

/** A row of a file, for display. */
interface NamedRow {
  /** Row number, as spreadsheet programs show it. */
  row: number
  name: string
}

/** Number of rows to list for each value. */
const ROWS_OF_VALUE = 10

/** The first rows with each of some values in a column, by value. */
export function rowsOfValues(table: Table, column: number, values: readonly string[]): Map<string, NamedRow[]> {
  const nameColumn = table.columnOf('name') ?? -1
  const rows = new Map(values.map((value) => [value, [] as NamedRow[]]))
  let index = 0
  for (const cells of table.rows()) {
    const named = index === 0 ? undefined : rows.get((cells[column] ?? '').trim())
    if (named !== undefined && named.length < ROWS_OF_VALUE)
      named.push({ row: index + table.csv.headerRow, name: cells[nameColumn] ?? '' })
    index++
  }
  return rows
}

/** The edits that replace values of a column in all rows. @param texts the new values, by the old ones */
export function replacements(table: Table, column: number, texts: ReadonlyMap<string, string>): CellEdit[] {
  const edits: CellEdit[] = []
  let index = 0
  for (const cells of table.rows()) {
    const text = index === 0 ? undefined : texts.get((cells[column] ?? '').trim())
    if (text !== undefined) edits.push({ index, column, text })
    index++
  }
  return edits
}

/** The names of some rows, extended by the values of another field. @param names name cells of the same rows */
export function namesWith(
  names: readonly CellEdit[],
  cells: readonly CellEdit[],
): { before: string; name: CellEdit; cell: CellEdit }[] {
  const byRow = new Map(names.map((name) => [name.index, name]))
  return cells.flatMap((cell) => {
    const name = byRow.get(cell.index)
    return name === undefined
      ? []
      : [{ before: name.text, name: { ...name, text: nameWith(name.text, cell.text) }, cell }]
  })
}
