import type { Query } from '#client/api'
import type { ServiceClient } from '#client/client'
import { DEFAULT_MAX_SHRINK } from '#shared/limits'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import type { ListState } from '../../record/address'
import { queryOf } from '../../record/filters'
import type { WriteResult } from '../../service/answers'

/** Records that can be selected one by one, and all that a search has found. */
export const MOST_BY_HAND = 200
export const MOST_FOUND = 2000

/** Records of one page of a list, as many as the service gives. */
const READ_PER_PAGE = 1000

/** Records that are to become active or inactive. */
export interface StateChange {
  ids: readonly string[]
  active: boolean
}

/** All records of a list, page by page. */
export async function readList(
  client: ServiceClient,
  type: RecordType,
  list: ListState,
): Promise<RawRecord[]> {
  const records: RawRecord[] = []
  for (let offset = 0; ; ) {
    const query = { ...queryOf(type, list), limit: READ_PER_PAGE, offset }
    const page = await client.get('/admin/datasets/v1/', { query })
    records.push(...page.items)
    offset += page.count
    if (!page.has_more || page.count === 0) return records
  }
}

/**
 * Makes records active or inactive, or says what that would do. All other values stay, whoever writes them meanwhile.
 *
 * @throws ServiceError 409 if too many would be deactivated, and nobody has confirmed it
 */
export const changeState = (
  client: ServiceClient,
  { name, idField }: RecordType,
  { ids, active }: StateChange,
  query: Omit<Query<'post', '/admin/datasets/v1/'>, 'type'>,
  signal?: AbortSignal,
): Promise<WriteResult> =>
  client.post('/admin/datasets/v1/', {
    // The guard of a file holds here too.
    query: { type: name, keep_missing: true, max_shrink: DEFAULT_MAX_SHRINK, ...query },
    body: ids.map((id) => ({ [idField]: id, is_active: active })),
    ...(signal !== undefined && { signal }),
  })

/** Takes back a write of this page, but for records that were changed later. @throws ServiceError */
export async function takeBack(client: ServiceClient, { name }: RecordType, revision: number): Promise<void> {
  const params = { type: name }
  const { items } = await client.get('/admin/catalogs/v1/{type}/writes', { params, query: { limit: 100 } })
  const write = items.find((one) => one.revision === revision && one.total > one.unchanged)
  if (write === undefined) throw new Error('This change is too old to be taken back here. See the history.')
  await client.post('/admin/catalogs/v1/{type}/writes/{batch_id}/undo', {
    params: { ...params, batch_id: write.batch_id },
    query: { confirm_shrink: true, leave_changed: true },
  })
}
