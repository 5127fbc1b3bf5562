import { Alert, Anchor, List, Text } from '@mantine/core'
import { CircleCheck, CircleX, Clock, Hourglass, type LucideIcon } from 'lucide-react'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { uploadAddress, uploadsAddress } from '../history/address'
import type { CatalogStatus, Upload } from '../service/answers'
import { useSession } from '../session'
import { isWritten, reasonText, uploadTitle } from '../uploads/outcome-text'
import { countText, numberText, shortTimeText } from '../wording'
import { type SyncStatus, syncStatusOf } from './sync-status'

const LOOKS: Readonly<Record<SyncStatus['is'], { color: string; icon: LucideIcon }>> = {
  good: { color: 'green', icon: CircleCheck },
  unwatched: { color: 'gray', icon: Clock },
  late: { color: 'red', icon: Clock },
  refused: { color: 'red', icon: CircleX },
  waiting: { color: 'yellow', icon: Hourglass },
}

interface SyncNoticeProps {
  type: RecordType
  status: CatalogStatus
}

/** Whether programs keep a catalog up to date, and the way to what went wrong. */
export function SyncNotice({ type, status: { sync, held = [] } }: SyncNoticeProps) {
  const { can } = useSession()
  const state = syncStatusOf(sync, new Date())
  if (state === undefined) return null
  const { last_upload } = sync
  const hasTrouble = last_upload !== null && !isWritten(last_upload)
  const others = held.filter(({ upload_id }) => upload_id !== last_upload?.upload_id)
  const leadsOn = hasTrouble || state.is === 'late' || others.length > 0
  const isWell = state.is === 'good' || state.is === 'unwatched'
  // An older file that waits is not to be overlooked after a good write.
  const { color, icon: Icon } = LOOKS[isWell && others.length > 0 ? 'waiting' : state.is]
  return (
    <Alert color={color} icon={<Icon />} title={state.title} p="xs" className="sync-notice">
      {state.details.map((text) => (
        <Text size="sm" key={text} className="breakable">
          {text}
        </Text>
      ))}
      {hasTrouble && (
        <Anchor component={Link} href={uploadAddress(type, last_upload.upload_id)} size="sm">
          {last_upload.outcome === 'held' && can('catalog:write')
            ? `Look at ${uploadTitle(last_upload)}, approve or discard it`
            : 'What was wrong'}
        </Anchor>
      )}
      {others.length > 0 && (
        <OtherFiles type={type} uploads={others} isMore={last_upload?.outcome === 'held'} />
      )}
      {leadsOn && (
        <Anchor component={Link} href={uploadsAddress(type)} size="sm" display="block" mt={4}>
          All that arrived for the {type.plural}
        </Anchor>
      )}
    </Alert>
  )
}

/** Files that a card names; the list of uploads has all. */
const NAMED_FILES = 3

interface OtherFilesProps {
  type: RecordType
  uploads: readonly Upload[]
  /** Whether the notice itself is about a file that waits. */
  isMore: boolean
}

/** Files that wait besides the one that the notice is about. */
const OtherFiles = ({ type, uploads, isMore }: OtherFilesProps) => (
  <>
    <Text size="sm" mt={4}>
      {headText(uploads.length, isMore)}
    </Text>
    <List size="sm">
      {uploads.slice(0, NAMED_FILES).map((upload) => (
        <List.Item key={upload.upload_id} className="breakable">
          <Anchor component={Link} href={uploadAddress(type, upload.upload_id)} inherit>
            {uploadTitle(upload)}
          </Anchor>
          , {shortTimeText(upload.last_at, new Date())}
          {upload.held_for === 'shrink_guard' && `: ${reasonText(upload)}`}
        </List.Item>
      ))}
      {uploads.length > NAMED_FILES && (
        <List.Item>
          <Anchor component={Link} href={uploadsAddress(type, 'held')} inherit>
            {`${numberText(uploads.length - NAMED_FILES)} more`}
          </Anchor>
        </List.Item>
      )}
    </List>
  </>
)

const headText = (count: number, isMore: boolean): string => {
  const files = countText(
    count,
    isMore ? 'other file waits' : 'file waits',
    isMore ? 'other files wait' : 'files wait',
  )
  return `${files}${isMore ? ' too' : ''}:`
}
