/** A row that is probably not a record. */
export interface SuspectRow {
  /** Position below the header row, from 1. */
  index: number
  /** Row number, as spreadsheet programs show it. */
  row: number
  /** Its first cells that are not blank. */
  cells: readonly string[]
}

/** The text for an excluded row in the error column of an exported file. */
export const LEFT_OUT = 'left out'

/** How to handle such rows. */
export type TotalsChoice = 'leave out' | 'keep'

/** Words for a total, alone or with a number. `Total protein` is a lab test. */
const TOTALS = new RegExp(
  [
    String.raw`^(?:(?:grand[\s-]+|sub[\s-]*)?totals?`,
    String.raw`(?:\s+(?:qty|quantity|items?|amount|value|stock|count|records?|rows?|products?|price))?`,
    '|(?:gesamt|zwischen)?summe|insgesamt|gesamt|somme|totale|total général|totaal|suma|soma|razem',
    '|итого|всего|कुल|合計|合计|总计)',
    String.raw`\s*[:=]?\s*(?:[\d.,\s]+(?:items?|rows?|records?|products?)?)?$`,
  ].join(''),
  'iu',
)

/** After a word such as `printed`: `on 2026-03-05`, `by J. Smith`, `: 2026-03-05`. */
const WHEN_OR_BY = String.raw`(?: (?:on|at|by)\b.*|\s*[:=].*)?`

/** A footer after the last record: `Count,400`, `End of report`, `Printed on 2026-03-05`, `Page 1 of 3`. */
const FOOTER = new RegExp(
  [
    String.raw`^(?:(?:count|anzahl|records?|rows?|items?|lines?|entries)\s*[:=]?\s*[\d.,]*`,
    String.raw`(?:number|no\.?|nr\.?) of \p{L}+.*`,
    String.raw`[\d.,]+ (?:records?|rows?|items?|entries|products?)\b.*`,
    String.raw`\W*end(?: of\b.*)?\W*|eof|\W*ende\W*`,
    `(?:report )?(?:printed|generated|exported|created|extracted|prepared|approved|run)${WHEN_OR_BY}`,
    String.raw`page \d+.*`,
    String.raw`(?:source|notes?|legend|remarks?|disclaimer)\s*:.*`,
    String.raw`©.*|\(c\) .*|copyright\b.*|confidential\b.*|[-=_*#.]{3,})$`,
  ].join('|'),
  'iu',
)

/** Number of cells to search for such words. */
const FIRST_CELLS = 2
const SHOWN_CELLS = 4
const SHOWN_CHARACTERS = 60

/** The first cells of a row that are not blank, for display. */
export function firstCells(cells: readonly string[]): string[] {
  const first: string[] = []
  for (const cell of cells) {
    if (cell.trim() !== '') first.push(cell.trim().slice(0, SHOWN_CHARACTERS))
    if (first.length === SHOWN_CELLS) break
  }
  return first
}

/** Whether a row seems to be a total. @param first its first cells */
export const addsUp = (first: readonly string[]): boolean =>
  first.slice(0, FIRST_CELLS).some((cell) => TOTALS.test(cell))

/** Whether a row at the end seems to be a footer. @param first its first cells */
export const isFooter = (first: readonly string[]): boolean =>
  first.slice(0, FIRST_CELLS).some((cell, at) => FOOTER.test(cell) && (at === 0 || !/^[\d.,]+ /.test(cell)))
