import { Anchor, Badge, Button, EmptyState, Group, NativeSelect, Stack, Text, VisuallyHidden } from '@mantine/core'
import { History } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { Differences } from '../record/differences'
import type { CatalogStatus, ListedWrite, Upload, WriteChange } from '../service/answers'
import { useSession } from '../session'
import { isOutcome, isWritten, OUTCOME_TEXTS, reasonText, uploadDetail, uploadTitle } from '../uploads/outcome-text'
import { OutcomeBadge } from '../uploads/upload-facts'
import { Author } from '../use-author-text'
import { type Column, ItemList } from '../widgets/item-table'
import { Loaded } from '../widgets/loaded'
import { Page } from '../widgets/page'
import { Pager } from '../widgets/pager'
import { useAddressedPages } from '../widgets/use-pages'
import { countText, timeText } from '../wording'
import { historyAddress, restoreAddress, type Shown, uploadAddress, writeAddress } from './address'
import { ChangeBadge, CompareLink, RecordLink } from './changed-records'
import { useCatalogStatus } from './use-writes'
import { canUndo, detailText, isCurrent, outcomeText, titleText, undoText } from './write-text'

/** What can be listed besides what was written. */
const OUTCOMES = Object.entries(OUTCOME_TEXTS).filter(([outcome]) => isOutcome(outcome) && !isWritten({ outcome }))

const CHOICES = [
  { value: '', label: 'What was written' },
  { value: 'arrived', label: 'All that arrived' },
  ...OUTCOMES.map(([value, label]) => ({ value, label })),
]

