import { isInNames } from '#files/cells/joined-items'
import { doubtFinder, type TextDoubt } from '#files/cells/text-doubts'
import { valueKey } from '#files/columns/column-values'
import type { FileColumn } from '#files/columns/file-column'
import { normalizedHeader } from '#shared/records/csv/header'
import type { Cells } from '#shared/records/csv/rows'
import { ERRORS_COLUMN } from '#shared/records/record-type'
import { isRuledLine, repeatsHeader } from '#shared/records/text-faults'
import { isBlank } from '#shared/text/characters'
import { addsUp, firstCells, isFooter, LEFT_OUT, type SuspectRow } from './suspect-rows'

/** A cell whose text is probably not what the user typed. */
interface DoubtfulTextCell {
  /** Position of its row below the header row, from 1. */
  index: number
  shown: string
  probableText: string
  doubt: TextDoubt
  separator?: string
}

/** The facts that are known after all rows of a file were read. */
export interface RowFacts {
  /** Number of rows with data. */
  rows: number
  /** Row number of the last row. */
  lastRow: number
  /** Ambiguous cells of each column that is read, by column position. They stay in the worker. */
  doubts: ReadonlyMap<number, readonly DoubtfulTextCell[]>
  /**
   * Rows that seem to be totals, repeated headers, separator lines or footers, and rows that were marked as excluded
   * when the file was exported with its errors.
   */
  totals: readonly SuspectRow[]
  /** The first rows that are nearly empty, if few rows are. */
  sparseRows: readonly SuspectRow[]
  /** Positions of hidden rows with data. */
  hiddenRows: readonly number[]
  /** Positions of rows that are excluded by a column's value. */
  excludedRows: readonly number[]
}

/** Number of rows at the end of a file that may be footers. */
const LAST_ROWS = 10

/** Most nearly empty rows to show. */
const SPARSE_ROWS = 20

/** Largest share of nearly empty rows that is still unusual. */
const MOST_SPARSE_SHARE = 0.02

/** Fewest columns of a file in which a row can be nearly empty. */
const LEAST_FILLED = 3

interface CountedRow {
  index: number
  /** Number of cells that are not blank. */
  filledCells: number
  first: readonly string[]
  /** Whether it is preceded by blank rows. */
  isApart: boolean
}

/** Counts the filled cells of each row, and keeps rows with few of them. */
class FilledCells {
  /** Number of rows, by their number of filled cells. */
  readonly #rows: number[] = []
  readonly #sparse: CountedRow[] = []
  readonly #last: CountedRow[] = []
  #count = 0

  add(row: CountedRow): void {
    this.#rows[row.filledCells] = (this.#rows[row.filledCells] ?? 0) + 1
    this.#count++
    if (row.filledCells < LEAST_FILLED && this.#sparse.length <= SPARSE_ROWS) this.#sparse.push(row)
    if (this.#last.push(row) > LAST_ROWS) this.#last.shift()
  }

  get #median(): number {
    let rowsSoFar = 0
    return Math.max(
      0,
      this.#rows.findIndex((rows = 0) => {
        rowsSoFar += rows
        return rowsSoFar * 2 >= this.#count
      }),
    )
  }

  /** Whether a row is nearly empty, and hardly any other row is. */
  #isSparse({ filledCells }: CountedRow): boolean {
    const asSparse = this.#rows.slice(0, filledCells + 1).reduce((sum, rows = 0) => sum + rows, 0)
    const isRare = asSparse <= Math.max(1, this.#count * MOST_SPARSE_SHARE)
    return this.#median >= LEAST_FILLED && filledCells * 2 <= this.#median && isRare
  }

  /** The last rows that do not seem to be records. */
  footers(): CountedRow[] {
    const footers: CountedRow[] = []
    for (const row of this.#last.toReversed()) {
      const isApart = row.isApart && row.filledCells < this.#median
      if (!isFooter(row.first) && !this.#isSparse(row) && !isApart) break
      footers.unshift(row)
    }
    // If all rows are footers, there are no records that they could follow.
    return footers.length === this.#count ? [] : footers
  }

  sparseRows(): CountedRow[] {
    return this.#sparse.filter((row) => this.#isSparse(row)).slice(0, SPARSE_ROWS)
  }
}

