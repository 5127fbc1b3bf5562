import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

interface ScrollTableProps {
  /** What the table holds. */
  label: string
  /** Below this width, in pixels, it scrolls sideways. */
  minWidth: number
  /** Above this height, in pixels, it scrolls, below its header row. */
  maxHeight?: number | undefined
  /** A table. */
  children: ReactNode
}

/** A table that scrolls in its own place where the screen is too small for it, by touch and with the keyboard. */
export const ScrollTable = ({ label, minWidth, maxHeight, children }: ScrollTableProps) => (
  <Table.ScrollContainer
    minWidth={minWidth}
    {...(maxHeight === undefined ? {} : { mah: maxHeight })}
    scrollAreaProps={{
      offsetScrollbars: 'present',
      viewportProps: { tabIndex: 0, role: 'region', 'aria-label': label },
    }}
  >
    {children}
  </Table.ScrollContainer>
)
