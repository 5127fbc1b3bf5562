import { ApiError } from '#shared/errors/errors'
import { type Dialect, SEPARATORS, type Separator } from '#shared/records/csv/dialect'
import type { HeaderNames } from '#shared/records/csv/header'
import { type Cells, splitRows } from '#shared/records/csv/rows'

/** Number of rows to search for the header row, which is preceded by at most a title, a date and an address. */
const ROWS_SEARCHED = 20

/** Fewest known columns of a header row. Fewer may be words of a title. */
const LEAST_COLUMNS = 2

interface HeaderPlace {
  separator: Separator
  /** Number of rows between the first row that is not blank and the header row. */
  titleRows: number
  /** Number of distinct fields that the header row names. */
  fieldCount: number
}

/**
 * The first rows of a file. If they cannot be read with this separator, returns fewer, because the separator is wrong.
 */
export function firstRows(text: string, dialect: Dialect, count: number): Cells[] {
  const rows: Cells[] = []
  try {
    for (const cells of splitRows(text, dialect)) {
      if (rows.push(cells) === count) break
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
  return rows
}

/** Number of distinct fields that a row names. */
const countFields = (cells: readonly string[], names: HeaderNames): number =>
  new Set(cells.flatMap((cell) => names.fieldOf(cell) ?? [])).size

/** Number of cells of the shortest row that is not blank. */
const leastWidth = (rows: readonly Cells[]): number =>
  Math.min(...rows.filter((cells) => cells.some((cell) => cell.trim() !== '')).map(({ length }) => length))

/** The separator that gives the shortest of the first rows the most cells: for a file without a known header. */
function separatorByShape(text: string, dialect: Dialect): Separator {
  const width = (separator: Separator) => leastWidth(firstRows(text, { ...dialect, separator }, ROWS_SEARCHED))
  const others = SEPARATORS.filter((separator) => separator !== dialect.separator)
  return others.reduce((best, other) => (width(other) > width(best) ? other : best), dialect.separator)
}

/**
 * Finds the header row of a file with title rows above it: the row, among the first rows, that names the most fields.
 *
 * @param dialect of the file if its first row is the header row, which is preferred
 */
export function findHeaderRow(text: string, dialect: Dialect, names: HeaderNames): HeaderPlace {
  let best: HeaderPlace = { separator: dialect.separator, titleRows: 0, fieldCount: 0 }
  for (const separator of [dialect.separator, ...SEPARATORS.filter((one) => one !== dialect.separator)]) {
    let titleRows = 0
    for (const cells of firstRows(text, { ...dialect, separator }, ROWS_SEARCHED)) {
      const fieldCount = countFields(cells, names)
      // Without title rows, the service itself detects the separator.
      const counts = titleRows === 0 ? separator === dialect.separator : fieldCount >= LEAST_COLUMNS
      if (counts && fieldCount > best.fieldCount) best = { separator, titleRows, fieldCount }
      titleRows++
    }
  }
  return best.fieldCount > 0 ? best : { ...best, separator: separatorByShape(text, dialect) }
}
