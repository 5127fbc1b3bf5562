import type { Data, Query } from '#client/api'
import type { ServiceClient } from '#client/client'

const DATASETS = '/admin/datasets/v1/'

export type CatalogRecord = Data<'get', typeof DATASETS>['items'][number]

export type RecordsQuery = Omit<
  Query<'get', typeof DATASETS>,
  'type' | 'limit' | 'offset' | 'format' | 'safe'
>

const RECORDS_AT_ONCE = 1000

/**
 * The records of a catalog, page by page, in the order of their ids unless `sort` asks for another one. A record that
 * others add or deactivate meanwhile may be missing or there; for a copy that misses nothing there is `mirror`.
 */
export async function* records(
  client: ServiceClient,
  type: Query<'get', typeof DATASETS>['type'],
  query: RecordsQuery = {},
  options: { signal?: AbortSignal } = {},
): AsyncGenerator<CatalogRecord, void, undefined> {
  for (let offset = 0; ; ) {
    const page = await client.get(DATASETS, {
      query: { sort: 'id', ...query, type, limit: RECORDS_AT_ONCE, offset },
      ...options,
    })
    yield* page.items
    if (!page.has_more) return
    offset += page.count
  }
}
