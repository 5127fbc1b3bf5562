import { Alert, Anchor, Button, Group, List, Stack, Text } from '@mantine/core'
import { Layers } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { ServiceClient } from '#client/client'
import type { RecordType } from '#shared/records/record-type'
import { useAuthorText } from '../author-text'
import { activeText, changeSentence, changesIn } from '../changes/change-texts'
import { PreviewedWrite, type WriteCalls } from '../changes/previewed-write'
import { activityText } from '../changes/write-preview'
import { PREVIEW, useRead } from '../queries'
import { recordAddress, WHOLE_LIST } from '../record/catalog-address'
import type { RestoreResult, Write } from '../service/answers'
import { useSession } from '../session-context'
import { BackLink } from '../widgets/back-link'
import { DoneNotice, FocusedAlert } from '../widgets/done-notice'
import { Page } from '../widgets/page'
import { QueryResult } from '../widgets/query-result'
import { countText, numberText, timeText, titleCase } from '../wording'
import { historyAddress, type RestoreKind, restoreAddress, writeAddress } from './history-address'
import { useWrite } from './use-writes'
import { kindText, sentenceText, targetText } from './write-text'

interface RestoreViewProps {
  type: RecordType
  /** ID of the write. */
  id: string
  target: RestoreKind
}

/** Undoes a write, or restores the catalog to the state after it, with a preview and a confirmation. */
export function RestoreView({ type, id, target }: RestoreViewProps) {
  const write = useWrite(type, id)
  return (
    <Page
      above={<BackLink href={writeAddress(type, id)} label="Back to the change" />}
      title={target === 'undo' ? `Undo ${write.data ? `this ${kindText(write.data)}` : ''}` : 'Restore'}
      description={
        `${target === 'undo' ? 'Later changes stay. ' : ''}You see what would change first, and nothing changes ` +
        'until you confirm. You can undo this too.'
      }
    >
      <QueryResult query={write} name="entry" height={320}>
        {(data) => <Restore type={type} write={data} target={target} />}
      </QueryResult>
    </Page>
  )
}

const ALREADY: Readonly<Record<RestoreKind, string>> = {
  undo: 'There is nothing to undo',
  restore: 'The catalog is in that state already',
}

const LEAVE_FIRST = 'First confirm that records changed later stay as they are.'

interface RestoreProps {
  type: RecordType
  write: Write
  target: RestoreKind
}

function Restore({ type, write, target }: RestoreProps) {
  const { client } = useSession()
  // The confirmed catalog state: in a different state, other records have later changes.
  const [leftAt, setLeftAt] = useState<number>()
  const [result, setResult] = useState<RestoreResult>()
  const state = targetText(write, target, useAuthorText()(write.created_by))
  const what = `${target === 'undo' ? 'Its' : 'The'} ${type.plural}`
  if (result !== undefined) return <Restored type={type} text={`${what} are ${state}.`} result={result} />
  return (
    <PreviewedWrite
      type={type}
      calls={restoreCalls(client, write, target)}
      cannotPreview={target === 'undo' ? 'This cannot be undone' : 'The catalog cannot be restored to that state'}
      notWritten="The catalog was not restored"
      textsOf={(check) => ({
        title: changesIn(check) === 0 ? ALREADY[target] : undefined,
        outcome: `${what} would be ${state}. ${titleCase(activityText(check))}`,
        open: check.changed_later !== undefined && leftAt !== check.revision ? LEAVE_FIRST : undefined,
        children: (
          <>
            {check.changed_later !== undefined && (
              <ChangedLater
                type={type}
                total={check.total}
                later={check.changed_later}
                isLeft={leftAt === check.revision}
                onLeave={() => setLeftAt(check.revision)}
              />
            )}
            {target === 'restore' && <LaterWrites type={type} write={write} from={check.revision} />}
          </>
        ),
      })}
      buttons={(_, check) => (
        <Button component={Link} href={writeAddress(type, write.batch_id)} variant="default">
          {check !== undefined && changesIn(check) > 0 ? 'Cancel' : 'Back'}
        </Button>
      )}
      onWritten={setResult}
    />
  )
}

interface RestoredProps {
  type: RecordType
  text: string
  result: RestoreResult
}

function Restored({ type, text, result }: RestoredProps) {
  return (
    <Stack>
      <DoneNotice title={changeSentence(result, true)} text={`${text} ${activeText(result)}`} />
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

/** The requests that restore the catalog to the state after a write, or undo the write and keep later ones. */
function restoreCalls(
  client: ServiceClient,
  { type, batch_id, revision }: Write,
  target: RestoreKind,
): WriteCalls<RestoreResult> {
  const key = [PREVIEW, type, target, batch_id]
  if (target === 'restore') {
    const params = { type }
    return {
      key,
      send: (query, signal) => client.post(RESTORE, { params, query: { ...query, revision }, signal }),
      list: (query) => client.file('post', RESTORE, { params, query: { ...query, revision } }),
    }
  }
  const params = { type, batch_id }
  // Records that were changed later are kept.
  const leaving = { leave_changed: true }
  return {
    key,
    send: (query, signal) => client.post(UNDO, { params, query: { ...query, ...leaving }, signal }),
    list: (query) => client.file('post', UNDO, { params, query: { ...query, ...leaving } }),
  }
}

type LaterChanges = NonNullable<RestoreResult['changed_later']>

interface ChangedLaterProps {
  type: RecordType
  /** Number of records to restore. */
  total: number
  later: LaterChanges
  isLeft: boolean
  onLeave: () => void
}

/** Lists the records that are kept, because later writes have changed them. */
function ChangedLater({ type, total, later, isLeft, onLeave }: ChangedLaterProps) {
  const { count, items } = later
  const isOne = count === 1
  return (
    <FocusedAlert
      color={isLeft ? 'gray' : 'yellow'}
      icon={<Layers />}
      title={
        `${numberText(total)} of ${numberText(total + count)} can be undone; ` +
        `${isOne ? 'this one was' : `these ${numberText(count)} were`} changed later`
      }
      role="status"
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
            Keep {isOne ? 'it' : 'them'} as {isOne ? 'it is' : 'they are'}
          </Button>
        )}
      </Stack>
    </FocusedAlert>
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

/** Later writes to list; the history contains all of them. */
const TAKEN_BACK_SHOWN = 8

interface LaterWritesProps {
  type: RecordType
  write: Write
  from: number
}

function LaterWrites({ type, write, from }: LaterWritesProps) {
  const authorOf = useAuthorText()
  const count = from - write.revision
  const writes = useRead(
    ['writes', type.name, 'since', write.revision, from],
    (client, signal) =>
      client.get('/admin/catalogs/v1/{type}/writes', { params: { type: type.name }, query: { limit: 25 }, signal }),
    { enabled: count > 0 },
  )
  if (count <= 0) return null
  const later = (writes.data?.items ?? [])
    .filter((one) => one.revision > write.revision && one.revision <= from && changesIn(one) > 0)
    .slice(0, TAKEN_BACK_SHOWN)
  return (
    <Alert
      color="yellow"
      icon={<Layers />}
      title={`This also undoes ${countText(count, 'later change', 'later changes')}`}
    >
      <List size="sm">
        {later.map((one) => (
          <List.Item key={one.batch_id} className="breakable">
            {titleCase(sentenceText(one, authorOf(one.created_by)).replace(/^the /, ''))}
          </List.Item>
        ))}
        {later.length > 0 && count > later.length && <List.Item>and {numberText(count - later.length)} more</List.Item>}
      </List>
    </Alert>
  )
}
