import { Alert, Button, Group, Text } from '@mantine/core'
import { CircleCheck, Undo2 } from 'lucide-react'
import { Problem } from '../shell/problem'
import type { Activation } from './use-activation'

/** What became of a change of state, and the way back. */
export function ActivationNotice({ activation }: { activation: Activation }) {
  const { done, canUndo, error, undo } = activation
  if (error !== null) return <Problem title="That could not be done. Nothing was changed." error={error} />
  return (
    <div role="status">
      {done !== undefined && (
        <Alert color="teal" variant="light" icon={<CircleCheck aria-hidden />} p="xs">
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={600}>
              {done.text}
            </Text>
            {canUndo && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Undo2 size={14} aria-hidden />}
                onClick={undo}
              >
                Undo
              </Button>
            )}
          </Group>
        </Alert>
      )}
    </div>
  )
}
