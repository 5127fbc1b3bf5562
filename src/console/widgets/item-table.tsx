import { Paper, Stack, Table, type TableProps, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { titleCase } from '../wording'
import { useNarrow } from './hooks'

export interface Column<Item> {
  label: string
  hidesLabel?: boolean
  header?: ReactNode
  /** How the table is sorted by this column; left out if it cannot be. */
  direction?: 'ascending' | 'descending' | 'none'
  cell: (item: Item) => ReactNode
  /** Whether its cells are the headers of the rows. */
  isRowHeader?: boolean
  className?: string
}

interface ItemTableProps<Item> extends Pick<TableProps, 'stickyHeader' | 'highlightOnHover' | 'verticalSpacing'> {
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

/** A table with a row for each item. If it is too large for the screen, it scrolls by itself, with the keyboard too. */
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
  <Table.ScrollContainer
    minWidth={minWidth}
    {...(maxHeight !== undefined && { mah: maxHeight })}
    scrollAreaProps={{
      offsetScrollbars: 'present',
      viewportProps: { tabIndex: 0, role: 'region', 'aria-label': `Table of ${name}` },
    }}
  >
    <Table verticalSpacing="xs" {...look} aria-label={titleCase(name)}>
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
            {columns.map(({ label, isRowHeader, className = '', cell }) => {
              const Cell = isRowHeader ? Table.Th : Table.Td
              return (
                <Cell key={label} {...(isRowHeader && { scope: 'row', fw: 500 })} className={`breakable ${className}`}>
                  {cell(item)}
                </Cell>
              )
            })}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

interface ItemListProps<Item> extends ItemTableProps<Item> {
  card: (item: Item) => ReactNode
  cardClass?: string
}

/** A table, or cards if there is no room for one. */
export function ItemList<Item>({ card, cardClass, ...table }: ItemListProps<Item>) {
  if (!useNarrow()) {
    return (
      <Paper withBorder>
        <ItemTable {...table} />
      </Paper>
    )
  }
  const { name, items, idOf } = table
  return (
    <Stack component="ul" gap="xs" className="plain-list" aria-label={titleCase(name)}>
      {items.map((item) => (
        <Paper key={idOf(item)} component="li" withBorder p="sm" className={cardClass}>
          {card(item)}
        </Paper>
      ))}
    </Stack>
  )
}