interface RowsToRead {
  /** The rows below the header row. */
  rows: Iterable<Cells>
  /** Number of the header row. */
  headerRow: number
  columns: readonly FileColumn[]
  idField: string
  /** Positions of hidden rows in the spreadsheet, from 0. */
  hidden: readonly number[]
}

/** Returns a function that tells whether a row is excluded by a value. */
function exclusionOf(columns: readonly FileColumn[]): (cells: Cells) => boolean {
  const explained = columns.flatMap(({ position, field, meanings = {} }) =>
    field !== undefined && Object.values(meanings).includes(null) ? [{ position, meanings }] : [],
  )
  return (cells) => explained.some(({ position, meanings }) => meanings[valueKey(cells[position] ?? '')] === null)
}

/** Reads all rows once. */
export function factsOf({ rows, headerRow, columns, idField, hidden }: RowsToRead): RowFacts {
  const doubters = columns.flatMap(({ position, field }) => {
    const doubter = field && doubtFinder(field, idField)
    const separator = field?.kind === 'list' ? field.separator : undefined
    const doubtfulTexts: DoubtfulTextCell[] = []
    return doubter === undefined ? [] : [{ position, doubter, separator, split: 0, doubtfulTexts }]
  })
  const isExcluded = exclusionOf(columns)
  const errorsAt = columns.findIndex((column) => normalizedHeader(column.header) === ERRORS_COLUMN)
  const excludedRows: number[] = []
  const header = columns.map((column) => column.header)
  const filledCells = new FilledCells()
  const totals: SuspectRow[] = []
  const isHidden = new Set(hidden.map((place) => place + 1 - headerRow))
  const hiddenRows: number[] = []
  let withData = 0
  let index = 0
  let isApart = false
  const suspectRow = ({ index: place, first }: Pick<CountedRow, 'index' | 'first'>): SuspectRow => ({
    index: place,
    row: headerRow + place,
    cells: first,
  })
  for (const cells of rows) {
    index++
    let count = 0
    for (let position = 0; position < cells.length; position++) {
      if (isBlank(cells[position] ?? '')) continue
      count++
    }
    if (count === 0) {
      isApart = withData > 0
      continue
    }
    withData++
    if (isHidden.has(index)) hiddenRows.push(index)
    if (isExcluded(cells)) {
      excludedRows.push(index)
      continue
    }
    for (const column of doubters) {
      const shown = cells[column.position] ?? ''
      const doubtful = column.doubter(shown)
      if (doubtful !== undefined) column.doubtfulTexts.push({ index, shown: shown.trim(), ...doubtful })
      else if (column.separator !== undefined && shown.includes(column.separator)) column.split++
    }
    const first = firstCells(cells)
    const wasLeftOut = cells[errorsAt]?.startsWith(LEFT_OUT) === true
    if (wasLeftOut || addsUp(first) || repeatsHeader(cells, header) || isRuledLine(cells))
      totals.push(suspectRow({ index, first }))
    filledCells.add({ index, filledCells: count, first, isApart })
    isApart = false
  }
  const footers = filledCells.footers().map(suspectRow)
  const totalPlaces = new Set(totals.map((row) => row.index))
  const oddRows = [...totals, ...footers.filter((row) => !totalPlaces.has(row.index))].sort((a, b) => a.index - b.index)
  const oddPlaces = new Set(oddRows.map((row) => row.index))
  const filledPositions = new Set(columns.filter(({ filled }) => filled > 0).map(({ position }) => position))
  const doubts = doubters.map(({ position, split, doubtfulTexts }) => {
    const bySeparator = Map.groupBy(doubtfulTexts, ({ separator = '' }) => separator)
    // A column without any value is ignored, like a missing column. Rows that are not records have their own question.
    const ofRecords = doubtfulTexts.filter(
      ({ doubt, separator = '', index: place }) =>
        (doubt !== 'blank' || !oddPlaces.has(place)) &&
        !isInNames(separator, bySeparator.get(separator)?.length ?? 0, split),
    )
    return [position, filledPositions.has(position) ? ofRecords : []] as const
  })
  const sparseRows = filledCells
    .sparseRows()
    .map(suspectRow)
    .filter((row) => !oddPlaces.has(row.index))
  return {
    rows: withData,
    lastRow: headerRow + index,
    doubts: new Map(doubts),
    totals: oddRows,
    sparseRows,
    hiddenRows,
    excludedRows,
  }
}
