import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import type { CellPlace } from './grid-keys'

/** Pixels. */
export const ROW_HEIGHT = 37
export const NUMBER_WIDTH = 72
export const COLUMN_WIDTH = 168

/** The part of the grid that is in sight. @param count rows */
export function useGridView(count: number) {
  const frame = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    // The header row covers the first of them.
    scrollPaddingStart: ROW_HEIGHT,
    scrollMargin: ROW_HEIGHT,
  })
  const items = virtual.getVirtualItems()
  /** Scrolls a cell into sight. */
  const scrollTo = (place: CellPlace) => {
    virtual.scrollToIndex(place.row)
    const left = place.column * COLUMN_WIDTH
    const view = frame.current
    if (view === null) return
    const width = view.clientWidth - NUMBER_WIDTH
    if (left < view.scrollLeft) view.scrollLeft = left
    else if (left + COLUMN_WIDTH > view.scrollLeft + width) view.scrollLeft = left + COLUMN_WIDTH - width
  }
  return {
    frame,
    places: items.map(({ index }) => index),
    /** Heights of the rows that are out of sight. */
    above: (items[0]?.start ?? ROW_HEIGHT) - ROW_HEIGHT,
    below: virtual.getTotalSize() + ROW_HEIGHT - (items.at(-1)?.end ?? 0),
    scrollTo,
  }
}
