import { CHANGES, type Change } from '#shared/records/change'
import type { RecordTypeName } from '#shared/records/record-type'
import type { CommittedWrite } from '#worker/catalog/schemas'
import type { CatalogKey } from '#worker/storage/catalog-scope'
import type { CommittedRow, WriteRow } from './sql/writes'

/** What a write did, in the forms of the API. */

type Counts = Record<Change | 'total' | 'unchanged', number>

/** A result as far as `writeMessage` needs it. */
export type Done = { mode: CommittedWrite['mode']; dry_run: boolean } & Counts

/** A sentence for people; programs read the counts. */
export function writeMessage(result: Done): string {
  const counts = CHANGES.filter((name) => result[name] > 0).map(
    (name) =>
      `${result[name]} ${name}` +
      (name === 'updated' && result.unchanged > 0 ? ` (${result.unchanged} of them unchanged)` : ''),
  )
  const verb = result.mode === 'restore' ? 'restored' : 'written'
  const done = result.dry_run ? `would be ${verb}` : verb
  return (
    `${result.total} ${result.total === 1 ? 'record' : 'records'} ${done}` +
    (counts.length > 0 ? `: ${counts.join(', ')}` : '')
  )
}

const countsOf = (row: Counts): Counts => ({
  total: row.total,
  inserted: row.inserted,
  updated: row.updated,
  reactivated: row.reactivated,
  unchanged: row.unchanged,
  deactivated: row.deactivated,
})

/** The result of a write that was carried out, without its warnings, of which only the number is kept. */
export const committedResult = <Mode extends WriteRow['mode']>(
  { type }: CatalogKey,
  mode: Mode,
  row: CommittedRow,
) => ({
  type,
  mode,
  dry_run: false,
  ...countsOf(row),
  active_before: row.active_before,
  active_after: row.active_after,
  revision: row.revision,
  epoch: row.epoch,
  ...(row.format === 'json' ? {} : { batch_id: row.upload_id }),
})

/** A write as it is listed. */
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
  // Of a file that waited, when it was let in.
  created_at: new Date(row.approved_by === null ? row.created_at : row.written_at).toISOString(),
})
