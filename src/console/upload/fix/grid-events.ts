import type { KeyboardEvent } from 'react'
import { placeAfter } from './grid-keys'
import type { CellEditing } from './use-cell-editing'

type After = (key: string) => ReturnType<typeof placeAfter>

/** @returns whether the key was used */
function onKeyOutside(cells: CellEditing, key: string, after: After): boolean {
  const place = after(key)
  if (place !== undefined) cells.move(place)
  else if (key === 'Enter' || key === 'F2') cells.begin(cells.active)
  else if (key === 'Delete' || key === 'Backspace') cells.clear()
  else if (key.length === 1) cells.begin(cells.active, key)
  else return false
  return true
}

/** Keys that end what is typed, by the key that leads to the next cell. */
const endOf = (key: string, isBack: boolean): string | undefined => {
  if (key === 'Enter') return 'ArrowDown'
  if (key === 'Tab') return isBack ? 'ArrowLeft' : 'ArrowRight'
  return undefined
}

/** @returns whether the key was used */
function onKeyInside(cells: CellEditing, key: string, isBack: boolean, after: After): boolean {
  if (key === 'Escape') {
    cells.cancel()
    return true
  }
  const next = after(endOf(key, isBack) ?? '')
  if (next !== undefined) cells.commit(next)
  return next !== undefined
}

/** What the keys do in a grid of so many rows and columns. */
export const gridKeys = (cells: CellEditing, rows: number, columns: number) => (event: KeyboardEvent) => {
  const { key, shiftKey, ctrlKey, metaKey, altKey, nativeEvent } = event
  if (ctrlKey || metaKey || altKey || nativeEvent.isComposing) return
  const after: After = (move) => placeAfter(move, cells.active, rows, columns)
  const isUsed =
    cells.editing === undefined ? onKeyOutside(cells, key, after) : onKeyInside(cells, key, shiftKey, after)
  if (isUsed) event.preventDefault()
}
