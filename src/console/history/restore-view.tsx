import { Alert, Anchor, Button, Group, List, Skeleton, Stack, Text } from '@mantine/core'
import { Layers } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Query } from '#client/api'
import type { ServiceClient } from '#client/client'
import type { Change } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import { BackLink } from '../catalog/links'
import { PREVIEW } from '../catalog-changed'
import { changeSentence, changesIn } from '../changes/counts'
import { usePreviewedWrite } from '../changes/use-previewed-write'
import { recordAddress, WHOLE_LIST } from '../record/address'
import { fullList, type Preview, type RestoreCheck, type RestoreResult, type Write } from '../service/answers'
import { isRefusal } from '../service/failures'
import { useSession } from '../session'
import { type LeaveQuestion, useLeaveQuestion } from '../shell/leave-guard'
import { useAuthorText } from '../use-author-text'
import { DoneNotice } from '../widgets/done-notice'
import { takeFocus } from '../widgets/hooks'
import { Loaded } from '../widgets/loaded'
import { Page } from '../widgets/page'
import { Problem } from '../widgets/problem'
import { countText, numberText, timeText } from '../wording'
import { historyAddress, type RestoreKind, restoreAddress, writeAddress } from './address'
import { RestorePreview } from './restore-preview'
import { useWrite } from './use-writes'
import { kindText, targetText } from './write-text'

const RESTORING: LeaveQuestion = {
  title: 'Leave while the catalog is being restored?',
  text: 'It may be restored all the same. Look under “History” afterwards.',
  leave: 'Leave',
}

interface RestoreViewProps {
  type: RecordType
  /** Of the write. */
  id: string
  target: RestoreKind
}

/** The way back to the state before or after a write: look at what would change, confirm. */
export function RestoreView({ type, id, target }: RestoreViewProps) {
  const write = useWrite(type, id)
  return (
    <Page
      above={<BackLink href={writeAddress(type, id)} label="What it did" />}
      title={target === 'undo' ? `Undo ${write.data ? `this ${kindText(write.data)}` : ''}` : 'Go back'}
      description={
        `${target === 'undo' ? 'Later changes stay. ' : ''}Nothing is changed before you have seen what ` +
        'would change, and confirmed it. You can undo it, too.'
      }
    >
      <Loaded query={write} name="entry" height={320}>
        {(loaded) => <Restore type={type} write={loaded} target={target} />}
      </Loaded>
    </Page>
  )
}

function Restore({ type, write, target }: { type: RecordType; write: Write; target: RestoreKind }) {
  const way: WayBack =
    target === 'undo' ? { is: 'undo', id: write.batch_id } : { is: 'restore', revision: write.revision }
  const { preview, restore, listOf, moved } = useRestore(type, way)
  const [isLeft, setLeft] = useState(false)
  const state = targetText(write, target, useAuthorText()(write.created_by))
  useLeaveQuestion(restore.isPending ? RESTORING : undefined)
  if (restore.isSuccess) {
    return <Restored type={type} target={target} state={state} result={restore.data} />
  }
  return (
    <Stack>
      {preview.isPending && (
        <>
          <Text role="status">Looking at what would change…</Text>
          <Skeleton height={320} aria-hidden />
        </>
      )}
      {preview.error !== null && (
        <Problem
          title={target === 'undo' ? 'This cannot be taken back' : 'The catalog cannot go back to that state'}
          error={preview.error}
          onRetry={() => preview.refetch()}
        />
      )}
      {restore.error !== null && (
        <Problem
          title={isRefusal(restore.error) ? 'The catalog was not restored' : 'The restore was interrupted'}
          error={restore.error}
          action="Look again"
          onRetry={() => {
            restore.reset()
            preview.refetch()
          }}
        />
      )}
      {preview.data?.changed_later !== undefined && (
        <ChangedLater
          type={type}
          total={preview.data.total}
          later={preview.data.changed_later}
          isLeft={isLeft}
          onLeave={() => setLeft(true)}
        />
      )}
      {preview.data !== undefined && (
        <RestorePreview
          // Another state of the catalog is to be confirmed by itself.
          key={preview.data.revision}
          type={type}
          write={write}
          state={state}
          check={preview.data}
          target={target}
          moved={moved}
          pending={restore.isPending || preview.isFetching}
          isOpen={preview.data.changed_later !== undefined && !isLeft}
          onList={(change) => listOf(preview.data, change)}
          onConfirm={() => restore.mutate(preview.data)}
        />
      )}
    </Stack>
  )
}

