import { Button, EmptyState, Group, Text } from '@mantine/core'
import { GitCompareArrows, History } from 'lucide-react'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { useSession } from '../session'
import { Loaded } from '../widgets/loaded'
import { Page } from '../widgets/page'
import { Pager } from '../widgets/pager'
import { useAddressedPages } from '../widgets/use-pages'
import { countText } from '../wording'
import { comparisonAddress, historyAddress } from './address'
import { HistoryFilter } from './history-filter'
import { useCatalogStatus } from './use-writes'
import { WriteList } from './write-list'

/** What was written when, and by whom. */
export function WritesView({ type }: { type: RecordType }) {
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
      description="Every upload, edit and restore, newest first. Open one to see what it did to each record, to take it back, or to go back to that point."
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
