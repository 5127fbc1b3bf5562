import type { Range } from '@e965/xlsx'
import type { OddCell } from './workbook-sheet'

/** An empty cell that is part of a merged cell over several rows. The first of these rows has the value. */
interface MergedCell {
  position: number
  cell: OddCell
}

/** Whether a row has any other value than the merged cell. */
const hasOthers = (cells: readonly string[] | undefined, position: number): boolean =>
  cells?.some((text, at) => at !== position && text.trim() !== '') === true

/**
 * The cells below the first cell of each merged cell, in rows with data.
 *
 * @param rows the sheet as it is shown
 */
export function* mergedCells(merges: readonly Range[], rows: readonly string[][]): Generator<MergedCell> {
  for (const { s: first, e: last } of merges) {
    const stored = rows[first.r]?.[first.c] ?? ''
    if (stored.trim() === '') continue
    for (let row = first.r + 1; row <= Math.min(last.r, rows.length - 1); row++) {
      if (!hasOthers(rows[row], first.c)) continue
      yield {
        position: first.c,
        cell: { row, shown: '', stored, doubt: 'merged', from: first.r },
      }
    }
  }
}
