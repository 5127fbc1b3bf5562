import { Box, Button, DataList, Group, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Plus } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { FocusAfterwards } from '../widgets/dialog'
import { useSubject } from '../widgets/hooks'
import { type Column, ItemList } from '../widgets/item-table'
import { QueryResult } from '../widgets/query-result'
import { SubjectConfirmation } from '../widgets/subject-confirmation'
import { type Creatable, CreateDialog } from './create-dialog'
import { type Resource, useItemChange, useItems } from './use-items'

/** A kind of access to a workspace: what its list shows, how one is given, and what is said when it is taken away. */
export interface AccessKind<Item, Body, Created> extends Creatable<Item, Body, Created> {
  resource: Resource<Item, Body, Created>
  /** In the plural, within a sentence: `API keys`. */
  many: string
  /** What it is for, and who needs it. */
  purpose: ReactNode
  whenEmpty: string
  columns: readonly Column<Item>[]
  idOf: (item: Item) => string
  /** What the buttons call it. */
  nameOf: (item: Item) => string
  /** What takes it away: `Revoke`. */
  end: string
  /** What stops working. */
  consequence: (item: Item) => ReactNode
}

interface AccessListProps<Item, Body, Created> {
  kind: AccessKind<Item, Body, Created>
  /** What else can be done with one. */
  actions?: (item: Item) => ReactNode
  onCreated?: (created: Created) => void
  onEnded: (item: Item) => void
  /** Further dialogs. */
  children?: ReactNode
}

/** All of one kind, and what creates one and takes one away. Narrow screens show cards. */
export function AccessList<Item, Body, Created>(props: AccessListProps<Item, Body, Created>) {
  const { kind, actions, onCreated, onEnded, children } = props
  const { resource, one, many, columns, idOf, nameOf, end } = kind
  const items = useItems(resource)
  const [creating, creation] = useDisclosure(false)
  const ending = useSubject<Item>()
  const button = useRef<HTMLButtonElement>(null)
  const buttonsOf = (item: Item) => (
    <Group gap="xs" justify="flex-end">
      {actions?.(item)}
      <Button variant="default" size="xs" aria-label={`${end} ${nameOf(item)}`} onClick={() => ending.open(item)}>
        {end}
      </Button>
    </Group>
  )
  return (
    <Stack pt="lg">
      <Group justify="space-between" align="flex-start">
        <Box maw={640}>{kind.purpose}</Box>
        <Button leftSection={<Plus size={16} />} onClick={creation.open} ref={button}>
          {kind.create}
        </Button>
      </Group>
      <FocusAfterwards value={button}>
        <QueryResult query={items} name={many} height={120}>
          {(list) =>
            list.length === 0 ? (
              <Paper withBorder p="lg">
                <Text>{kind.whenEmpty}</Text>
              </Paper>
            ) : (
              <ItemList
                name={many}
                items={list}
                idOf={idOf}
                columns={[
                  ...columns,
                  { label: 'Actions', hidesLabel: true, cell: buttonsOf, className: 'actions-cell' },
                ]}
                minWidth={640}
                card={(item) => (
                  <Stack align="flex-start">
                    <DataList gap="xs" labelWidth={104}>
                      {columns.map(({ label, cell }) => (
                        <DataList.Item key={label}>
                          <DataList.ItemLabel>{label}</DataList.ItemLabel>
                          <DataList.ItemValue className="breakable">{cell(item)}</DataList.ItemValue>
                        </DataList.Item>
                      ))}
                    </DataList>
                    <div className="card-actions">{buttonsOf(item)}</div>
                  </Stack>
                )}
              />
            )
          }
        </QueryResult>
        <CreateDialog
          kind={kind}
          items={items.data ?? []}
          opened={creating}
          onClose={creation.close}
          onCreated={onCreated}
        />
        <SubjectConfirmation
          about={ending}
          mutation={useItemChange(resource.name, resource.revoke)}
          requestOf={idOf}
          action={`${end} ${one}`}
          dangerous={() => true}
          onDone={onEnded}
        >
          {(item) => (
            <>
              <Id>{nameOf(item)}</Id>
              {kind.consequence(item)}
            </>
          )}
        </SubjectConfirmation>
        {children}
      </FocusAfterwards>
    </Stack>
  )
}

/** An id or address, which has no spaces at which a line could end. */
export const Id = ({ children }: { children: ReactNode }) => (
  <Text span ff="monospace" size="sm" className="breakable">
    {children}
  </Text>
)
