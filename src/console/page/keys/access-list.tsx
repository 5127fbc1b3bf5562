import { DataList, Paper, Skeleton, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ItemList } from '../shell/item-list'
import type { Column } from '../shell/item-table'
import { Problem } from '../shell/problem'

interface AccessListProps<Item> {
  /** In the plural, within a sentence: `API keys`. */
  name: string
  items: UseQueryResult<readonly Item[]>
  columns: readonly Column<Item>[]
  idOf: (item: Item) => string
  /** Buttons. */
  actions: (item: Item) => ReactNode
  /** Shown where there are none. */
  whenEmpty: string
}

/** Who or what has access, once it is known. */
export function AccessList<Item>(props: AccessListProps<Item>) {
  const { name, items, columns, idOf, actions, whenEmpty } = props
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
  return (
    <ItemList
      name={name}
      items={list}
      idOf={idOf}
      columns={[...columns, { label: 'Actions', hidesLabel: true, cell: actions, className: 'actions-cell' }]}
      minWidth={640}
      card={(item) => <AccessCard {...props} item={item} />}
    />
  )
}

const Loading = ({ name }: { name: string }) => (
  <Stack gap="xs" role="status" aria-label={`Loading the ${name}`}>
    <Skeleton h={36} />
    <Skeleton h={36} />
    <Skeleton h={36} />
  </Stack>
)

const AccessCard = <Item,>({ item, columns, actions }: AccessListProps<Item> & { item: Item }) => (
  <Stack align="flex-start">
    <DataList gap="xs" labelWidth={104}>
      {columns.map(({ label, cell }) => (
        <DataList.Item key={label}>
          <DataList.ItemLabel>{label}</DataList.ItemLabel>
          <DataList.ItemValue className="breakable">{cell(item)}</DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
    {actions(item)}
  </Stack>
)
