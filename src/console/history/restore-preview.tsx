import { Button, Paper, Stack } from '@mantine/core'
import { Link } from 'wouter'
import type { Change } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import { ChangeTable } from '../changes/change-table'
import { changeSentence, changesIn } from '../changes/counts'
import { inUseText, PreviewHeading } from '../changes/preview-heading'
import type { Preview, Write } from '../service/answers'
import {
  NOTHING_WRITTEN,
  TYPE_THE_NUMBER,
  useDeactivations,
  WriteButton,
} from '../upload/review/deactivation-notice'
import { ActionBar } from '../widgets/action-bar'
import { titleCase } from '../wording'
import { type RestoreKind, writeAddress } from './address'
import { TakenBack } from './taken-back'

interface RestorePreviewProps {
  type: RecordType
  write: Write
  /** The state, within a sentence: `as they were before …`. */
  state: string
  check: Preview
  target: RestoreKind
  moved: boolean
  /** Whether it is being done, or looked at again. */
  pending: boolean
  /** Whether a question above is open. */
  isOpen: boolean
  onList: (change: Change | undefined) => Promise<Blob>
  onConfirm: () => void
}

const ALREADY: Readonly<Record<RestoreKind, string>> = {
  undo: 'There is nothing to take back',
  restore: 'The catalog is in that state already',
}

const LEAVE_FIRST = 'First say that those that were changed later stay.'

/** What the way back would change, and the button that makes it so. */
export function RestorePreview(props: RestorePreviewProps) {
  const { type, write, state, check, target, moved, pending, isOpen, onList, onConfirm } = props
  const deactivations = useDeactivations(type, check)
  const changes = changesIn(check)
  return (
    <Stack gap="md">
      <Paper withBorder p="md" component="section" aria-labelledby="preview">
        <Stack>
          <PreviewHeading
            title={changes === 0 ? ALREADY[target] : changeSentence(check)}
            outcome={`${target === 'undo' ? 'Its' : 'The'} ${type.plural} would be ${state}. ${titleCase(inUseText(check))}`}
            moved={moved ? 'nothing was restored. This is what would change now.' : undefined}
          />
          {target === 'restore' && <TakenBack type={type} write={write} from={check.revision} />}
          {deactivations.notice}
          {changes > 0 && <ChangeTable type={type} check={check} onList={onList} />}
        </Stack>
      </Paper>
      <ActionBar note={isOpen ? LEAVE_FIRST : deactivations.isOpen ? TYPE_THE_NUMBER : NOTHING_WRITTEN}>
        <Button component={Link} href={writeAddress(type, write.batch_id)} variant="default">
          {changes > 0 ? 'Cancel' : 'Back'}
        </Button>
        {changes > 0 && (
          <WriteButton
            check={check}
            disabled={isOpen || deactivations.isOpen}
            loading={pending}
            onClick={onConfirm}
          />
        )}
      </ActionBar>
    </Stack>
  )
}
