import { Box, Paper, Stack, Table, type TableProps, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { titleCase } from '../wording'
import { useNarrow } from './hooks'

export interface Column<Item> {
  label: string
  hidesLabel?: boolean
  header?: ReactNode
  /** Null if there is nothing to show: a card leaves it out. */
  cell: (item: Item) => ReactNode
  isRowHeader?: boolean
  className?: string
  /** `no`: the cells have values, which a browser that translates the page leaves as they are. */
  translate?: 'no'
}

export interface ItemTableProps<Item>
  extends Pick<TableProps, 'stickyHeader' | 'highlightOnHover' | 'verticalSpacing'> {
  /** What the items are, in the plural, within a sentence: `API keys`. */
  name: string
  items: readonly Item[]
  idOf: (item: Item) => string
  columns: readonly Column<Item>[]
  /** Below this width, in pixels, it scrolls sideways. */
  minWidth: number
  /** Above this height, in pixels, it scrolls. */
  maxHeight?: number
}

/** The column with what can be done with an item. */
export const actionsColumn = <Item,>(cell: (item: Item) => ReactNode): Column<Item> => ({
  label: 'Actions',
  hidesLabel: true,
  cell,
  className: 'actions-cell',
})

/** A table with a row for each item. If it is too large for the screen, it scrolls by itself, with the keyboard too. */
export const ItemTable = <Item,>({
  name,
  items,
  idOf,
  columns,
  minWidth,
  maxHeight,
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
          {columns.map(({ label, hidesLabel, header, className }) => (
            <Table.Th key={label} scope="col" className={className}>
              {header ?? (hidesLabel ? <VisuallyHidden>{label}</VisuallyHidden> : label)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
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

/** A table, or cards if there is no room for one. */
export function ItemList<Item>(table: ItemTableProps<Item>) {
  if (!useNarrow()) {
    return (
      <Paper withBorder>
        <ItemTable {...table} />
      </Paper>
    )
  }
  const { name, items, idOf, columns } = table
  return (
    <Stack component="ul" gap="xs" className="plain-list" aria-label={titleCase(name)}>
      {items.map((item) => (
        <Paper key={idOf(item)} component="li" withBorder p="sm" className="card">
          <CardCells item={item} columns={columns} />
        </Paper>
      ))}
    </Stack>
  )
}

/** The cells of a row one after another, that of the row header above those with a label. */
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
