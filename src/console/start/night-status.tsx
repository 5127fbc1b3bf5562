import { Alert, Anchor, List, Text } from '@mantine/core'
import { CircleCheck, CircleX, Clock, Hourglass, type LucideIcon } from 'lucide-react'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import type { CatalogStatus, Upload } from '../service/answers'
import { useSession } from '../session'
import { uploadAddress, uploadsAddress } from '../uploads/address'
import { isWritten, reasonText, uploadTitle } from '../uploads/outcome-text'
import { countText, numberText, shortTimeText } from '../wording'
import { type Night, nightOf } from './night'

const LOOKS: Readonly<Record<Night['is'], { color: string; icon: LucideIcon }>> = {
  good: { color: 'green', icon: CircleCheck },
  unwatched: { color: 'gray', icon: Clock },
  late: { color: 'red', icon: Clock },
  refused: { color: 'red', icon: CircleX },
  waiting: { color: 'yellow', icon: Hourglass },
}

interface NightStatusProps {
  type: RecordType
  status: CatalogStatus
}

/** Whether the night of a catalog went well, and the way to what did not. */
export function NightStatus({ type, status: { sync, held = [] } }: NightStatusProps) {
  const { can } = useSession()
  const night = nightOf(sync, new Date())
  if (night === undefined) return null
  const { last_upload } = sync
  const hasTrouble = last_upload !== null && !isWritten(last_upload)
  const others = held.filter(({ upload_id }) => upload_id !== last_upload?.upload_id)
  const leadsOn = hasTrouble || night.is === 'late' || others.length > 0
  const isWell = night.is === 'good' || night.is === 'unwatched'
  // An older file that waits is not to be overlooked after a good night.
  const { color, icon: Icon } = LOOKS[isWell && others.length > 0 ? 'waiting' : night.is]
  return (
    <Alert color={color} icon={<Icon />} title={night.title} p="xs" className="night">
      {night.details.map((text) => (
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
      {night.is === 'unwatched' && can('catalog:write') && (
        <Anchor component={Link} href="/watch" size="sm">
          Watch the {type.plural}
        </Anchor>
      )}
      {leadsOn && (
        <Anchor component={Link} href={uploadsAddress(type)} size="sm" display="block" mt={4}>
          All uploads of {type.plural}
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
  /** Whether the night itself is about a file that waits. */
  isMore: boolean
}

/** Files that wait besides the one that the night is about. */
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
