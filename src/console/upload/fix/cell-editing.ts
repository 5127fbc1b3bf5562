import Papa from 'papaparse'
import { type ClipboardEvent, useRef, useState } from 'react'

/** A position in the grid: the row among those that are shown, and the column among those that are shown. */
export interface CellPosition {
  row: number
  column: number
}

/** A cell that is being edited, and the text in it. */
export interface Editing extends CellPosition {
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
export function positionAfter(
  key: string,
  { row, column }: CellPosition,
  rows: number,
  columns: number,
): CellPosition | undefined {
  const move = MOVES[key]
  return move && { row: within(row + move[0], rows), column: within(column + move[1], columns) }
}

/** The cells of a text that a spreadsheet program has put on the clipboard. */
function pastedCells(text: string): string[][] {
  const { data } = Papa.parse<string[]>(text.replace(/\r?\n$/, ''), { delimiter: '\t' })
  return data
}

/** Cells of a text, each at its place, if the first one goes into the active cell. */
export const placedCells = ({ row, column }: CellPosition, text: string): Editing[] =>
  pastedCells(text).flatMap((line, below) =>
    line.map((cell, behind) => ({ row: row + below, column: column + behind, text: cell })),
  )

/** What the grid does for the cells that are edited. */
interface Grid {
  rows: number
  textAt: (position: CellPosition) => string
  /** Writes texts into cells; one that is beyond the grid is passed over. */
  write: (cells: readonly Editing[]) => void
  scrollTo: (position: CellPosition) => void
  takeFocus: () => void
}

/** The cell that is active, and what is typed into it. */
export function useCellEditing({ rows, textAt, write, scrollTo, takeFocus }: Grid) {
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 })
  const [editing, setEditing] = useState<Editing>()
  // The input loses the focus as it goes: it has been left already then.
  const isOpen = useRef(false)

  const move = (position: CellPosition) => {
    setActive(position)
    scrollTo(position)
  }
  const begin = (position: CellPosition, text = textAt(position)) => {
    if (rows === 0) return
    isOpen.current = true
    setEditing({ ...position, text })
  }
  const leave = (takes: boolean) => {
    if (!isOpen.current || editing === undefined) return
    isOpen.current = false
    if (takes && editing.text !== textAt(editing)) write([editing])
    setEditing(undefined)
  }
  return {
    active,
    editing,
    move,
    begin,
    leave,
    /** Takes what was typed, and goes to another cell. */
    commit: (next: CellPosition) => {
      leave(true)
      move(next)
      takeFocus()
    },
    /** Gives up what was typed. */
    cancel: () => {
      leave(false)
      takeFocus()
    },
    clear: () => write([{ ...active, text: '' }]),
    type: (text: string) => editing && setEditing({ ...editing, text }),
    paste: (event: ClipboardEvent) => {
      if (editing !== undefined) return
      event.preventDefault()
      write(placedCells(active, event.clipboardData.getData('text/plain')))
    },
  }
}

export type CellEditing = ReturnType<typeof useCellEditing>
