import { Table, type TableProps, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { titleCase } from '../wording'
import { ScrollTable } from './scroll-table'

export interface Column<Item> {
  label: string
  /** Whether the label is for screen readers only. */
  hidesLabel?: boolean
  /** Stands in the head in place of the label. */
  header?: ReactNode
  /** Of a column by which the table can be sorted. */
  direction?: 'ascending' | 'descending' | 'none'
  cell: (item: Item) => ReactNode
  /** Whether it tells the items apart: the header of each row. */
  isRowHeader?: boolean
  /** Of all its cells. */
  className?: string
}

export interface ItemTableProps<Item>
  extends Pick<TableProps, 'striped' | 'stickyHeader' | 'highlightOnHover' | 'horizontalSpacing'> {
  /** What the items are, in the plural, within a sentence: `API keys`. */
  name: string
  items: readonly Item[]
  idOf: (item: Item) => string
  columns: readonly Column<Item>[]
  /** Below this width, in pixels, it scrolls sideways. */
  minWidth: number
  /** Above this height, in pixels, it scrolls. */
  maxHeight?: number
  rowClassOf?: (item: Item) => string | undefined
}

/** A row for each item. */
export const ItemTable = <Item,>({
  name,
  items,
  idOf,
  columns,
  minWidth,
  maxHeight,
  rowClassOf,
  ...look
}: ItemTableProps<Item>) => (
  <ScrollTable label={`Table of ${name}`} minWidth={minWidth} maxHeight={maxHeight}>
    <Table {...look} verticalSpacing="xs" aria-label={titleCase(name)}>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ label, hidesLabel, header, direction, className }) => (
            <Table.Th key={label} scope="col" className={className} aria-sort={direction}>
              {header ?? (hidesLabel ? <VisuallyHidden>{label}</VisuallyHidden> : label)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((item) => (
          <Table.Tr key={idOf(item)} className={rowClassOf?.(item)}>
            {columns.map((column) => (
              <Cell key={column.label} {...column}>
                {column.cell(item)}
              </Cell>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </ScrollTable>
)

function Cell<Item>({ isRowHeader, className = '', children }: Column<Item> & { children: ReactNode }) {
  const classes = `breakable ${className}`
  return isRowHeader ? (
    <Table.Th scope="row" fw={500} className={classes}>
      {children}
    </Table.Th>
  ) : (
    <Table.Td className={classes}>{children}</Table.Td>
  )
}
