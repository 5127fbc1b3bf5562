import type { Table } from '#files/fix/table'
import type { RecordType } from '#shared/records/record-type'

/** A row whose id is a number. */
export interface NumericId {
  /** Number of the row, as a spreadsheet program shows it. */
  row: number
  id: string
  name: string
}

const NUMBER = /^[1-9]\d*$/

/** The share of ids that must be numbers: a few may be anything. */
const LEAST_NUMBERS = 0.9

/** Rows that are compared with the catalog. */
const COMPARED = 500

/**
 * Rows of a file whose ids are numbers that may have lost zeros in front, taken at even distances; none if its ids are
 * something else.
 */
export function numericIds(table: Table, { idField }: RecordType): NumericId[] {
  const [idColumn = -1, nameColumn = -1] = [table.columnOf(idField), table.columnOf('name')]
  const all: NumericId[] = []
  let ids = 0
  let index = 0
  for (const cells of table.rows()) {
    const id = (cells[idColumn] ?? '').trim()
    if (index > 0 && id !== '' && !table.leftOut.has(index)) {
      ids++
      const name = (cells[nameColumn] ?? '').trim()
      if (NUMBER.test(id)) all.push({ row: index + table.csv.headerRow, id, name })
    }
    index++
  }
  if (all.length < ids * LEAST_NUMBERS) return []
  const step = Math.max(1, Math.ceil(all.length / COMPARED))
  return all.filter((_, at) => at % step === 0)
}
