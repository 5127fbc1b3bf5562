import { Box, Paper, Stack, Table, type TableProps, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { titleCase } from '../wording'
import { useNarrow } from './hooks'
import { useRowFocus } from './kept-focus'

export interface Column<Item> {
  label: string
  hidesLabel?: boolean
  header?: ReactNode
  /** Null if there is nothing to show. A card then omits it. */
  cell: (item: Item) => ReactNode
  isRowHeader?: boolean
  className?: string
  /** `no`: the cells contain values, which browser translation must not change. */
  translate?: 'no'
}

export interface ItemTableProps<Item>
  extends Pick<TableProps, 'stickyHeader' | 'highlightOnHover' | 'verticalSpacing'> {
  /** The name of the items, plural, as part of a sentence: `API keys`. */
  name: string
  items: readonly Item[]
  idOf: (item: Item) => string
  columns: readonly Column<Item>[]
  /** Scrolls horizontally below this width, in pixels. */
  minWidth: number
  /** Scrolls above this height, in pixels. */
  maxHeight?: number
}

/** The column with the actions for an item. */
export const actionsColumn = <Item,>(cell: (item: Item) => ReactNode): Column<Item> => ({
  label: 'Actions',
  hidesLabel: true,
  cell,
  className: 'actions-cell',
})

/** A table with one row per item. If it is too large for the screen, it scrolls on its own, also by keyboard. */
export function ItemTable<Item>({ name, items, idOf, columns, minWidth, maxHeight, ...look }: ItemTableProps<Item>) {
  const rowFocus = useRowFocus<HTMLTableSectionElement>()
  return (
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
            {columns.map(({ label, hidesLabel, header, className }) => (
              <Table.Th key={label} scope="col" className={className}>
                {header ?? (hidesLabel ? <VisuallyHidden>{label}</VisuallyHidden> : label)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody {...rowFocus}>
          {items.map((item) => (
            <Table.Tr key={idOf(item)}>
              {columns.map(({ label, isRowHeader, className = '', translate, cell }) => {
                const Cell = isRowHeader ? Table.Th : Table.Td
                return (
                  <Cell
                    key={label}
                    {...(isRowHeader && { scope: 'row', fw: 500 })}
                    className={`breakable ${className}`}
                    translate={translate}
                  >
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
}

/** A table, or cards if there is no room for one. */
export function ItemList<Item>(table: ItemTableProps<Item>) {
  if (!useNarrow()) {
    return (
      <Paper withBorder>
        <ItemTable {...table} />
      </Paper>
    )
  }
  return <ItemCards {...table} />
}

function ItemCards<Item>({ name, items, idOf, columns }: ItemTableProps<Item>) {
  const rowFocus = useRowFocus<HTMLDivElement>()
  return (
    <Stack component="ul" {...rowFocus} gap="xs" className="plain-list" aria-label={titleCase(name)}>
      {items.map((item) => (
        <Paper key={idOf(item)} component="li" withBorder p="sm" className="card">
          <CardCells item={item} columns={columns} />
        </Paper>
      ))}
    </Stack>
  )
}

/** The cells of a row: the row header first, then the other cells with their labels. */
const CardCells = <Item,>({ item, columns }: { item: Item; columns: readonly Column<Item>[] }) => {
  const head = columns.findIndex(({ isRowHeader }) => isRowHeader)
  const rank = (column: Column<Item>) =>
    column.hidesLabel && columns.indexOf(column) < head ? 0 : column.isRowHeader ? 1 : 2
  return columns
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ label, hidesLabel, isRowHeader, translate, cell }) => {
      const content = cell(item)
      if (content === null) return null
      return (
        <div key={label} className={`breakable ${isRowHeader ? 'card-head' : ''}`}>
          {!isRowHeader && !hidesLabel && (
            <Text span size="xs" c="dimmed">
              {label}{' '}
            </Text>
          )}
          <Box display="inline-block" maw="100%" translate={translate} style={{ verticalAlign: 'top' }}>
            {content}
          </Box>
        </div>
      )
    })
}
