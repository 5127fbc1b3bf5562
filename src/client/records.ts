import { type Body, DATASETS, type Data, type Query } from '#client/api'
import type { ServiceClient } from '#client/client'

export type CatalogType = Query<'get', typeof DATASETS>['type']

type AnyRecord = Data<'get', typeof DATASETS>['items'][number]

/** A record of a type: `CatalogRecord<'medication'>`. The service itself has no types for its records. */
export type CatalogRecord<T extends CatalogType = CatalogType> = {
  [K in T]: [Extract<AnyRecord, Record<`${K}_id`, string>>] extends [never]
    ? AnyRecord
    : Extract<AnyRecord, Record<`${K}_id`, string>>
}[T]

/** A record in a request. */
export type SentRecord = Extract<Body<'post', typeof DATASETS>, readonly unknown[]>[number]

/** A record whose type is known only when the program runs. The service checks its fields. */
export const sentRecord = (fields: Readonly<Record<string, unknown>>): SentRecord => fields as SentRecord

export type RecordsQuery = Omit<Query<'get', typeof DATASETS>, 'type' | 'limit' | 'offset' | 'format' | 'safe'>

const RECORDS_AT_ONCE = 1000

/**
 * The records of a catalog, page by page, in the order of their ids unless `sort` asks for another one. A record that
 * others add or deactivate meanwhile may be missing or there; for a copy that misses nothing there is `mirror`.
 */
export async function* records<T extends CatalogType>(
  client: ServiceClient,
  type: T,
  query: RecordsQuery = {},
  options: { signal?: AbortSignal } = {},
): AsyncGenerator<CatalogRecord<T>, void, undefined> {
  for (let offset = 0; ; ) {
    const page = await client.get(DATASETS, {
      query: { sort: 'id', ...query, type, limit: RECORDS_AT_ONCE, offset },
      ...options,
    })
    // The service answers with records of the type that was named.
    yield* page.items as CatalogRecord<T>[]
    if (!page.has_more) return
    offset += page.count
  }
}
