import type { RecordType } from '#records/record-type'
import type { ListState } from '../record/address'
import { queryOf } from '../record/filters'
import { NEWEST_FIRST } from '../record/sort'
import type { RecordPage } from '../service/answers'
import { useSession } from '../session'
import { usePages } from '../shell/use-pages'

export type ListedRecords = RecordPage & { list: ListState }

/**
 * The records that an address names; those of the address before it until they are there.
 *
 * @param onPage shows another page
 */
export function useRecordList(
  type: RecordType,
  list: ListState,
  onPage: (page: number, options: { replace: boolean }) => void,
) {
  const { client } = useSession()
  const { page, size, sort } = list
  const query = { ...queryOf(type, list), ...(sort === NEWEST_FIRST ? {} : { sort }) }
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
