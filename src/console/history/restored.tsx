import { Button, Group, Stack } from '@mantine/core'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { changeSentence, changesIn } from '../changes/counts'
import type { RestoreResult } from '../service/answers'
import { DoneNotice } from '../widgets/done-notice'
import { countText } from '../wording'
import { historyAddress, type RestoreKind, restoreAddress } from './address'

interface RestoredProps {
  type: RecordType
  target: RestoreKind
  /** The state, within a sentence. */
  state: string
  result: RestoreResult
}

export function Restored({ type, target, state, result }: RestoredProps) {
  return (
    <Stack>
      <DoneNotice title={changeSentence(result, true)}>
        {`${target === 'undo' ? 'Its' : 'The'} ${type.plural} are ${state}. In use: ${countText(result.active_after, 'record', 'records')}.`}
      </DoneNotice>
      <Group>
        <Button component={Link} href={`/${type.name}/catalog`}>
          See the catalog
        </Button>
        <Button component={Link} href={historyAddress(type)} variant="default">
          See the history
        </Button>
        {result.batch_id !== undefined && changesIn(result) > 0 && (
          <Button component={Link} href={restoreAddress(type, result.batch_id, 'undo')} variant="default">
            Undo this
          </Button>
        )}
      </Group>
    </Stack>
  )
}
