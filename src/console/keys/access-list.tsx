import { Box, Button, DataList, Group, Paper, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { FocusAfterwards } from '../widgets/dialog'
import { type Column, ItemList } from '../widgets/item-table'
import { Loaded } from '../widgets/loaded'

interface AccessListProps<Item> {
  /** In the plural, within a sentence: `API keys`. */
  name: string
  items: UseQueryResult<readonly Item[]>
  columns: readonly Column<Item>[]
  idOf: (item: Item) => string
  actions: (item: Item) => ReactNode
  whenEmpty: string
}

/** A table of credentials or members, with actions, once it is loaded. Narrow screens show cards. */
export function AccessList<Item>(props: AccessListProps<Item>) {
  const { name, items, columns, idOf, actions, whenEmpty } = props
  return (
    <Loaded query={items} name={name} height={36} bars={3}>
      {(list) =>
        list.length === 0 ? (
          <Paper withBorder p="lg">
            <Text>{whenEmpty}</Text>
          </Paper>
        ) : (
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
    </Loaded>
  )
}

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
    <div className="card-actions">{actions(item)}</div>
  </Stack>
)

/** An id or address, which has no spaces at which a line could end. */
export const Id = ({ children }: { children: ReactNode }) => (
  <Text span ff="monospace" size="sm" className="breakable">
    {children}
  </Text>
)

interface SectionProps {
  /** What it is for, and who needs it. */
  purpose: ReactNode
  action: string
  onAction: () => void
  children: ReactNode
}

/** What kind of access this is, a button that adds one, and the list. */
export function Section({ purpose, action, onAction, children }: SectionProps) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Stack pt="lg">
      <Group justify="space-between" align="flex-start">
        <Box maw={640}>{purpose}</Box>
        <Button leftSection={<Plus size={16} />} onClick={onAction} ref={button}>
          {action}
        </Button>
      </Group>
      <FocusAfterwards value={button}>{children}</FocusAfterwards>
    </Stack>
  )
}
