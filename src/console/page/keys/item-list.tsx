import { DataList, Paper, Skeleton, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Problem } from '../shell/problem'

export interface Column<Item> {
  label: string
  cell: (item: Item) => ReactNode
}

interface ItemListProps<Item> {
  /** In the plural, within a sentence: `API keys`. */
  name: string
  items: UseQueryResult<readonly Item[]>
  /** The first names the item. */
  columns: readonly Column<Item>[]
  idOf: (item: Item) => string
  /** Buttons. */
  actions: (item: Item) => ReactNode
  /** Shown where there are none. */
  whenEmpty: string
}

/** A table; cards where there is no room for one. */
export function ItemList<Item>(props: ItemListProps<Item>) {
  const { name, items, whenEmpty } = props
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  if (items.isPending) return <Loading name={name} />
  if (items.isError && items.data === undefined) {
    return <Problem title={`The ${name} could not be loaded`} error={items.error} onRetry={items.refetch} />
  }
  const list = items.data ?? []
  if (list.length === 0) {
    return (
      <Paper withBorder p="lg">
        <Text>{whenEmpty}</Text>
      </Paper>
    )
  }
  return isNarrow ? <Cards {...props} list={list} /> : <Rows {...props} list={list} />
}

const Loading = ({ name }: { name: string }) => (
  <Stack gap="xs" role="status" aria-label={`Loading the ${name}`}>
    <Skeleton h={36} />
    <Skeleton h={36} />
    <Skeleton h={36} />
  </Stack>
)

interface ListProps<Item> extends Pick<ItemListProps<Item>, 'name' | 'columns' | 'idOf' | 'actions'> {
  list: readonly Item[]
}

const Rows = <Item,>({ name, list, columns: [first, ...others], idOf, actions }: ListProps<Item>) => (
  <Table.ScrollContainer minWidth={640} type="native">
    <Table verticalSpacing="sm" aria-label={name}>
      <Table.Thead>
        <Table.Tr>
          {[first!, ...others].map(({ label }) => (
            <Table.Th key={label} scope="col">
              {label}
            </Table.Th>
          ))}
          <Table.Th scope="col">
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {list.map((item) => (
          <Table.Tr key={idOf(item)}>
            <Table.Th scope="row" fw={500}>
              {first!.cell(item)}
            </Table.Th>
            {others.map(({ label, cell }) => (
              <Table.Td key={label}>{cell(item)}</Table.Td>
            ))}
            <Table.Td ta="right">{actions(item)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

const Cards = <Item,>({ name, list, columns, idOf, actions }: ListProps<Item>) => (
  <Stack component="ul" m={0} p={0} gap="sm" aria-label={name} style={{ listStyle: 'none' }}>
    {list.map((item) => (
      <Paper key={idOf(item)} component="li" withBorder p="md">
        <Stack align="flex-start">
          <DataList gap="xs" labelWidth={104}>
            {columns.map(({ label, cell }) => (
              <DataList.Item key={label}>
                <DataList.ItemLabel>{label}</DataList.ItemLabel>
                <DataList.ItemValue>{cell(item)}</DataList.ItemValue>
              </DataList.Item>
            ))}
          </DataList>
          {actions(item)}
        </Stack>
      </Paper>
    ))}
  </Stack>
)
