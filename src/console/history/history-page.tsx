import { Button, Group, Stack, Text } from '@mantine/core'
import { History, Undo2 } from 'lucide-react'
import { Link } from 'wouter'
import { useSearch } from 'wouter/use-browser-location'
import type { RecordType } from '#shared/records/record-type'
import { useAuthorText } from '../author-text'
import type { CatalogPageProps } from '../frame/shown-catalog'
import { useRoute } from '../routes'
import type { CatalogStatus, Write } from '../service/answers'
import { useSession } from '../session-context'
import { BackLink } from '../widgets/back-link'
import { Page } from '../widgets/page'
import { QueryResult } from '../widgets/query-result'
import { RestrictedPage } from '../widgets/restricted-page'
import { countText, timeText, titleCase } from '../wording'
import { ChangedRecords } from './changed-records'
import { historyAddress, restoreAddress, writeAddress } from './history-address'
import { HistoryList } from './history-list'
import { RestoreView } from './restore-view'
import { UploadView } from './uploads/upload-view'
import { useCatalogStatus, useWrite } from './use-writes'
import { canGoBackTo, canUndo, countsText, detailText, kindText, titleText, undoText } from './write-text'

/** The history of a catalog, one write or upload, or a restore, depending on the URL. */
export default function HistoryPage({ type }: CatalogPageProps) {
  const route = useRoute()
  const filter = new URLSearchParams(useSearch()).get('show')
  switch (route?.is) {
    case 'upload':
      return <UploadView key={route.id} type={type} id={route.id} />
    case 'write':
      return <WriteView key={route.id} type={type} id={route.id} />
    case 'undo':
    case 'restore':
      return (
        <RestrictedPage
          scope="catalog:write"
          title={route.is === 'undo' ? 'Undo' : 'Restore'}
          above={<BackLink href={writeAddress(type, route.id)} label="Back to the change" />}
        >
          <RestoreView key={`${route.id}/${route.is}`} type={type} id={route.id} target={route.is} />
        </RestrictedPage>
      )
    default:
      return <HistoryList type={type} filterText={filter} />
  }
}

const CHANGES_OF = '/admin/catalogs/v1/{type}/writes/{batch_id}/changes'

function WriteView({ type, id }: { type: RecordType; id: string }) {
  const { client } = useSession()
  const write = useWrite(type, id)
  const status = useCatalogStatus(type)
  const params = { type: type.name, batch_id: id }
  return (
    <Page
      above={<BackLink href={historyAddress(type)} label={`History of the ${type.plural}`} />}
      title={write.data === undefined ? 'History' : titleText(write.data)}
      description={
        // Reserves the final height, so that nothing moves when the write and its author's name are loaded.
        <Text span display="block" mih={{ base: 50, sm: 25 }}>
          {write.data !== undefined && <WriteOrigin write={write.data} />}
        </Text>
      }
      actions={
        write.data !== undefined &&
        status.data !== undefined && <WriteActions type={type} write={write.data} status={status.data} />
      }
    >
      <QueryResult query={write} name="entry" missing="There is no such entry" height={120}>
        {(data) => (
          <Stack gap="lg">
            <Text fw={600}>
              {countsText(data)}
              {data.warnings > 0 &&
                `, with ${countText(data.warnings, 'warning', 'warnings')} (listed only in the preview)`}
            </Text>
            <ChangedRecords
              type={type}
              address={writeAddress(type, id)}
              queryKey={['write-changes', type.name, id]}
              read={(client, range, signal) => client.get(CHANGES_OF, { params, query: range, signal })}
              readFile={async () => {
                const query = { format: 'csv', safe: '1' } as const
                return (await client.file('get', CHANGES_OF, { params, query })).blob()
              }}
              none="No record was changed."
            />
          </Stack>
        )}
      </QueryResult>
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
        {` · revision ${write.revision}`}
      </Text>
    </Text>
  )
}

function WriteActions({ type, write, status }: { type: RecordType; write: Write; status: CatalogStatus }) {
  const { can } = useSession()
  return (
    <Group gap="xs">
      {canGoBackTo(write, status) && can('catalog:write') && (
        <Button
          component={Link}
          href={restoreAddress(type, write.batch_id, 'restore')}
          variant="default"
          leftSection={<History size={16} />}
        >
          Restore this state
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
