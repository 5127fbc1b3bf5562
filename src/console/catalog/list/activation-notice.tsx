import { Button } from '@mantine/core'
import { Undo2 } from 'lucide-react'
import { isRefusal } from '#client/service-error'
import { DoneNotice } from '../../widgets/done-notice'
import { Problem } from '../../widgets/problem'
import type { Activation } from './use-activation'

const NOT_DONE = 'That could not be done. Nothing was changed.'
const UNKNOWN = 'The service did not answer, so it may have been done. Check the list.'

/** Says what a change of state did, and offers to undo it. */
export const ActivationNotice = ({
  activation: { outcome, canUndo, error, undo, notice },
}: {
  activation: Activation
}) => (
  <div ref={notice} tabIndex={-1} className="quiet-status">
    <Problem title={isRefusal(error) ? NOT_DONE : UNKNOWN} error={error} />
    {outcome !== undefined && (
      <DoneNotice
        key={outcome.text}
        title={outcome.text}
        action={
          canUndo && (
            <Button size="xs" variant="default" leftSection={<Undo2 size={14} />} onClick={undo}>
              Undo
            </Button>
          )
        }
      />
    )}
  </div>
)
