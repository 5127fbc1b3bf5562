import { Alert, Anchor, Group, List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Clock, Hourglass, type LucideIcon } from 'lucide-react'
import { Link } from 'wouter'
import { MAX_HELD_FILES } from '#limits'
import type { RecordType } from '#records/record-type'
import type { CatalogStatus, Upload } from '../service/answers'
import { useSession } from '../session'
import { Problem } from '../shell/problem'
import { uploadAddress, uploadsAddress } from '../uploads/address'
import { isWritten, reasonText, titleText } from '../uploads/outcome-text'
import { countText, shortTimeText } from '../wording'
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
  sync: CatalogStatus['sync']
}

/** Whether the night of a catalog went well, and the way to what did not. */
export function NightStatus({ type, sync }: NightStatusProps) {
  const { can } = useSession()
  const night = nightOf(sync, new Date())
  if (night === undefined) return null
  const { color, icon: Icon } = LOOKS[night.is]
  const { last_upload } = sync
  const hasTrouble = last_upload !== null && !isWritten(last_upload)
  return (
    <Alert color={color} icon={<Icon />} title={night.title} p="xs" className="night">
      {night.details.map((text) => (
        <Text size="sm" key={text} className="breakable">
          {text}
        </Text>
      ))}
      {(hasTrouble || night.is === 'late') && <OtherFiles type={type} newest={last_upload} />}
      {night.is === 'unwatched' && can('catalog:write') && (
        <Anchor component={Link} href="/watch" size="sm">
          Watch the {type.plural}
        </Anchor>
      )}
      {(hasTrouble || night.is === 'late') && (
        <Group gap="md" mt={4}>
          {hasTrouble && (
            <Anchor component={Link} href={uploadAddress(type, last_upload.upload_id)} size="sm">
              {last_upload.outcome === 'held' && can('catalog:write')
                ? 'Look at the file, approve or discard it'
                : 'What was wrong'}
            </Anchor>
          )}
          <Anchor component={Link} href={uploadsAddress(type)} size="sm">
            All uploads of {type.plural}
          </Anchor>
        </Group>
      )}
    </Alert>
  )
}

interface OtherFilesProps {
  type: RecordType
  /** What the night itself is about. */
  newest: Upload | null
}

/** Other files of programs that wait: one question for all of them. */
function OtherFiles({ type, newest }: OtherFilesProps) {
  const { client } = useSession()
  const held = useQuery({
    queryKey: ['uploads', type.name, 'held', 'all'],
    queryFn: async ({ signal }) => {
      const params = { type: type.name }
      const query = { outcome: 'held', limit: MAX_HELD_FILES } as const
      return (await client.get('/admin/catalogs/v1/{type}/uploads', { params, query, signal })).items
    },
  })
  if (held.error !== null) return <Problem title="It is not known which files wait" error={held.error} />
  const others = (held.data ?? []).filter(
    ({ upload_id, by_program }) => by_program && upload_id !== newest?.upload_id,
  )
  if (others.length === 0) return null
  return (
    <>
      <Text size="sm" mt={4}>
        {headText(others.length, newest?.outcome === 'held')}
      </Text>
      <List size="sm">
        {others.map((upload) => (
          <List.Item key={upload.upload_id} className="breakable">
            <Anchor component={Link} href={uploadAddress(type, upload.upload_id)} inherit>
              {titleText(upload)}
            </Anchor>
            , {shortTimeText(upload.last_at, new Date())}
            {upload.held_for === 'shrink_guard' && `: ${reasonText(upload)}`}
          </List.Item>
        ))}
      </List>
    </>
  )
}

const headText = (count: number, isMore: boolean): string => {
  const files = countText(
    count,
    isMore ? 'other file waits' : 'file waits',
    isMore ? 'other files wait' : 'files wait',
  )
  return `${files}${isMore ? ' too' : ''}:`
}
