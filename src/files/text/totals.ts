/** A row that adds others up, as it seems. */
export interface TotalsRow {
  /** Place below the header row, from 1. */
  index: number
  /** Number, as a spreadsheet program shows it. */
  row: number
  /** Its first cells that are not blank. */
  cells: readonly string[]
}

/** What becomes of such rows. */
export type TotalsChoice = 'leave out' | 'keep'

/** The word stands alone, or with a number: `Total protein` is a lab test. */
const TOTALS =
  /^(?:(?:grand[\s-]+|sub[\s-]*)?totals?|(?:gesamt|zwischen)?summe|insgesamt|gesamt|somme|totale|total général|totaal|suma|soma|razem|итого|всего|कुल|合計|合计|总计)\s*[:=]?\s*(?:[\d.,\s]+(?:items?|rows?|records?|products?)?)?$/iu

/** Cells in which the word stands. */
const FIRST_CELLS = 2
const SHOWN_CELLS = 4
const SHOWN_CHARACTERS = 60

/** The cells of a row that adds others up, for showing; undefined for any other. */
export function cellsOfTotals(cells: readonly string[]): string[] | undefined {
  const first: string[] = []
  for (const cell of cells) {
    if (cell.trim() !== '') first.push(cell.trim().slice(0, SHOWN_CHARACTERS))
    if (first.length === SHOWN_CELLS) break
  }
  return first.slice(0, FIRST_CELLS).some((cell) => TOTALS.test(cell)) ? first : undefined
}
