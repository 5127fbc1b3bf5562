import { Alert, Button, Group, Text } from '@mantine/core'
import { CircleCheck, Undo2 } from 'lucide-react'
import { useEffect } from 'react'
import { isRefusal } from '#client/service-error'
import { Problem } from '../../widgets/problem'
import type { Activation } from './use-activation'

const NOT_DONE = 'That could not be done. Nothing was changed.'
const UNKNOWN = 'The service did not answer whether that was done. Look at the list.'

/** Says what a change of state did, and offers to undo it. Takes the focus: what was clicked is often gone. */
export function ActivationNotice({ activation }: { activation: Activation }) {
  const { outcome, canUndo, error, undo, notice } = activation
  useEffect(() => {
    if (outcome !== undefined) notice.current?.focus({ preventScroll: true })
  }, [outcome, notice])
  return (
    <div ref={notice} role="status" tabIndex={-1} className="quiet-status">
      {error !== null && <Problem title={isRefusal(error) ? NOT_DONE : UNKNOWN} error={error} />}
      {outcome !== undefined && (
        <Alert color="teal" icon={<CircleCheck />} p="xs">
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={600}>
              {outcome.text}
            </Text>
            {canUndo && (
              <Button size="xs" variant="default" leftSection={<Undo2 size={14} />} onClick={undo}>
                Undo
              </Button>
            )}
          </Group>
        </Alert>
      )}
    </div>
  )
}
