import { type SQL, sql } from 'drizzle-orm'
import { returnedBytes, withinPageBytes } from '#worker/catalog/read/sql/page'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-scope'

/** A stored record of those that were asked for. */
export interface KeptRow {
  /** Place of its id among those that were asked for. */
  place: number
  id: string
  data: string
  /** Records that are stored of all that were asked for. */
  listed: number
}

/** What is stored of some records, in the order of their ids in the list, up to `MAX_PAGE_BYTES`. */
export function keptRows(scope: CatalogKey, ids: readonly string[]): SQL<KeptRow> {
  const keys = sql`select j.key as place, row_id, ${returnedBytes} as bytes from json_each(${JSON.stringify(ids)}) j
    cross join records on catalog_id = ${catalogIdOf(scope)} and record_id = j.value`
  return sql`select portion.place, record_id as id, data, portion.listed
    from (${withinPageBytes(keys, sql`place`)}) as portion cross join records using (row_id)
    order by portion.place`
}
