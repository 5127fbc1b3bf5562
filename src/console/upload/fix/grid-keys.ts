import Papa from 'papaparse'

/** A place in the grid: the row among those that are shown, and the column among those that are shown. */
export interface CellPlace {
  row: number
  column: number
}

/** A cell that is being edited, and the text in it. */
export interface Editing extends CellPlace {
  text: string
}

/** How far a key goes, in rows and columns. */
const PAGE = 10
const MOVES: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-PAGE, 0],
  PageDown: [PAGE, 0],
  Home: [0, Number.NEGATIVE_INFINITY],
  End: [0, Number.POSITIVE_INFINITY],
}

const within = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value))

/** Where a key leads; undefined for one that does not move. */
export function placeAfter(
  key: string,
  { row, column }: CellPlace,
  rows: number,
  columns: number,
): CellPlace | undefined {
  const move = MOVES[key]
  return move && { row: within(row + move[0], rows), column: within(column + move[1], columns) }
}

/** The cells of a text that a spreadsheet program has put on the clipboard. */
export function pastedCells(text: string): string[][] {
  const { data } = Papa.parse<string[]>(text.replace(/\r?\n$/, ''), { delimiter: '\t' })
  return data
}