interface RestoredProps {
  type: RecordType
  target: RestoreKind
  /** The state, within a sentence. */
  state: string
  result: RestoreResult
}

function Restored({ type, target, state, result }: RestoredProps) {
  return (
    <Stack>
      <DoneNotice title={changeSentence(result, true)}>
        {`${target === 'undo' ? 'Its' : 'The'} ${type.plural} are ${state}. In use: ` +
          `${countText(result.active_after, 'record', 'records')}.`}
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

const RESTORE = '/admin/catalogs/v1/{type}/restore'
const UNDO = '/admin/catalogs/v1/{type}/writes/{batch_id}/undo'

/** To the state after a revision, or before one write, which leaves what came after that. */
type WayBack =
  | { is: 'restore'; revision: number }
  /** Records that were changed later stay as they are. */
  | { is: 'undo'; id: string }

/** The calls that go a way back. */
function callsFor(client: ServiceClient, { name }: RecordType, way: WayBack) {
  if (way.is === 'undo') {
    const params = { type: name, batch_id: way.id }
    return {
      post: (query: Query<'post', typeof UNDO>, signal?: AbortSignal) =>
        client.post(UNDO, { params, query: { ...query, leave_changed: true }, signal }),
      file: (query: Query<'post', typeof UNDO>) =>
        client.file('post', UNDO, { params, query: { ...query, leave_changed: true } }),
    }
  }
  const params = { type: name }
  const { revision } = way
  return {
    post: (query: Query<'post', typeof UNDO>, signal?: AbortSignal) =>
      client.post(RESTORE, { params, query: { ...query, revision }, signal }),
    file: (query: Query<'post', typeof UNDO>) =>
      client.file('post', RESTORE, { params, query: { ...query, revision } }),
  }
}

/** A way back: what it would change, and the step itself, on the catalog as it was previewed. */
function useRestore(type: RecordType, way: WayBack) {
  const { client } = useSession()
  const calls = callsFor(client, type, way)
  const { write, ...previewed } = usePreviewedWrite({
    type,
    queryKey: [PREVIEW, type.name, way],
    send: calls.post,
  })

  /** The full list of one kind of change, as CSV. @throws ServiceError, also when the catalog has moved on */
  const listOf = async (check: Preview, change: Change | undefined): Promise<Blob> =>
    (await calls.file(fullList(check, change))).blob()

  return { ...previewed, restore: write, listOf }
}

type LaterChanges = NonNullable<RestoreCheck['changed_later']>

interface ChangedLaterProps {
  type: RecordType
  /** Records that are taken back. */
  total: number
  later: LaterChanges
  /** Whether the person has said that they stay. */
  isLeft: boolean
  onLeave: () => void
}

/** Which records of a write stay as they are, because others have changed them later. */
function ChangedLater({ type, total, later, isLeft, onLeave }: ChangedLaterProps) {
  const { count, items } = later
  const isOne = count === 1
  return (
    <Alert
      color={isLeft ? 'gray' : 'yellow'}
      icon={<Layers />}
      title={
        `${numberText(total)} of ${numberText(total + count)} can be taken back; ` +
        `${isOne ? 'this one was' : `these ${numberText(count)} were`} changed later`
      }
      role="status"
      ref={takeFocus}
      tabIndex={-1}
    >
      <Stack gap="sm">
        <List size="sm" aria-label="Changed later">
          {items.map((item) => (
            <LaterChange key={item.id} type={type} item={item} />
          ))}
          {count > items.length && <List.Item>and {numberText(count - items.length)} more</List.Item>}
        </List>
        {isLeft || total === 0 ? (
          <Text size="sm">{isOne ? 'It stays as it is.' : 'They stay as they are.'}</Text>
        ) : (
          <Button size="xs" variant="default" style={{ alignSelf: 'flex-start' }} onClick={onLeave}>
            Leave {isOne ? 'it' : 'them'} as {isOne ? 'it is' : 'they are'}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

function LaterChange({ type, item }: { type: RecordType; item: LaterChanges['items'][number] }) {
  const authorOf = useAuthorText()
  const { id, name, batch_id, changed_at, changed_by } = item
  const time = timeText(changed_at)
  return (
    <List.Item className="breakable">
      <Anchor component={Link} href={recordAddress(type, id, WHOLE_LIST)} inherit>
        {name}
      </Anchor>
      {', '}
      {batch_id === null ? (
        time
      ) : (
        <Anchor component={Link} href={writeAddress(type, batch_id)} inherit>
          {time}
        </Anchor>
      )}
      {changed_by !== null && `, by ${authorOf(changed_by)}`}
    </List.Item>
  )
}
