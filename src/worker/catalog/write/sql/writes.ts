import { type SQL, sql } from 'drizzle-orm'
import type { CommittedWrite } from '#worker/catalog/schemas'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-scope'
import { EPOCH_AFTER } from './state'

/** Rows of `uploads` that are writes: uploads that were written, and restores. */

/** A write, as far as it is returned. */
export interface WriteRow extends Omit<CommittedWrite, 'type' | 'created_at'> {
  /** Milliseconds since the epoch. */
  created_at: number
  active_before: number
  active_after: number
  written_at: number
  first_number: number
}

/** The row of a write, with the state that it made. */
export interface CommittedRow extends WriteRow {
  /** See `EPOCH_AFTER`. */
  epoch: string
  request_digest: string | null
  /** In the answer of the write itself only: whether messages of the write wait for webhooks. */
  has_messages?: 0 | 1
}

/** Who wrote: of a file that waited, the one who let it in. @param table alias of `uploads` */
export const writtenBy = (table: string): SQL => sql.raw(`coalesce(${table}.approved_by, ${table}.created_by)`)

/** The columns of a `WriteRow`. @param table alias of `uploads` */
export const writeColumns = (table: string): SQL =>
  sql`${sql.raw(
    [
      'upload_id as batch_id',
      `iif(${table}.approved_by is null, ${table}.created_at, ${table}.written_at) as created_at`,
      ...['catalog_id', 'format', 'mode', 'file_name', 'size_bytes', 'warnings', 'revision', 'revision_before'],
      ...['active_before', 'active_after', 'restored_revision', 'written_at', 'first_number', 'request_digest'],
      ...['total', 'inserted', 'updated', 'unchanged', 'reactivated', 'deactivated'],
    ]
      .map((column) => (column.includes('(') ? column : `${table}.${column}`))
      .join(', '),
  )}, ${writtenBy(table)} as created_by`

/** The writes of a catalog, as rows of `uploads`: source and condition. */
export const writesOf = (scope: CatalogKey): SQL =>
  sql`uploads where catalog_id = ${catalogIdOf(scope)} and written_at is not null`

/** Writes of a catalog. @param where condition on their rows */
export const committedWrite = (scope: CatalogKey, where: SQL): SQL<CommittedRow> =>
  sql`select ${writeColumns('uploads')}, ${EPOCH_AFTER} as epoch from ${writesOf(scope)} and ${where}`

/** Number of records that a write changed. */
export const changedBy = (row: Pick<WriteRow, 'inserted' | 'updated' | 'unchanged' | 'reactivated' | 'deactivated'>) =>
  row.inserted + row.updated + row.reactivated + row.deactivated - row.unchanged

/** The same as an expression on its row. */
export const CHANGED_BY = sql.raw('inserted + updated + reactivated + deactivated - unchanged')
