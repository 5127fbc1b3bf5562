import type { Cells } from '#shared/records/csv/rows'
import { isBlank } from '#shared/text/blank'
import { cellsOfTotals, type TotalsRow } from './totals'

/** Cells of one kind, which a spreadsheet program has left behind. */
export interface OddCells {
  count: number
  first: { text: string; header: string; row: number }
}

/** What all rows of a file together tell. */
export interface RowFacts {
  /** Rows with data. */
  rows: number
  /** Number of the last row. */
  lastRow: number
  /** Whether a column has values, by its position. */
  filled: readonly boolean[]
  /** Cells in which a spreadsheet program has shortened a long number, such as `1.23457E+11`. */
  shortened: OddCells | undefined
  /** Cells in which it shows that a formula failed, such as `#N/A`. */
  formulaErrors: OddCells | undefined
  /** Rows that add others up, as it seems. */
  totals: readonly TotalsRow[]
}

const SHORTENED_NUMBER = /^\s*-?\d(?:[.,]\d+)?E\+\d+\s*$/

/** ECMA-376, part 1, 18.17.3, and what later versions have added. */
const FORMULA_ERROR = /^\s*#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!)\s*$/

/** Most cells do, and are nothing that a spreadsheet program has left behind. */
function beginsWithLetter(cell: string): boolean {
  const first = cell.charCodeAt(0)
  return (first >= 0x41 && first <= 0x5a) || (first >= 0x61 && first <= 0x7a)
}

/** @param rows those below the header row, whose number is `headerRow` */
export function factsOf(rows: Iterable<Cells>, header: readonly string[], headerRow: number): RowFacts {
  let withData = 0
  let index = 0
  const filled: boolean[] = []
  const totals: TotalsRow[] = []
  const odd: Pick<RowFacts, 'shortened' | 'formulaErrors'> = {
    shortened: undefined,
    formulaErrors: undefined,
  }
  const note = (kind: keyof typeof odd, cell: string, position: number) => {
    odd[kind] ??= {
      count: 0,
      first: { text: cell.trim(), header: header[position] ?? '', row: headerRow + index },
    }
    odd[kind].count++
  }
  for (const cells of rows) {
    index++
    if (cells.every(isBlank)) continue
    withData++
    for (let position = 0; position < cells.length; position++) {
      const cell = cells[position] ?? ''
      if (!filled[position] && !isBlank(cell)) filled[position] = true
      if (beginsWithLetter(cell)) continue
      if (SHORTENED_NUMBER.test(cell)) note('shortened', cell, position)
      else if (FORMULA_ERROR.test(cell)) note('formulaErrors', cell, position)
    }
    const shown = cellsOfTotals(cells)
    if (shown !== undefined) totals.push({ index, row: headerRow + index, cells: shown })
  }
  return { rows: withData, lastRow: headerRow + index, filled, ...odd, totals }
}
