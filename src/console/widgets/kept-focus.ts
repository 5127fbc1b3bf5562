import { createContext, type FocusEvent, type RefObject, useCallback, useContext, useLayoutEffect, useRef } from 'react'

/** The element to focus if the element that had the focus is gone, such as the last row of a list. */
export const FocusAfterwards = createContext<RefObject<HTMLElement | null> | undefined>(undefined)

const controlsIn = (row: Element | undefined) => [
  ...(row?.querySelectorAll<HTMLElement>('a[href], button, input, select') ?? []),
]

interface Place {
  control: HTMLElement
  row: number
  /** The position of the control among those of its row, from the end: actions come last. */
  fromEnd: number
}

/**
 * Keeps the focus in a list: if the row that has it disappears, the next one takes it, at the control in the same
 * position. Without rows, the element of `FocusAfterwards` takes it.
 *
 * @returns properties for the element whose children are the rows
 */
export function useRowFocus<Rows extends HTMLElement>() {
  const focusAfterwards = useContext(FocusAfterwards)
  const rows = useRef<Rows>(null)
  const place = useRef<Place>(undefined)

  useLayoutEffect(() => {
    if (place.current === undefined || place.current.control.isConnected) return
    const { row, fromEnd } = place.current
    place.current = undefined
    // Something else has taken the focus.
    if (document.activeElement !== document.body) return
    const next = rows.current?.children[Math.min(row, rows.current.children.length - 1)]
    const controls = controlsIn(next)
    const target = controls.at(-fromEnd) ?? controls.at(-1) ?? focusAfterwards?.current
    target?.focus()
  })

  useLayoutEffect(
    () => () => {
      // The list disappears with its last row, which still has the focus.
      if (place.current?.control === document.activeElement) {
        requestAnimationFrame(() => document.activeElement === document.body && focusAfterwards?.current?.focus())
      }
    },
    [focusAfterwards],
  )

  const onFocus = useCallback(({ target }: FocusEvent<HTMLElement>) => {
    const all = [...(rows.current?.children ?? [])]
    const row = all.findIndex((one) => one.contains(target))
    const controls = controlsIn(all[row])
    place.current = { control: target, row, fromEnd: controls.length - controls.indexOf(target) }
  }, [])
  // Removing an element tells React nothing, so this is called only if the user leaves it.
  const onBlur = useCallback(() => {
    place.current = undefined
  }, [])
  return { ref: rows, onFocus, onBlur }
}
