import { Button, EmptyState, Group, Stack, Text } from '@mantine/core'
import { GitCompareArrows, History, Undo2 } from 'lucide-react'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { BackLink } from '../catalog/links'
import type { CatalogStatus, Write } from '../service/answers'
import { useSession } from '../session'
import type { CatalogPageProps } from '../shell/catalog-page'
import { UploadView } from '../uploads/upload-view'
import { UploadsView } from '../uploads/uploads-view'
import { useAuthorText } from '../use-author-text'
import { Loaded } from '../widgets/loaded'
import { Page } from '../widgets/page'
import { Pager } from '../widgets/pager'
import { Restricted } from '../widgets/restricted'
import { useAddressedPages } from '../widgets/use-pages'
import { countText, timeText, titleCase } from '../wording'
import { comparisonAddress, historyAddress, restoreAddress, useHistoryPlace, writeAddress } from './address'
import { ChangedRecords } from './changed-records'
import { ComparisonView } from './comparison-view'
import { HistoryFilter } from './history-filter'
import { RestoreView } from './restore-view'
import { useCatalogStatus, useWrite } from './use-writes'
import { WriteList } from './write-list'
import { canGoBackTo, canUndo, detailText, kindText, outcomeText, titleText, undoText } from './write-text'

/** All writes of a catalog, one of them, the way back, or two states beside each other, as the address says. */
export default function HistoryPage({ type }: CatalogPageProps) {
  const place = useHistoryPlace()
  if (place.is === 'list') {
    return place.shown === null ? <WritesView type={type} /> : <UploadsView type={type} shown={place.shown} />
  }
  if (place.is === 'upload') return <UploadView key={place.id} type={type} id={place.id} />
  if (place.is === 'comparison') return <ComparisonView type={type} from={place.from} to={place.to} />
  if (place.is === 'write') return <WriteView key={place.id} type={type} id={place.id} />
  return (
    <Restricted
      scope="catalog:write"
      title={place.is === 'undo' ? 'Undo' : 'Go back'}
      above={<BackLink href={writeAddress(type, place.id)} label="What it did" />}
    >
      <RestoreView key={`${place.id}/${place.is}`} type={type} id={place.id} target={place.is} />
    </Restricted>
  )
}

/** What was written when, and by whom. */
function WritesView({ type }: { type: RecordType }) {
  const { client } = useSession()
  const status = useCatalogStatus(type)
  const { answer: writes, place } = useAddressedPages({
    address: historyAddress(type),
    queryKey: ['writes', type.name],
    read: (range, signal) =>
      client.get('/admin/catalogs/v1/{type}/writes', {
        params: { type: type.name },
        query: { ...range, include: 'changes' },
        signal,
      }),
  })
  return (
    <Page
      title="History"
      description={
        'Every upload, edit and restore, newest first. Open one to see what it did to each record, to take ' +
        'it back, or to go back to that point.'
      }
      actions={<HistoryFilter type={type} shown={undefined} />}
    >
      <Group justify="space-between">
        <Text role="status" fw={600}>
          {writes.data === undefined ? '' : countText(writes.data.total, 'entry', 'entries')}
        </Text>
        {status.data !== undefined && status.data.revision > status.data.oldest_restorable_revision && (
          <Button
            component={Link}
            href={comparisonAddress(type)}
            variant="default"
            leftSection={<GitCompareArrows size={16} />}
          >
            Compare two points in time
          </Button>
        )}
      </Group>
      <Loaded query={writes} name="history" height={320}>
        {(shown) => (
          <>
            {shown.total === 0 && <NoWrites type={type} />}
            {shown.items.length > 0 && (
              <>
                <WriteList type={type} writes={shown.items} status={status.data} />
                <Pager items="history" {...place} shown={shown} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function NoWrites({ type }: { type: RecordType }) {
  const { can } = useSession()
  return (
    <EmptyState
      icon={<History />}
      title={`No ${type.plural} were written yet`}
      description="Uploads, edits and what programs send are listed here."
    >
      {can('catalog:write') && (
        <EmptyState.Actions>
          <Button component={Link} href={`/${type.name}/upload`}>
            Upload {type.plural}
          </Button>
        </EmptyState.Actions>
      )}
    </EmptyState>
  )
}

const CHANGES_OF = '/admin/catalogs/v1/{type}/writes/{batch_id}/changes'

/** One write: who, when, and what it did to which record. */
function WriteView({ type, id }: { type: RecordType; id: string }) {
  const { client } = useSession()
  const write = useWrite(type, id)
  const status = useCatalogStatus(type)
  const params = { type: type.name, batch_id: id }
  return (
    <Page
      above={<BackLink href={historyAddress(type)} label={`History of the ${type.plural}`} />}
      title={write.data === undefined ? 'History' : titleText(write.data)}
      description={write.data !== undefined && <WriteOrigin write={write.data} />}
      actions={
        write.data !== undefined &&
        status.data !== undefined && <Ways type={type} write={write.data} status={status.data} />
      }
    >
      <Loaded query={write} name="entry" missing="There is no such entry" height={120}>
        {(loaded) => (
          <Stack gap="lg">
            <Text fw={600}>
              {outcomeText(loaded)}
              {loaded.warnings > 0 && `, with ${countText(loaded.warnings, 'warning', 'warnings')}`}
            </Text>
            <ChangedRecords
              type={type}
              address={writeAddress(type, id)}
              queryKey={['write-changes', type.name, id]}
              read={(range, signal) => client.get(CHANGES_OF, { params, query: range, signal })}
              readFile={async () => {
                const query = { format: 'csv', safe: '1' } as const
                return (await client.file('get', CHANGES_OF, { params, query })).blob()
              }}
              none="No record was changed."
            />
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

function WriteOrigin({ write }: { write: Write }) {
  const author = useAuthorText()(write.created_by)
  return (
    <Text span className="breakable">
      {[titleCase(kindText(write)), detailText(write), timeText(write.created_at), `by ${author}`]
        .filter((part) => part !== undefined)
        .join(' · ')}
      <Text span size="xs">
        {` · state ${write.revision}`}
      </Text>
    </Text>
  )
}

/** What can be done from here: the ways back, and what has changed since then. */
function Ways({ type, write, status }: { type: RecordType; write: Write; status: CatalogStatus }) {
  const { can } = useSession()
  const isEarlier = canGoBackTo(write, status)
  return (
    <Group gap="xs">
      {isEarlier && (
        <Button
          component={Link}
          href={comparisonAddress(type, { from: write.revision })}
          variant="default"
          leftSection={<GitCompareArrows size={16} />}
        >
          Compare with now
        </Button>
      )}
      {isEarlier && can('catalog:write') && (
        <Button
          component={Link}
          href={restoreAddress(type, write.batch_id, 'restore')}
          variant="default"
          leftSection={<History size={16} />}
        >
          Go back to this point
        </Button>
      )}
      {canUndo(write, status) && can('catalog:write') && (
        <Button
          component={Link}
          href={restoreAddress(type, write.batch_id, 'undo')}
          variant="default"
          leftSection={<Undo2 size={16} />}
        >
          {undoText(write)}
        </Button>
      )}
    </Group>
  )
}
