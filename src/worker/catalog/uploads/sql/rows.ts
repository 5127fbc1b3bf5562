import { type SQL, sql } from 'drizzle-orm'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-scope'
import { int } from '#worker/storage/database'

/** Rows of `uploads`, `u` in every statement, as they are listed: all but restores. */

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

type UploadCount = 'total' | 'inserted' | 'updated' | 'unchanged' | 'reactivated' | 'deactivated'

/** Times are milliseconds since the epoch. */
interface UploadColumns {
  upload_id: string
  created_at: number
  created_by: string
  by_program: 0 | 1
  mode: 'upsert' | 'reconcile'
  format: 'csv' | 'json' | null
  file_name: string | null
  size_bytes: number | null
  outcome: UploadOutcome
  error_count: number
  /** JSON list. */
  errors: string
  revision: number
  request_id: string
  held_until: number | null
  held_for: HeldFor | null
  /** Null if the file never waited: then it is not known. */
  keep_missing: 0 | 1 | null
  repeated: number
  last_at: number
}

/** One that was written at once has counts, of which its message is made. Any other one has a message. */
export type UploadRow = UploadColumns & ({ message: string } | ({ message: null } & Record<UploadCount, number>))

/** Condition: its file waits. Literal, so that the partial index serves it. */
export const isHeld = (now: number): SQL => sql`u.outcome = 'held' and u.held_until > ${int(now)}`

/** The outcome: a file whose time is over is expired, even if no scheduled run has seen it yet. */
export const outcomeAt = (now: number): SQL =>
  sql`iif(u.outcome = 'held' and u.held_until <= ${int(now)}, 'expired', u.outcome)`

/** The columns of an `UploadRow`. @param now time against which a file that waits expires */
export const uploadColumns = (now: number): SQL =>
  sql`u.upload_id, u.created_at, u.created_by, u.by_program, u.mode, u.format, u.file_name, u.size_bytes,
    ${outcomeAt(now)} as outcome, u.message, u.error_count, u.errors, u.revision, u.request_id, u.held_for,
    iif(${isHeld(now)}, u.held_until, null) as held_until,
    iif(u.held_for is null, null, coalesce(u.parameters ->> 'keep_missing', 0)) as keep_missing,
    u.repeated, coalesce(u.last_at, u.created_at) as last_at,
    u.total, u.inserted, u.updated, u.unchanged, u.reactivated, u.deactivated`

/** The uploads of a catalog: source and condition. */
export const uploadsOf = (scope: CatalogKey): SQL =>
  sql`uploads u where u.catalog_id = ${catalogIdOf(scope)} and u.format is not 'restore'`

/** Condition: a person's preview that was never written. Nobody else has to know of it. */
export const IS_PREVIEW: SQL = sql`(u.by_program = 0 and u.held_for is 'dry_run' and u.written_at is null)`

/**
 * Condition: a program sent it, and it is no preview, unless its file was let in. As in the partial index, which serves
 * it.
 */
export const ofProgram = (table: string): SQL =>
  sql.raw(`${table}.by_program = 1 and ${table}.format is not 'restore'
    and (${table}.held_for is not 'dry_run' or ${table}.written_at is not null)`)

/** The id of the newest upload of a program. @param catalogId expression */
export const lastOfProgram = (catalogId: SQL): SQL =>
  sql`(select p.upload_id from uploads p where p.catalog_id = ${catalogId} and ${ofProgram('p')}
    order by p.received_at desc limit 1)`
