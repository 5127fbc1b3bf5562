import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import type { RecordType } from '../../../catalog/record-type'
import { type ListState, listAddress, newRecordAddress, PAGE_SIZES } from '../record/address'
import { DATASETS, type RecordPage } from '../service/answers'
import { useSession } from '../session'
import { Page } from '../shell/page'
import { Pager } from '../shell/pager'
import { Problem } from '../shell/problem'
import { TypeSwitch } from '../shell/type-switch'
import { countText } from '../wording'
import { DownloadMenu } from './download-menu'
import { ListFilter } from './list-filter'
import { NoRecords } from './no-records'
import { RecordList } from './record-list'

interface ListViewProps {
  type: RecordType
  list: ListState
}

/** A catalog, page by page, or what of it matches a search. */
export function ListView({ type, list }: ListViewProps) {
  const { client, can } = useSession()
  const [, navigate] = useLocation()
  const { q, inactive, page, size } = list
  const records = useQuery({
    queryKey: ['records', type.name, { q, inactive, page, size }],
    queryFn: ({ signal }) =>
      client.getBare<RecordPage>(
        DATASETS,
        {
          type: type.name,
          q: q === '' ? undefined : q,
          show_inactive: inactive ? 1 : undefined,
          limit: size,
          offset: (page - 1) * size,
        },
        signal,
      ),
    placeholderData: keepPreviousData,
  })

  const show = (change: Partial<ListState>, options?: { replace: boolean }) =>
    navigate(listAddress(type, { ...list, page: 1, ...change }), options)

  const lastPage = Math.ceil((records.data?.total ?? 0) / size)
  const isBeyondEnd = !records.isPlaceholderData && lastPage > 0 && page > lastPage
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list that has no such page.
  useEffect(() => {
    if (isBeyondEnd) show({ page: lastPage }, { replace: true })
  }, [isBeyondEnd, lastPage])

  return (
    <Page title="Catalog" actions={<TypeSwitch type={type} page="catalog" />}>
      <Stack gap="md">
        <ListFilter
          type={type}
          list={list}
          loading={records.isPlaceholderData && records.isFetching}
          onChange={show}
        />
        <Group justify="space-between" gap="sm">
          <Text role="status" fw={600}>
            {records.data === undefined ? '' : totalText(type, list, records.data.total)}
          </Text>
          <Group gap="sm">
            <DownloadMenu type={type} q={q} />
            {can('catalog:write') && (
              <Button
                component={Link}
                href={newRecordAddress(type, list)}
                leftSection={<Plus size={16} aria-hidden />}
              >
                New {type.title}
              </Button>
            )}
          </Group>
        </Group>
        {records.error !== null && (
          <Problem
            title="The list could not be loaded"
            error={records.error}
            onRetry={() => records.refetch()}
          />
        )}
        {records.isPending && <Skeleton height={480} aria-label="Loading the list" />}
        {records.data !== undefined && !isBeyondEnd && records.data.items.length === 0 && (
          <NoRecords type={type} list={list} onChange={show} />
        )}
        {records.data !== undefined && records.data.items.length > 0 && (
          <>
            <RecordList type={type} list={list} records={records.data.items} />
            <Pager
              items="records"
              page={page}
              size={size}
              total={records.data.total}
              onPage={(number) => {
                show({ page: number })
                window.scrollTo({ top: 0 })
              }}
              sizes={PAGE_SIZES}
              onSize={(number) => show({ size: number })}
            />
          </>
        )}
      </Stack>
    </Page>
  )
}

function totalText(type: RecordType, { q, inactive }: ListState, total: number): string {
  if (q.trim() !== '') return `${countText(total, type.title, type.plural)} found`
  return countText(total, ...(inactive ? names(type) : names(type, 'active ')))
}

const names = ({ title, plural }: RecordType, state = ''): [string, string] => [
  `${state}${title}`,
  `${state}${plural}`,
]
