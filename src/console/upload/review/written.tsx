import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Undo2 } from 'lucide-react'
import { Link } from 'wouter'
import type { GivenFile } from '#files/fix/errors-file'
import type { RecordType } from '#shared/records/record-type'
import { changeSentence, changesIn } from '../../changes/counts'
import { historyAddress, restoreAddress, writeAddress } from '../../history/address'
import type { WriteResult } from '../../service/answers'
import { useSearchStatus } from '../../use-search-status'
import { DoneNotice } from '../../widgets/done-notice'
import { countText } from '../../wording'
import { LeftOutRows } from './left-out-rows'

interface WrittenProps {
  type: RecordType
  result: WriteResult
  isOneWrite: boolean
  leftOut: number
  /** Whether the answer was lost, and the page has found the write. */
  isFound: boolean
  /** The rows that are left out. */
  failing?: GivenFile
  onAnother: () => void
}

const FOUND = 'The answer of the service was lost, and this page has looked: the file is written. '

/** What was written, and what may come next. */
export function Written({ type, result, isOneWrite, leftOut, isFound, failing, onAnother }: WrittenProps) {
  const changes = changesIn(result)
  const { batch_id: batchId } = isOneWrite ? result : {}
  const undoAddress = batchId === undefined ? undefined : restoreAddress(type, batchId, 'undo')
  const seeAddress = batchId === undefined ? historyAddress(type) : writeAddress(type, batchId)
  return (
    <Stack>
      <DoneNotice
        title={changes === 0 ? 'The catalog had all of this already' : changeSentence(result, true)}
      >
        {`${isFound ? FOUND : ''}The ${type.plural} are up to date. In use: ${countText(result.active_after, 'record', 'records')}.`}
      </DoneNotice>
      {failing !== undefined && <LeftOutRows count={leftOut} getFile={async () => failing} />}
      <SearchHint type={type} />
      <Group>
        <Button component={Link} href={`/${type.name}/catalog`}>
          See the catalog
        </Button>
        <Button variant="default" component={Link} href={seeAddress}>
          See what changed
        </Button>
        {undoAddress !== undefined && changes > 0 && (
          <Button variant="default" component={Link} href={undoAddress} leftSection={<Undo2 size={16} />}>
            Undo
          </Button>
        )}
        <Button variant="default" onClick={onAnother}>
          Upload another file
        </Button>
      </Group>
    </Stack>
  )
}

/** The next step after a first upload. */
function SearchHint({ type }: { type: RecordType }) {
  const { status } = useSearchStatus(type)
  if (status.data?.enabled !== false) return null
  return (
    <Text>
      Partner search does not use these {type.plural} yet.{' '}
      <Anchor component={Link} href={`/${type.name}/search`}>
        Switch it on
      </Anchor>
    </Text>
  )
}
