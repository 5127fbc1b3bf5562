import { Button, EmptyState, NativeSelect, Text } from '@mantine/core'
import { History } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { keysOf } from '#shared/text/keys-of'
import { LastDays } from '../activity/last-days'
import { useActivity } from '../activity/use-activity'
import type { ListedWrite, Upload } from '../service/answers'
import { useSession } from '../session-context'
import { Page } from '../widgets/page'
import { type ListPage, PagedList } from '../widgets/paged-list'
import { Problem } from '../widgets/problem'
import { QueryResult } from '../widgets/query-result'
import { usePages } from '../widgets/use-pages'
import { countText } from '../wording'
import { COLUMNS, uploadEntry, writeEntry } from './entries'
import { type EntryFilter, historyAddress } from './history-address'
import { isWritten, OUTCOME_TEXTS } from './uploads/outcome-text'
import { useCatalogStatus } from './use-writes'

/** Outcomes that can be listed in addition to written uploads. */
const OUTCOMES = keysOf(OUTCOME_TEXTS).filter((outcome) => !isWritten({ outcome }))

const CHOICES = [
  { value: '', label: 'What was written' },
  { value: 'all', label: 'All uploads' },
  ...OUTCOMES.map((outcome) => ({ value: outcome, label: OUTCOME_TEXTS[outcome] })),
]

/** @param text the text of a choice */
const filterOf = (text: string | null): EntryFilter | undefined =>
  text ? (OUTCOMES.find((outcome) => outcome === text) ?? 'all') : undefined

/** Lists all writes, or every upload with its outcome, newest first. @param filterText from the URL */
export function HistoryList({ type, filterText }: { type: RecordType; filterText: string | null }) {
  const { can } = useSession()
  const [, navigate] = useLocation()
  const filter = filterOf(filterText)
  const status = useCatalogStatus(type)
  const activity = useActivity()
  const { answer: entries, pager } = useEntries(type, filter)
  return (
    <Page
      title="History"
      description={
        'Every upload, edit and restore, newest first. Open an entry to see what it changed, undo it, or approve a ' +
        'pending file.'
      }
      actions={
        <NativeSelect
          aria-label="What is listed"
          data={CHOICES}
          value={filter ?? ''}
          onChange={({ currentTarget: { value } }) => navigate(historyAddress(type, filterOf(value)))}
        />
      }
    >
      {activity.error === null ? (
        <LastDays type={type} days={activity.data?.get(type.name)} />
      ) : (
        <Problem title="The last 30 days could not be loaded" error={activity.error} onRetry={activity.refetch} />
      )}
      <Text role="status" fw={600} mih={25}>
        {entries.data === undefined ? '' : countText(entries.data.total, 'entry', 'entries')}
      </Text>
      <QueryResult query={entries} name="history" height={320}>
        {(page) => (
          <>
            {page.total === 0 && <NoEntries type={type} filter={filter} />}
            <PagedList
              name="history"
              shown={{
                ...page,
                items: page.items.map((item) =>
                  'upload_id' in item
                    ? uploadEntry(type, item)
                    : writeEntry(type, item, status.data, can('catalog:write')),
                ),
              }}
              pager={pager}
              idOf={({ id }) => id}
              columns={COLUMNS}
              minWidth={760}
            />
          </>
        )}
      </QueryResult>
    </Page>
  )
}

function useEntries(type: RecordType, filter: EntryFilter | undefined) {
  const params = { type: type.name }
  return usePages<ListPage<ListedWrite | Upload>>({
    address: historyAddress(type, filter),
    queryKey: ['history', type.name, filter],
    read: (client, range, signal) =>
      filter === undefined
        ? client.get('/admin/catalogs/v1/{type}/writes', { params, query: { ...range, include: 'changes' }, signal })
        : client.get('/admin/catalogs/v1/{type}/uploads', {
            params,
            // Excludes previews of files in the console, which do not concern other users.
            query: { ...range, outcome: filter === 'all' ? undefined : filter, previews: false },
            signal,
          }),
  })
}

function NoEntries({ type, filter }: { type: RecordType; filter: EntryFilter | undefined }) {
  const { can } = useSession()
  const isWholeList = filter === undefined || filter === 'all'
  return (
    <EmptyState
      icon={<History />}
      title={isWholeList ? `No ${type.plural} were written yet` : 'There are no such entries'}
      description="Uploads, edits and imports are listed here, including rejected ones."
    >
      {filter === undefined && can('catalog:write') && (
        <EmptyState.Actions>
          <Button component={Link} href={`/${type.name}/upload`}>
            Upload {type.plural}
          </Button>
        </EmptyState.Actions>
      )}
    </EmptyState>
  )
}
