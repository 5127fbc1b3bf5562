import { Button, Paper, Stack } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Change } from '#records/change'
import type { RecordType } from '#records/record-type'
import { actionText, changesIn } from '../counts'
import type { Preview, Write } from '../service/answers'
import { ActionBar } from '../shell/action-bar'
import { ChangeLists } from '../upload/change-lists'
import { useConfirmationShare } from '../upload/confirmation-share'
import { CountTiles } from '../upload/count-tiles'
import { DeactivationNotice, leavingOf, needsConfirmation } from '../upload/deactivation-notice'
import { PreviewHeading } from '../upload/preview-heading'
import { countText } from '../wording'
import { writeAddress } from './address'
import { TakenBack } from './taken-back'

interface RestorePreviewProps {
  type: RecordType
  write: Write
  /** The state, within a sentence: `as they were before …`. */
  state: string
  check: Preview
  /** Of the state. */
  revision: number
  /** Whether somebody else has changed the catalog since an earlier preview. */
  moved: boolean
  /** Whether it is being done, or looked at again. */
  pending: boolean
  onList: (change: Change) => Promise<Blob>
  onConfirm: () => void
}

/** What the way back would change, and the button that makes it so. */
export function RestorePreview(props: RestorePreviewProps) {
  const { type, write, state, check, revision, moved, pending, onList, onConfirm } = props
  const [confirmed, setConfirmed] = useState(false)
  const isAsked = needsConfirmation(check, useConfirmationShare())
  const changes = changesIn(check)
  return (
    <Stack gap="md">
      <Paper withBorder p="md" component="section" aria-labelledby="preview">
        <Stack>
          <PreviewHeading
            title={changes === 0 ? 'The catalog is in that state already' : 'What would change'}
            outcome={`The ${type.plural} would be ${state}. ${inUseText(check)}`}
            moved={moved ? 'nothing was restored. This is what would change now.' : undefined}
          />
          <TakenBack type={type} write={write} from={check.revision} to={revision} />
          <CountTiles counts={check} />
          <DeactivationNotice type={type} check={check} isAsked={isAsked} onConfirm={setConfirmed} />
          {changes > 0 && <ChangeLists type={type} check={check} onList={onList} />}
        </Stack>
      </Paper>
      <ActionBar
        note={
          isAsked && !confirmed ? 'First type the number of deactivations above.' : 'Nothing is written yet.'
        }
      >
        <Button component={Link} href={writeAddress(type, write.batch_id)} variant="default">
          {changes > 0 ? 'Cancel' : 'Back'}
        </Button>
        {changes > 0 && (
          <Button
            {...(leavingOf(check) > 0 ? { color: 'red' } : {})}
            disabled={isAsked && !confirmed}
            loading={pending}
            leftSection={<CircleCheck size={18} aria-hidden />}
            onClick={onConfirm}
          >
            {actionText(check)}
          </Button>
        )}
      </ActionBar>
    </Stack>
  )
}

function inUseText({ active_before, active_after }: Preview): string {
  const before = countText(active_before, 'record', 'records')
  const after =
    active_after === active_before
      ? 'and afterwards'
      : `${countText(active_after, 'record', 'records')} afterwards`
  return `In use: ${before} now, ${after}.`
}
