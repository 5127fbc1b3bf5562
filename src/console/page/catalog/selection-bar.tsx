import { Button, Group, Paper, ScrollArea, Text } from '@mantine/core'
import { useState } from 'react'
import type { RecordType } from '#records/record-type'
import { ConfirmDialog } from '../shell/confirm-dialog'
import { countText } from '../wording'
import { MOST_AT_ONCE } from './set-active'
import type { Activation } from './use-activation'

/** Names of the records that are selected, by their ids. */
export type Selection = ReadonlyMap<string, string>

interface SelectionBarProps {
  type: RecordType
  selection: Selection
  activation: Activation
  onClear: () => void
}

/** What can be done with the records that are selected. Asks before it is done, by their names. */
export function SelectionBar({ type, selection, activation, onClear }: SelectionBarProps) {
  const [asked, setAsked] = useState<boolean>()
  const [shown, setShown] = useState(true)
  const count = countText(selection.size, type.title, type.plural)
  const ask = (active: boolean) => {
    setShown(active)
    setAsked(active)
  }
  if (selection.size === 0) return null
  return (
    <Paper withBorder p="xs" className="selection-bar" role="region" aria-label="Selected records">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} role="status">
          {count} selected{selection.size >= MOST_AT_ONCE && `, which is the most at once`}
        </Text>
        <Group gap="xs">
          <Button size="xs" color="red" onClick={() => ask(false)}>
            Deactivate
          </Button>
          <Button size="xs" variant="default" onClick={() => ask(true)}>
            Reactivate
          </Button>
          <Button size="xs" variant="subtle" onClick={onClear}>
            Clear selection
          </Button>
        </Group>
      </Group>
      <ConfirmDialog
        opened={asked !== undefined}
        title={`${shown ? 'Reactivate' : 'Deactivate'} ${count}?`}
        action={shown ? 'Reactivate' : 'Deactivate'}
        dangerous={!shown}
        pending={activation.isPending}
        onConfirm={() => {
          activation.start({ ids: [...selection.keys()], active: shown })
          setAsked(undefined)
        }}
        onClose={() => setAsked(undefined)}
      >
        <Text size="sm">
          {shown
            ? 'They will be listed again, and partners will find them.'
            : 'They will no longer be listed, and partners will not find them. Nothing is deleted: you can reactivate them.'}
        </Text>
        <ScrollArea.Autosize mah={240} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': 'Records' }}>
          <ul className="plain-list">
            {[...selection].map(([id, name]) => (
              <li key={id} className="breakable">
                <Text size="sm">
                  {name}{' '}
                  <Text span size="xs" c="dimmed">
                    {id}
                  </Text>
                </Text>
              </li>
            ))}
          </ul>
        </ScrollArea.Autosize>
      </ConfirmDialog>
    </Paper>
  )
}
