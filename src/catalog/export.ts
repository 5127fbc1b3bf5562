import { sql } from 'drizzle-orm'
import { EXPORT_PAGE_ROWS } from '#limits'
import { BYTE_ORDER_MARK, csvHeader, csvLine } from '#records/csv/write'
import type { RecordType } from '#records/record-type'
import { wordsOf } from '#records/search-text'
import { type RecordRow, returnedForm } from '#records/stored-form'
import { type CatalogScope, catalogIdOf, numberColumn, withinCatalog } from '#storage/catalog-scope'
import type { Database } from '#storage/database'
import { int } from '#storage/database'
import { type ListFilter, matching } from './list'
import type { Paced } from './paced'
import { returnedBytes, withinPageBytes } from './sql/page'

/**
 * The whole matching catalog as CSV, in portions. Ordered by first writing, not by last change: a record that is
 * changed while the file is sent keeps its place, so it is in the file exactly once.
 *
 * @param paced runs each of the reads
 * @param safe as for `csvLine`
 */
export async function* exportCsv(
  db: Database,
  scope: CatalogScope,
  type: RecordType,
  filter: ListFilter,
  paced: Paced,
  safe: boolean,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvHeader(type)
  const words = wordsOf(filter.q)
  const conditions = matching(catalogIdOf(scope), filter, words)
  let after = -1
  for (;;) {
    const portion = sql`select ${numberColumn} as number, record_id, is_active, updated_at, data from records where row_id in (
        select row_id from (${withinPageBytes(
          sql`select row_id, ${returnedBytes} as bytes from records not indexed
            where ${withinCatalog(sql`row_id`, scope, after + 1)} and ${conditions}
            order by row_id limit ${int(EXPORT_PAGE_ROWS)}`,
          sql`row_id`,
        )}))
      order by row_id`
    const rows = await paced(() => db.all<RecordRow & { number: number }>(portion))
    if (rows.length === 0) return
    yield rows.map((row) => csvLine(type, returnedForm(type, row), safe)).join('')
    after = rows.at(-1)!.number
  }
}
