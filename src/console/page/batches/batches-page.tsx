import { Button, EmptyState, Skeleton, Text } from '@mantine/core'
import { History } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { useSearch } from 'wouter/use-browser-location'
import type { RecordType } from '#records/record-type'
import { useSession } from '../session'
import { Page } from '../shell/page'
import { Pager } from '../shell/pager'
import type { CatalogPageProps } from '../shell/pages'
import { Problem } from '../shell/problem'
import { TypeSwitch } from '../shell/type-switch'
import { pageOf, usePages } from '../shell/use-pages'
import { countText } from '../wording'
import { BatchList } from './batch-list'

const PAGE_SIZE = 25

/** What was uploaded when, and by whom. */
export default function BatchesPage({ type }: CatalogPageProps) {
  const { client } = useSession()
  const [, navigate] = useLocation()
  const page = pageOf(new URLSearchParams(useSearch()))
  const show = (number: number, options?: { replace: boolean }) =>
    navigate(`/${type.name}/batches${number > 1 ? `?page=${number}` : ''}`, options)
  const batches = usePages({
    queryKey: ['batches', type.name],
    page,
    size: PAGE_SIZE,
    read: (range, signal) =>
      client.get('/admin/datasets/v1/batches/', { query: { type: type.name, ...range }, signal }),
    onPage: show,
  })
  return (
    <Page
      title="Batches"
      description="What became of every uploaded file, newest first."
      actions={<TypeSwitch type={type} page="batches" />}
    >
      <Text role="status" fw={600}>
        {batches.data === undefined ? '' : countText(batches.data.total, 'upload', 'uploads')}
      </Text>
      {batches.error !== null && (
        <Problem
          title="The uploads could not be loaded"
          error={batches.error}
          onRetry={() => batches.refetch()}
        />
      )}
      {batches.isPending && <Skeleton height={320} aria-label="Loading the uploads" />}
      {batches.data !== undefined && batches.data.total === 0 && <NoBatches type={type} />}
      {batches.data !== undefined && batches.data.items.length > 0 && (
        <>
          <BatchList batches={batches.data.items} latestId={batches.data.latest?.batch_id} />
          <Pager items="uploads" page={page} size={PAGE_SIZE} shown={batches.data} onPage={show} />
        </>
      )}
    </Page>
  )
}

function NoBatches({ type }: { type: RecordType }) {
  const { can } = useSession()
  return (
    <EmptyState
      icon={<History aria-hidden />}
      title={`No file with ${type.plural} was uploaded yet`}
      description="Records that are written one by one, or as JSON by a program, are not listed here."
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
