import type { RecordType } from '#records/record-type'
import type { ListState } from '../record/address'
import type { RecordPage } from '../service/answers'
import { useSession } from '../session'
import { usePages } from '../shell/use-pages'

/** A page of records, with the list that it is a page of. */
export type ListedRecords = RecordPage & { list: ListState }

/**
 * The records that an address names; those of the address before it until they are there.
 *
 * @param onPage shows another page
 */
export function useRecordList(
  { name }: RecordType,
  list: ListState,
  onPage: (page: number, options: { replace: boolean }) => void,
) {
  const { client } = useSession()
  const { q, inactive, page, size } = list
  return usePages<ListedRecords>({
    queryKey: ['records', name, { q, inactive }],
    page,
    size,
    read: async (range, signal) => {
      const query = {
        type: name,
        q: q === '' ? undefined : q,
        show_inactive: inactive ? ('1' as const) : undefined,
        ...range,
      }
      return { ...(await client.get('/admin/datasets/v1/', { query, signal })), list }
    },
    onPage,
  })
}
