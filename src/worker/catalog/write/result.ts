import { type SQL, sql } from 'drizzle-orm'
import { CHANGES, type ChangeKind } from '#shared/records/change'
import type { RecordType, RecordTypeName } from '#shared/records/record-type'
import type { Warning } from '#shared/records/warnings'
import type { CommittedWrite } from '#worker/catalog/schemas'
import { emptiedFields } from '#worker/catalog/write/emptied-fields'
import { EPOCH_AFTER } from '#worker/catalog/write/sql/state'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import type { UploadRow } from '#worker/storage/schema/uploads'

type Counts = Record<ChangeKind | 'total' | 'unchanged', number>

export type CommitResult = { mode: CommittedWrite['mode']; dry_run: boolean } & Counts

/** A sentence for users. Clients read the counts. */
export function writeMessage(result: CommitResult): string {
  const counts = CHANGES.filter((name) => result[name] > 0).map(
    (name) =>
      `${result[name]} ${name}` +
      (name === 'updated' && result.unchanged > 0 ? ` (${result.unchanged} of them unchanged)` : ''),
  )
  const verb = result.mode === 'restore' ? 'restored' : 'written'
  const phrase = result.dry_run ? `would be ${verb}` : verb
  return (
    `${result.total} ${result.total === 1 ? 'record' : 'records'} ${phrase}` +
    (counts.length > 0 ? `: ${counts.join(', ')}` : '')
  )
}

export const countsOf = (row: Counts): Counts => ({
  total: row.total,
  inserted: row.inserted,
  updated: row.updated,
  reactivated: row.reactivated,
  unchanged: row.unchanged,
  deactivated: row.deactivated,
})

/** The result of a completed write. @param sentWarnings by default, the stored ones */
export function committedResult<Mode extends WriteRow['mode']>(
  type: RecordType,
  mode: Mode,
  row: CommittedRow,
  sentWarnings: readonly Warning[] = JSON.parse(row.warning_list ?? '[]'),
) {
  const { emptied, warnings } = emptiedFields(type, row.format, row.emptied)
  return {
    type: type.name,
    mode,
    dry_run: false,
    ...countsOf(row),
    active_before: row.active_before,
    active_after: row.active_after,
    revision: row.revision,
    epoch: row.epoch,
    batch_id: row.upload_id,
    idempotency_key: row.idempotency_key,
    emptied,
    warnings: [...sentWarnings, ...warnings],
  }
}

export const returnedWrite = (type: RecordTypeName, row: WriteRow): CommittedWrite => ({
  batch_id: row.upload_id,
  type,
  format: row.format,
  mode: row.mode,
  file_name: row.file_name,
  size_bytes: row.size_bytes,
  ...countsOf(row),
  warnings: row.warnings,
  revision: row.revision,
  restored_revision: row.restored_revision,
  created_by: row.written_by,
  // For a pending upload, the time of its approval.
  created_at: new Date(row.approved_by === null ? row.created_at : row.written_at).toISOString(),
})

type WrittenColumn = 'written_at' | 'size_bytes' | 'warnings' | 'active_before' | 'active_after' | 'first_number'

/** A row of `uploads` that is a write: an upload that was written, or a restore. */
export type WriteRow = UploadRow &
  Counts &
  Record<WrittenColumn, number> & {
    format: 'csv' | 'json' | 'restore' | 'added_name'
    emptied: string
    written_by: string
  }

/** The row of a write, with the state that it made. */
export type CommittedRow = WriteRow & {
  epoch: string
  /** The rest is only in the write's own response. Whether webhook messages of the write are due. */
  has_messages?: 0 | 1
  /** JSON list of the positions of records that an upsert reactivated. */
  reactivated_positions?: string
}

/** Who wrote: for a pending upload, who approved it. @param table alias of `uploads` */
export const writtenBy = (table: string): SQL => sql.raw(`coalesce(${table}.approved_by, ${table}.created_by)`)

/** The columns of a `WriteRow`. @param table alias of `uploads` */
export const writeColumns = (table: string): SQL => sql`${sql.raw(table)}.*, ${writtenBy(table)} as written_by`

/** The writes of a catalog, as rows of `uploads`: source and condition. */
export const writesOf = (catalogKey: CatalogKey): SQL =>
  sql`uploads where catalog_id = ${catalogIdOf(catalogKey)} and written_at is not null`

/** Writes of a catalog. @param where condition on their rows */
export const committedWrite = (catalogKey: CatalogKey, where: SQL): SQL<CommittedRow> =>
  sql`select ${writeColumns('uploads')}, ${EPOCH_AFTER} as epoch from ${writesOf(catalogKey)} and ${where}`

/** Expression for `changesIn`, on the row of a write. */
export const CHANGED_BY = sql.raw('inserted + updated + reactivated + deactivated - unchanged')
