import { Box, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Plus } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useItemChange } from '../queries'
import { useSubject } from '../widgets/hooks'
import { actionsColumn, type Column, ItemList } from '../widgets/item-table'
import { FocusAfterwards } from '../widgets/kept-focus'
import { QueryResult } from '../widgets/query-result'
import { SubjectConfirmation } from '../widgets/subject-confirmation'
import { type Creatable, CreateDialog } from './create-dialog'
import { type Resource, useItems } from './use-items'

/** A kind of access to a workspace: its list, how to create an item, and what to say before one is revoked. */
export interface AccessKind<Item, Body, Created> extends Creatable<Item, Body, Created> {
  resource: Resource<Item, Body, Created>
  /** Plural, as part of a sentence: `API keys`. */
  many: string
  purpose: ReactNode
  whenEmpty: string
  columns: readonly Column<Item>[]
  idOf: (item: Item) => string
  nameOf: (item: Item) => string
  /** The label of the button to end one: `Revoke`. */
  end: string
  consequence: (item: Item) => ReactNode
}

interface AccessListProps<Item, Body, Created> {
  kind: AccessKind<Item, Body, Created>
  actions?: (item: Item) => ReactNode
  onCreated?: (created: Created) => void
  onEnded: (item: Item) => void
  children?: ReactNode
}

/** The items of one kind, with buttons to create and to end one. Narrow screens show cards. */
export function AccessList<Item, Body, Created>(props: AccessListProps<Item, Body, Created>) {
  const { kind, actions, onCreated, onEnded, children } = props
  const { resource, one, many, columns, idOf, nameOf, end } = kind
  const items = useItems(resource)
  const [isCreateOpen, createDialog] = useDisclosure(false)
  const endDialog = useSubject<Item>()
  const button = useRef<HTMLButtonElement>(null)
  const buttonsOf = (item: Item) => (
    <Group gap="xs">
      {actions?.(item)}
      <Button variant="default" size="xs" aria-label={`${end} ${nameOf(item)}`} onClick={() => endDialog.open(item)}>
        {end}
      </Button>
    </Group>
  )
  return (
    <Stack pt="lg">
      <Group justify="space-between" align="flex-start">
        <Box maw={640}>{kind.purpose}</Box>
        <Button leftSection={<Plus size={16} />} onClick={createDialog.open} ref={button}>
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
                columns={[...columns, actionsColumn(buttonsOf)]}
                minWidth={640}
              />
            )
          }
        </QueryResult>
        <CreateDialog
          kind={kind}
          items={items.data ?? []}
          opened={isCreateOpen}
          onClose={createDialog.close}
          onCreated={onCreated}
        />
        <SubjectConfirmation
          about={endDialog}
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

/** An ID or URL, which contains no spaces to break the line at. */
export const Id = ({ children }: { children: ReactNode }) => (
  <Text span ff="monospace" size="sm" className="breakable" translate="no">
    {children}
  </Text>
)
