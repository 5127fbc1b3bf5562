import { type ClipboardEvent, useRef, useState } from 'react'
import { type CellPlace, type Editing, pastedCells } from './grid-keys'

/** What the grid does for the cells that are edited. */
interface Grid {
  rows: number
  textAt: (place: CellPlace) => string
  /** Writes texts into cells; one that is beyond the grid is passed over. */
  write: (cells: readonly Editing[]) => void
  scrollTo: (place: CellPlace) => void
  takeFocus: () => void
}

/** The cell that is active, and what is typed into it. */
export function useCellEditing({ rows, textAt, write, scrollTo, takeFocus }: Grid) {
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 })
  const [editing, setEditing] = useState<Editing>()
  // The input loses the focus as it goes: it has been left already then.
  const isOpen = useRef(false)

  const move = (place: CellPlace) => {
    setActive(place)
    scrollTo(place)
  }
  const begin = (place: CellPlace, text = textAt(place)) => {
    if (rows === 0) return
    isOpen.current = true
    setEditing({ ...place, text })
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
    commit: (next: CellPlace) => {
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
      const cells = pastedCells(event.clipboardData.getData('text/plain'))
      write(
        cells.flatMap((line, i) => line.map((text, k) => ({ row: active.row + i, column: active.column + k, text }))),
      )
    },
  }
}

export type CellEditing = ReturnType<typeof useCellEditing>
