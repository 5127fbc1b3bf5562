import { nameWith } from './patterns'
import type { CellEdit, Table } from './table'

/** A row of a file, as it is shown. */
interface NamedRow {
  /** Number, as a spreadsheet program shows it. */
  row: number
  name: string
}

/** Rows that are named for each value. */
const ROWS_OF_VALUE = 10

/** The first rows in which a column has one of some values, by the value. */
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

/** What replaces values of a column in all rows. @param texts the new ones, by those that they replace */
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

/** The names of some rows, with the values of another field in them. @param names cells of these rows, as the others */
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
