import { Paper, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { titleCase } from '../wording'
import { ItemTable, type ItemTableProps } from './item-table'
import { useNarrow } from './use-narrow'

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
