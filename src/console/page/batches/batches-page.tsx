import { Button, EmptyState, Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { useSearch } from 'wouter/use-browser-location'
import type { RecordType } from '../../../catalog/record-type'
import { type BatchPage, DATASETS } from '../service/answers'
import { useSession } from '../session'
import { Page } from '../shell/page'
import { Pager } from '../shell/pager'
import type { CatalogPageProps } from '../shell/pages'
import { Problem } from '../shell/problem'
import { TypeSwitch } from '../shell/type-switch'
import { countText } from '../wording'
import { BatchList } from './batch-list'

const PAGE_SIZE = 25

/** The page that the address names, from 1. */
function pageOf(search: string): number {
  const page = new URLSearchParams(search).get('page') ?? ''
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1
}

/** What was uploaded when, and by whom. */
export default function BatchesPage({ type }: CatalogPageProps) {
  const { client } = useSession()
  const [, navigate] = useLocation()
  const page = pageOf(useSearch())
  const batches = useQuery({
    queryKey: ['batches', type.name, page],
    queryFn: ({ signal }) =>
      client.get<BatchPage>(
        `${DATASETS}batches/`,
        { type: type.name, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
        signal,
      ),
    placeholderData: keepPreviousData,
  })
  const address = (number: number) => `/${type.name}/batches${number > 1 ? `?page=${number}` : ''}`
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
      {batches.data !== undefined && batches.data.total > 0 && (
        <>
          <BatchList batches={batches.data.items} latestId={batches.data.latest?.batch_id} />
          <Pager
            items="uploads"
            page={Math.min(page, Math.ceil(batches.data.total / PAGE_SIZE))}
            size={PAGE_SIZE}
            total={batches.data.total}
            onPage={(number) => {
              navigate(address(number))
              window.scrollTo({ top: 0 })
            }}
          />
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
