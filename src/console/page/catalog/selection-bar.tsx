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
  const [asked, setAsked] = useState<Asked>()
  const [isOpen, setOpen] = useState(false)
  const ask = (active: boolean) => {
    setAsked({ active, selection })
    setOpen(true)
  }
  return (
    <>
      {selection.size > 0 && (
        <Paper withBorder p="xs" className="selection-bar" role="region" aria-label="Selected records">
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={600} role="status">
              {countText(selection.size, type.title, type.plural)} selected
              {selection.size >= MOST_AT_ONCE && ', the most at once'}
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
        </Paper>
      )}
      {asked !== undefined && (
        <Question
          type={type}
          asked={asked}
          isOpen={isOpen}
          activation={activation}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** What is asked: the records as they were selected, so that the question stays as it is while it disappears. */
interface Asked {
  active: boolean
  selection: Selection
}

interface QuestionProps {
  type: RecordType
  asked: Asked
  isOpen: boolean
  activation: Activation
  onClose: () => void
}

function Question({ type, asked: { active, selection }, isOpen, activation, onClose }: QuestionProps) {
  const action = active ? 'Reactivate' : 'Deactivate'
  return (
    <ConfirmDialog
      opened={isOpen}
      title={`${action} ${countText(selection.size, type.title, type.plural)}?`}
      action={action}
      dangerous={!active}
      pending={activation.isPending}
      error={isOpen ? activation.error : null}
      onConfirm={() => activation.start({ ids: [...selection.keys()], active }, onClose)}
      onClose={onClose}
      focusAfterwards={activation.notice}
    >
      <Text size="sm">
        {active
          ? 'They will be listed again, and partners will find them.'
          : 'They will no longer be listed, and partners will not find them. Nothing is deleted: you can reactivate them.'}
      </Text>
      <ScrollArea.Autosize mah={240} type="auto" viewportProps={{ tabIndex: 0 }}>
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
  )
}
