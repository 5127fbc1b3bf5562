import { Button, Group, Stack, Text } from '@mantine/core'
import { Plus } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { type ListState, listAddress, newRecordAddress, PAGE_SIZES } from '../../record/address'
import { isFiltered, queryOf } from '../../record/filters'
import { sortQuery } from '../../record/sort'
import type { RecordPage } from '../../service/answers'
import { useSession } from '../../session'
import { ItemList } from '../../widgets/item-list'
import { Loaded } from '../../widgets/loaded'
import { Page } from '../../widgets/page'
import { Pager } from '../../widgets/pager'
import { usePages } from '../../widgets/use-pages'
import { countText } from '../../wording'
import { ActivationNotice } from './activation-notice'
import { DownloadMenu } from './download-menu'
import { ListFilter } from './list-filter'
import { NoRecords } from './no-records'
import { RecordCard } from './record-card'
import { type RecordColumnsProps, recordColumns } from './record-columns'
import { SelectionBar } from './selection-bar'
import { SimilarRecords } from './similar-records'
import { useActivation } from './use-activation'
import { useSelection } from './use-selection'

type ListedRecords = RecordPage & { list: ListState }

/**
 * The records that an address names; those of the address before it until they are there.
 *
 * @param onPage shows another page
 */
function useRecordList(
  type: RecordType,
  list: ListState,
  onPage: (page: number, options: { replace: boolean }) => void,
) {
  const { client } = useSession()
  const { page, size } = list
  const query = { ...queryOf(type, list), ...sortQuery(list) }
  return usePages<ListedRecords>({
    queryKey: ['records', type.name, query],
    page,
    size,
    read: async (range, signal) => ({
      ...(await client.get('/admin/datasets/v1/', { query: { ...query, ...range }, signal })),
      list,
    }),
    onPage,
  })
}

interface ListViewProps {
  type: RecordType
  list: ListState
}

/** A catalog, page by page, or what of it matches a search. */
export function ListView({ type, list }: ListViewProps) {
  const [, navigate] = useLocation()
  const show = (change: Partial<ListState>, options?: { replace: boolean }) =>
    navigate(listAddress(type, { ...list, page: 1, ...change }), options)
  const records = useRecordList(type, list, (page, options) => show({ page }, options))
  const { can } = useSession()
  const selection = useSelection(type)
  const selectable = can('catalog:write') ? selection : undefined
  const activation = useActivation(type, selection.clear)
  return (
    <Page title="Catalog">
      <Stack gap="md">
        <ListFilter
          type={type}
          list={list}
          loading={records.isPlaceholderData && records.isFetching}
          onChange={show}
        />
        <Heading type={type} list={list} records={records.data} />
        <ActivationNotice activation={activation} />
        <Loaded query={records} name="list" height={480}>
          {(shown) => (
            <>
              {shown.items.length > 0 && (
                <>
                  <RecordItems
                    type={type}
                    list={list}
                    records={shown.items}
                    selection={selectable}
                    onSort={(sort) => show({ sort })}
                  />
                  <Pager
                    items="records"
                    page={list.page}
                    size={list.size}
                    shown={shown}
                    onPage={(page) => show({ page })}
                    sizes={PAGE_SIZES}
                    onSize={(size) => show({ size })}
                  />
                </>
              )}
              <SimilarRecords type={type} list={shown.list} found={shown}>
                <NoRecords type={type} list={shown.list} onChange={show} />
              </SimilarRecords>
            </>
          )}
        </Loaded>
        <SelectionBar
          type={type}
          list={list}
          total={records.data?.total ?? 0}
          selection={selection}
          activation={activation}
        />
      </Stack>
    </Page>
  )
}

const RecordItems = ({ type, list, records, selection, onSort }: RecordColumnsProps) => (
  <ItemList
    name={type.plural}
    items={records}
    idOf={(record) => String(record[type.idField])}
    columns={recordColumns({ type, list, records, selection, onSort })}
    minWidth={900}
    highlightOnHover
    card={(record) => <RecordCard type={type} list={list} record={record} selection={selection} />}
    cardClass="card-link"
  />
)

function Heading({ type, list, records }: ListViewProps & { records: ListedRecords | undefined }) {
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

const STATE_WORDS = { active: 'active ', inactive: 'inactive ', all: '' }

function totalText({ title, plural }: RecordType, { total, list }: ListedRecords): string {
  if (isFiltered(list)) return `${countText(total, title, plural)} found`
  const state = STATE_WORDS[list.states]
  return countText(total, `${state}${title}`, `${state}${plural}`)
}
