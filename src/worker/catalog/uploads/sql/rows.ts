import { type SQL, sql } from 'drizzle-orm'
import { PERSON_PREFIX } from '#shared/access/caller'
import type { WriteMode } from '#worker/catalog/history/batches'
import { int } from '#worker/storage/database'
import { TOLD_DEACTIVATED, TOLD_UPDATED } from '#worker/storage/told-counts'

/**
 * Uploads of a catalog as rows of one form. Those that were written are in `batches`, all others in `uploads`. A file
 * that waited and was written later is in both, under one id, and counts as one of `uploads`.
 */

export const OUTCOMES = [
  'written',
  'unchanged',
  'invalid',
  'shrink_guard',
  'emptied_guard',
  'stale',
  'quota',
  'failed',
  'held',
  'approved',
  'discarded',
  'expired',
] as const

export type UploadOutcome = (typeof OUTCOMES)[number]

export const HELD_FOR = ['dry_run', 'shrink_guard', 'emptied_guard'] as const

export type HeldFor = (typeof HELD_FOR)[number]

/** Times are milliseconds since the epoch. */
interface UploadColumns {
  upload_id: string
  created_at: number
  created_by: string
  by_program: 0 | 1
  mode: Exclude<WriteMode, 'restore'>
  format: 'csv' | 'json' | null
  file_name: string | null
  size_bytes: number | null
  outcome: UploadOutcome
  error_count: number
  /** JSON list. */
  errors: string
  revision: number
  request_id: string | null
  held_until: number | null
  held_for: HeldFor | null
  /** Null if the file never waited: then it is not known. */
  keep_missing: 0 | 1 | null
  repeated: number
  last_at: number
}

type UploadCount = 'total' | 'inserted' | 'updated' | 'unchanged' | 'reactivated' | 'deactivated'

/** One that was written has counts, of which its message is made. Any other one has a message. */
export type UploadRow = UploadColumns &
  (({ message: null } & Record<UploadCount, number>) | ({ message: string } & Record<UploadCount, null>))

const ROW_COLUMNS = [
  'upload_id',
  'created_at',
  'created_by',
  'by_program',
  'mode',
  'format',
  'file_name',
  'size_bytes',
  'outcome',
  'message',
  'error_count',
  'errors',
  'revision',
  'request_id',
  'held_until',
  'held_for',
  'keep_missing',
  'repeated',
  'last_at',
  'total',
  'inserted',
  'updated',
  'unchanged',
  'reactivated',
  'deactivated',
] as const satisfies readonly (keyof UploadRow)[]

/** The columns of an `UploadRow` in a fixed order, which `rowOf` reads. D1 takes 32 arguments. */
export const asJson: SQL = sql.raw(`json_array(${ROW_COLUMNS.join(', ')})`)

const rowWith = (values: readonly unknown[]): UploadRow =>
  Object.fromEntries(ROW_COLUMNS.map((name, n) => [name, values[n]])) as unknown as UploadRow

/** @param json what `asJson` made */
export const rowOf = (json: string): UploadRow => rowWith(JSON.parse(json))

/** @param json list of what `asJson` made */
export function rowsOf(json: string): UploadRow[] {
  const rows: unknown[][] = JSON.parse(json)
  return rows.map(rowWith)
}

/** One column of what `asJson` made, as an expression. */
export const columnOf = (json: SQL, name: (typeof ROW_COLUMNS)[number]): SQL =>
  sql`(${json} ->> ${sql.raw(String(ROW_COLUMNS.indexOf(name)))})`

/** A catalog, as expressions. */
export interface CatalogColumns {
  workspaceId: SQL
  type: SQL
  catalogId: SQL
}

/** Condition on a row of `batches`: a program wrote it. Restores are by people and programs alike, but no uploads. */
export const writtenByProgram = sql.raw(
  `substr(created_by, 1, ${PERSON_PREFIX.length}) <> '${PERSON_PREFIX}'`,
)

/** Condition on a row of `uploads`: its file waits. Literal, so that the partial index serves it. */
export const isHeld = (now: number): SQL => sql`outcome = 'held' and held_until > ${int(now)}`

/**
 * The outcome of a row of `uploads`: a file whose time is over is expired, even if no scheduled run has seen it yet.
 */
export const notedOutcome = (now: number): SQL =>
  sql`iif(outcome = 'held' and held_until <= ${int(now)}, 'expired', outcome)`

interface UploadSelection {
  where?: SQL
  /** Rows at most; all by default. */
  most?: number
}

const andWhere = ({ where }: UploadSelection): SQL => (where === undefined ? sql.empty() : sql` and ${where}`)
const limited = ({ most }: UploadSelection): SQL =>
  most === undefined ? sql.empty() : sql` limit ${int(most)}`

/** Uploads that were refused, or that wait or have waited, newest first. `at` is the time that orders them. */
export const notedUploads = (
  { workspaceId, type }: CatalogColumns,
  now: number,
  selection: UploadSelection = {},
): SQL =>
  sql`select noted_at as at, upload_id, created_at, created_by, by_program, mode, format, file_name, size_bytes,
      ${notedOutcome(now)} as outcome, message, error_count, errors, revision, request_id,
      iif(${isHeld(now)}, held_until, null) as held_until, held_for,
      iif(held_for is null, null, keep_missing) as keep_missing, repeated, last_at,
      null as total, null as inserted, null as updated, null as unchanged, null as reactivated, null as deactivated
    from uploads where workspace_id = ${workspaceId} and type = ${type}${andWhere(selection)}
    order by noted_at desc${limited(selection)}`

/** Condition on a row of `batches`: it is an upload that was written at once. */
export const isUpload = sql`+format <> 'restore' and not exists (select 1 from uploads where upload_id = batch_id)`

/** The outcome of a row of `batches`. */
export const writtenOutcome = sql.raw("iif(revision > revision_before, 'written', 'unchanged')")

/** Uploads that were written at once, newest first. */
export const writtenUploads = ({ catalogId }: CatalogColumns, selection: UploadSelection = {}): SQL =>
  sql`select written_at as at, batch_id as upload_id, created_at, created_by, ${writtenByProgram} as by_program, mode, format,
      file_name, size_bytes, ${writtenOutcome} as outcome, null as message, 0 as error_count,
      '[]' as errors, revision, null as request_id, null as held_until, null as held_for, null as keep_missing,
      0 as repeated, created_at as last_at, total, inserted, ${TOLD_UPDATED} as updated, unchanged, reactivated,
      ${TOLD_DEACTIVATED} as deactivated
    from batches where catalog_id = ${catalogId} and ${isUpload}${andWhere(selection)}
    order by written_at desc${limited(selection)}`
