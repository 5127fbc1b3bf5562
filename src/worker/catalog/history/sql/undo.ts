import { type SQL, sql } from 'drizzle-orm'
import type { RecordRow } from '#shared/records/stored-form'
import { type WriteRow, writeColumns, writesOf, writtenBy } from '#worker/catalog/write/sql/writes'
import { type CatalogKey, catalogIdOf, firstRowId } from '#worker/storage/catalog-scope'
import { int } from '#worker/storage/database'
import { joinMaker } from './history'

/** The SQL that finds what came after a write that is to be taken back. */

/** The write that is taken back. */
export type UndoneWrite = WriteRow

export const undoneWrite = (scope: CatalogKey, batchId: string): SQL<UndoneWrite> =>
  sql`select ${writeColumns('uploads')} from ${writesOf(scope)} and upload_id = ${batchId}`

/** The row ids of the records that a write changed: those whose version it ended, and new ones. */
function touchedBy(scope: CatalogKey, { written_at, inserted, first_number, total }: UndoneWrite): SQL {
  const catalog = catalogIdOf(scope)
  const ended = sql`select row_id from record_versions where catalog_id = ${catalog} and ended_at = ${int(written_at)}`
  if (inserted === 0) return ended
  const first = sql`${firstRowId(catalog)} + ${int(first_number)}`
  return sql`${ended}
    union all select row_id from records not indexed
    where row_id between ${first} and ${first} + ${int(total - 1)}`
}

/** Records `r` of a write that later writes changed. */
export const laterChanges = (scope: CatalogKey, undone: UndoneWrite): SQL =>
  sql`from (${touchedBy(scope, undone)}) as t cross join records r on r.row_id = t.row_id
    where r.updated_at > ${int(undone.written_at)}`

/** A record as the last later write left it, and that write: null if it is no longer listed. */
interface LaterChangeRow extends RecordRow {
  revision: number | null
  batch_id: string | null
  created_by: string | null
  /** Number of all such records. */
  listed: number
}

/** The records of a write that later writes changed, in the order in which they were first written. */
export const laterChangesStatement = (scope: CatalogKey, undone: UndoneWrite, most: number): SQL<LaterChangeRow> =>
  sql`select l.*, w.revision, w.upload_id as batch_id, ${writtenBy('w')} as created_by
    from (select r.row_id, r.catalog_id, r.record_id, r.is_active, r.updated_at, r.data, count(*) over () as listed
      ${laterChanges(scope, undone)} order by r.row_id limit ${int(most)}) as l
      ${joinMaker('l.catalog_id', 'l.updated_at')}
    order by l.row_id`