/** What was written, or whatever arrived with what became of it, newest first. @param shown as the address has it */
export function HistoryList({ type, shown: named }: { type: RecordType; shown: string | null }) {
  const { can } = useSession()
  const [, navigate] = useLocation()
  const shown = named === null || isOutcome(named) ? (named ?? undefined) : 'arrived'
  const status = useCatalogStatus(type)
  const { answer: entries, place } = useEntries(type, shown)
  return (
    <Page
      title="History"
      description={
        'Every upload, edit and restore, newest first. Open one to see what it did, to take it back, or to ' +
        'decide about a file that waits.'
      }
      actions={
        <NativeSelect
          aria-label="What is listed"
          data={CHOICES}
          value={shown ?? ''}
          onChange={({ currentTarget: { value } }) =>
            navigate(historyAddress(type, isOutcome(value) || value === 'arrived' ? value : undefined))
          }
        />
      }
    >
      <Group justify="space-between">
        <Text role="status" fw={600}>
          {entries.data === undefined ? '' : countText(entries.data.total, 'entry', 'entries')}
        </Text>
        {status.data !== undefined && status.data.revision > status.data.oldest_restorable_revision && (
          <CompareLink type={type}>Compare two points in time</CompareLink>
        )}
      </Group>
      <Loaded query={entries} name="history" height={320}>
        {(page) => (
          <>
            {page.total === 0 && <NoEntries type={type} shown={shown} />}
            {page.items.length > 0 && (
              <>
                <ItemList
                  name="history"
                  items={page.items.map((item) =>
                    'upload_id' in item
                      ? uploadEntry(type, item)
                      : writeEntry(type, item, status.data, can('catalog:write')),
                  )}
                  idOf={({ id }) => id}
                  columns={COLUMNS}
                  minWidth={760}
                  rowClassOf={({ isCurrent }) => (isCurrent ? 'latest' : undefined)}
                  card={(entry) => <EntryCard {...entry} />}
                />
                <Pager items="history" {...place} shown={page} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface EntriesPage {
  items: readonly (ListedWrite | Upload)[]
  offset: number
  count: number
  total: number
}

/** One page of the part of the history that the address names. */
function useEntries(type: RecordType, shown: Shown | undefined) {
  const { client } = useSession()
  const params = { type: type.name }
  return useAddressedPages<EntriesPage>({
    address: historyAddress(type, shown),
    queryKey: ['history', type.name, shown],
    read: (range, signal) =>
      shown === undefined
        ? client.get('/admin/catalogs/v1/{type}/writes', { params, query: { ...range, include: 'changes' }, signal })
        : client.get('/admin/catalogs/v1/{type}/uploads', {
            params,
            // A preview of a file in this console: nobody else has to know of it.
            query: { ...range, outcome: shown === 'arrived' ? undefined : shown, previews: false },
            signal,
          }),
  })
}

function NoEntries({ type, shown }: { type: RecordType; shown: Shown | undefined }) {
  const { can } = useSession()
  const isWholeList = shown === undefined || shown === 'arrived'
  return (
    <EmptyState
      icon={<History />}
      title={isWholeList ? `No ${type.plural} were written yet` : 'There is none of these'}
      description="Uploads, edits and what programs send are listed here, also what is refused."
    >
      {shown === undefined && can('catalog:write') && (
        <EmptyState.Actions>
          <Button component={Link} href={`/${type.name}/upload`}>
            Upload {type.plural}
          </Button>
        </EmptyState.Actions>
      )}
    </EmptyState>
  )
}

/** A line of the history, whatever it is about. */
interface Entry {
  id: string
  address: string
  /** ISO 8601. */
  time: string
  createdBy: string
  title: string
  detail: string | undefined
  outcome: ReactNode
  /** Whether the catalog is as it left it. */
  isCurrent: boolean
  /** Undefined if this person cannot undo it. */
  undo: { address: string; text: string } | undefined
}

/** @param status undefined until it is known */
function writeEntry(type: RecordType, write: ListedWrite, status: CatalogStatus | undefined, mayWrite: boolean): Entry {
  const isUndoable = mayWrite && status !== undefined && canUndo(write, status)
  return {
    id: write.batch_id,
    address: writeAddress(type, write.batch_id),
    time: write.created_at,
    createdBy: write.created_by,
    title: titleText(write),
    detail: detailText(write),
    outcome: <WriteOutcome type={type} write={write} />,
    isCurrent: status !== undefined && isCurrent(write, status),
    undo: isUndoable ? { address: restoreAddress(type, write.batch_id, 'undo'), text: undoText(write) } : undefined,
  }
}

const uploadEntry = (type: RecordType, upload: Upload): Entry => ({
  id: upload.upload_id,
  address: uploadAddress(type, upload.upload_id),
  time: upload.created_at,
  createdBy: upload.created_by,
  title: uploadTitle(upload),
  detail: uploadDetail(upload),
  outcome: <UploadOutcome upload={upload} />,
  isCurrent: false,
  undo: undefined,
})

const COLUMNS: readonly Column<Entry>[] = [
  {
    label: 'When',
    cell: (entry) => (
      <>
        <EntryLink {...entry} />
        <EntryAuthor {...entry} />
      </>
    ),
    isRowHeader: true,
    className: 'author-cell top-cell',
  },
  {
    label: 'What',
    cell: ({ title, detail }) => (
      <>
        {title}
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      </>
    ),
    className: 'file-cell top-cell',
  },
  { label: 'What became of it', cell: ({ outcome }) => outcome, className: 'top-cell' },
  {
    label: 'Undo',
    hidesLabel: true,
    cell: (entry) => <UndoLink {...entry} />,
    className: 'actions-cell top-cell',
  },
]

const EntryCard = (entry: Entry) => (
  <Stack gap={4}>
    <EntryLink {...entry} />
    <EntryAuthor {...entry} />
    <Text size="sm" className="breakable">
      {entry.title}
    </Text>
    <Text size="sm" c="dimmed">
      {entry.detail}
    </Text>
    {entry.outcome}
    <UndoLink {...entry} />
  </Stack>
)

const EntryLink = ({ address, time, isCurrent }: Entry) => (
  <Group gap="xs" wrap="nowrap">
    <Anchor component={Link} href={address} fw={550} inherit className="time-cell">
      {timeText(time)}
    </Anchor>
    {isCurrent && (
      <Badge size="sm" variant="filled" c="var(--mantine-color-white)">
        Current
      </Badge>
    )}
  </Group>
)

const EntryAuthor = ({ createdBy }: Entry) => (
  <Text size="xs" c="dimmed" fw={400} className="breakable">
    by <Author createdBy={createdBy} />
  </Text>
)

const UndoLink = ({ undo, time }: Entry) =>
  undo !== undefined && (
    <Anchor component={Link} href={undo.address} size="sm">
      {undo.text}
      <VisuallyHidden> of {timeText(time)}</VisuallyHidden>
    </Anchor>
  )

/** What a write changed: each record if they are few, else how many. */
const WriteOutcome = ({ type, write }: { type: RecordType; write: ListedWrite }) => (
  <>
    {write.changes === undefined ? (
      <Text size="sm">{outcomeText(write)}</Text>
    ) : (
      write.changes.map((change) => <ListedChange key={change.id} type={type} change={change} />)
    )}
    {write.warnings > 0 && (
      <Text size="xs" c="dimmed">
        {countText(write.warnings, 'warning', 'warnings')}
      </Text>
    )}
  </>
)

/** Fields of one record that are shown in the list. */
const NAMED_FIELDS = 3

/** What became of one record. All fields of a new one are new: they are not named. */
const ListedChange = ({ type, change }: { type: RecordType; change: WriteChange }) => (
  <div>
    <Group gap="xs">
      <RecordLink type={type} change={change} />
      {change.change !== 'updated' && <ChangeBadge change={change.change} />}
    </Group>
    {change.change !== 'inserted' && <Differences fields={change.fields ?? {}} most={NAMED_FIELDS} />}
  </div>
)

const UploadOutcome = ({ upload }: { upload: Upload }) => (
  <>
    <OutcomeBadge upload={upload} />
    {!isWritten(upload) && upload.held_for !== 'dry_run' && (
      <Text size="sm" className="breakable">
        {reasonText(upload)}
      </Text>
    )}
    {upload.repeated > 0 && (
      <Text size="xs" c="dimmed">
        {`${countText(upload.repeated, 'time', 'times')} more, last ${timeText(upload.last_at)}`}
      </Text>
    )}
  </>
)
