import type { Table } from '#files/fix/table'
import type { RecordType } from '#shared/records/record-type'

/** A row whose ID is a number. */
export interface NumericId {
  /** Row number, as spreadsheet programs show it. */
  row: number
  id: string
  name: string
}

const NUMBER = /^[1-9]\d*$/

/** The share of IDs that must be numbers. The others may be anything. */
const LEAST_NUMBERS = 0.9

/** Number of rows to compare with the catalog. */
const COMPARED = 500

/**
 * A sample of evenly spaced rows whose IDs are numbers that may have lost leading zeros; none if most IDs are not
 * numbers.
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
