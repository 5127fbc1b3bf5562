import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { type ListState, listAddress, newRecordAddress } from '../../record/catalog-address'
import { countFilters, isFiltered, NO_FILTERS, queryOf } from '../../record/filters'
import { RecordMatches } from '../../record/record-matches'
import { sortQuery } from '../../record/sort'
import { usePartnerSearch } from '../../record/use-partner-search'
import type { RecordPage } from '../../service/answers'
import { useSession } from '../../session-context'
import { Page } from '../../widgets/page'
import { PagedList } from '../../widgets/paged-list'
import { QueryResult } from '../../widgets/query-result'
import { usePages } from '../../widgets/use-pages'
import { countText } from '../../wording'
import { ActivationNotice } from './activation-notice'
import { DownloadMenu } from './download-menu'
import { ListToolbar } from './list-toolbar'
import { NoRecords } from './no-records'
import { recordColumns } from './record-columns'
import { SelectionBar, useSelection } from './selection-bar'
import { useActivation } from './use-activation'

type RecordListPage = RecordPage & { list: ListState }

/** The page of records for the URL. While it loads, the previous page. */
function useRecordList(type: RecordType, list: ListState) {
  const query = { ...queryOf(type, list), ...sortQuery(list) }
  return usePages<RecordListPage>({
    queryKey: ['records', type.name, query],
    address: listAddress(type, { ...list, page: 1 }),
    read: async (client, range, signal) => ({
      ...(await client.get('/admin/datasets/v1/', { query: { ...query, ...range }, signal })),
      list,
    }),
  })
}

interface ListViewProps {
  type: RecordType
  list: ListState
}

/** One page of the catalog, or of the records that match a search and filters. */
export function ListView({ type, list }: ListViewProps) {
  const [, navigate] = useLocation()
  const navigateTo = (change: Partial<ListState>, options?: { replace: boolean }) =>
    navigate(listAddress(type, { ...list, page: 1, ...change }), options)
  const { answer: records, pager } = useRecordList(type, list)
  const { can } = useSession()
  const selection = useSelection(type)
  const offeredSelection = can('catalog:write') ? selection : undefined
  const activation = useActivation(type, selection.clear)
  return (
    <Page title="Catalog">
      <Stack gap="md">
        <ListToolbar
          type={type}
          list={list}
          loading={records.isPlaceholderData && records.isFetching}
          onChange={navigateTo}
        />
        <Heading type={type} list={list} records={records.data} />
        <ActivationNotice activation={activation} />
        <QueryResult query={records} name="list" height={480}>
          {(page) => (
            <>
              <PagedList
                name={type.plural}
                shown={page}
                pager={pager}
                idOf={(record: RawRecord) => String(record[type.idField])}
                columns={recordColumns({ type, list, records: page.items, selection: offeredSelection })}
                minWidth={900}
                highlightOnHover
              />
              <SimilarRecords type={type} list={page.list} records={page}>
                <NoRecords type={type} list={page.list} onChange={navigateTo} />
              </SimilarRecords>
            </>
          )}
        </QueryResult>
        <SelectionBar
          type={type}
          list={list}
          items={records.data?.items ?? []}
          total={records.data?.total ?? 0}
          selection={selection}
          activation={activation}
        />
      </Stack>
    </Page>
  )
}

function Heading({ type, list, records }: ListViewProps & { records: RecordListPage | undefined }) {
  const { can } = useSession()
  return (
    <Group justify="space-between" gap="sm">
      <Text role="status" fw={600}>
        {records !== undefined && totalText(type, records)}
      </Text>
      <Group gap="sm">
        <DownloadMenu type={type} list={list} />
        {can('catalog:write') && (
          <Button component={Link} href={newRecordAddress(type, list)} leftSection={<Plus size={16} />}>
            New {type.title}
          </Button>
        )}
      </Group>
    </Group>
  )
}

const STATE_WORDS = { active: 'active ', inactive: 'inactive ', all: '', problems: '' }

function totalText({ title, plural }: RecordType, { total, list }: RecordListPage): string {
  if (isFiltered(list)) return `${countText(total, title, plural)} found`
  const state = STATE_WORDS[list.states]
  return countText(total, `${state}${title}`, `${state}${plural}`)
}

/** If a search finds fewer records than this, similar records are also shown. Partner search has the same limit. */
const ENOUGH_FOUND = 5

interface SimilarRecordsProps {
  type: RecordType
  list: ListState
  records: RecordPage
  /** Shown if neither the search nor similar names find a record. */
  children: ReactNode
}

/** Active records with names similar to the search, unless it finds enough, or a filter excludes active records. */
function SimilarRecords({ type, list, records, children }: SimilarRecordsProps) {
  const { can } = useSession()
  const isUnfiltered = countFilters({ ...list, states: NO_FILTERS.states }) === 0 && list.states !== 'inactive'
  const isWanted = list.q.trim() !== '' && records.total < ENOUGH_FOUND && isUnfiltered && can('search')
  const search = usePartnerSearch(type, isWanted ? list.q : '', 'workspace')
  const listedIds = new Set(records.items.map((record: RawRecord) => record[type.idField]))
  const similar = (isWanted ? (search.data?.items ?? []) : []).filter(
    (record: RawRecord) => !listedIds.has(record[type.idField]),
  )
  if (similar.length === 0) return records.total === 0 && !search.isLoading ? children : null
  return (
    <Paper withBorder p="md">
      <Stack component="section" aria-labelledby="similar-records" gap="xs">
        <div role="status">
          <Title order={2} size="h5" id="similar-records">
            {records.total === 0 ? `No ${type.title} matches “${list.q}”. Similar names:` : 'Similar names'}
          </Title>
        </div>
        <RecordMatches recordType={type} records={similar} list={list} />
      </Stack>
    </Paper>
  )
}
