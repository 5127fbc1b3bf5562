import { type SQL, sql } from 'drizzle-orm'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-scope'
import type { UploadRow } from '#worker/storage/schema/catalogs'
import { EPOCH_AFTER } from './state'

/** Rows of `uploads` that are writes: uploads that were written, and restores. */

type WrittenColumn = 'written_at' | 'size_bytes' | 'warnings' | 'active_before' | 'active_after' | 'first_number'
type CountColumn = 'total' | 'inserted' | 'updated' | 'unchanged' | 'reactivated' | 'deactivated'

export type WriteRow = UploadRow &
  Record<WrittenColumn | CountColumn, number> & {
    format: 'csv' | 'json' | 'restore'
    /** See `writtenBy`. */
    written_by: string
  }

/** The row of a write, with the state that it made. */
export type CommittedRow = WriteRow & {
  /** See `EPOCH_AFTER`. */
  epoch: string
  /** In the answer of the write itself only: whether messages of the write wait for webhooks. */
  has_messages?: 0 | 1
}

/** Who wrote: of a file that waited, the one who let it in. @param table alias of `uploads` */
export const writtenBy = (table: string): SQL => sql.raw(`coalesce(${table}.approved_by, ${table}.created_by)`)

/** The columns of a `WriteRow`. @param table alias of `uploads` */
export const writeColumns = (table: string): SQL => sql`${sql.raw(table)}.*, ${writtenBy(table)} as written_by`

/** The writes of a catalog, as rows of `uploads`: source and condition. */
export const writesOf = (scope: CatalogKey): SQL =>
  sql`uploads where catalog_id = ${catalogIdOf(scope)} and written_at is not null`

/** Writes of a catalog. @param where condition on their rows */
export const committedWrite = (scope: CatalogKey, where: SQL): SQL<CommittedRow> =>
  sql`select ${writeColumns('uploads')}, ${EPOCH_AFTER} as epoch from ${writesOf(scope)} and ${where}`

/** Number of records that a write changed. */
export const changedBy = (row: Pick<WriteRow, Exclude<CountColumn, 'total'>>) =>
  row.inserted + row.updated + row.reactivated + row.deactivated - row.unchanged

/** The same as an expression on its row. */
export const CHANGED_BY = sql.raw('inserted + updated + reactivated + deactivated - unchanged')
