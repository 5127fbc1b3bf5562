import { type SQL, sql } from 'drizzle-orm'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-scope'
import { int } from '#worker/storage/database'
import type { UploadOutcome, UploadRow } from '#worker/storage/schema/catalogs'

/** Rows of `uploads` as they are listed: all but restores. */

export interface ListedRow extends UploadRow {
  mode: 'upsert' | 'reconcile'
  format: 'csv' | 'json' | null
  /** See `outcomeAt`. */
  outcome_now: UploadOutcome
}

/** Condition: its file waits. Literal, so that the partial index serves it. */
export const isHeld = (now: number): SQL => sql`uploads.outcome = 'held' and uploads.held_until > ${int(now)}`

/** The outcome: a file whose time is over is expired, even if no scheduled run has seen it yet. */
export const outcomeAt = (now: number): SQL =>
  sql`iif(uploads.outcome = 'held' and uploads.held_until <= ${int(now)}, 'expired', uploads.outcome)`

/** The columns of a `ListedRow`. @param now time against which a file that waits expires */
export const listedColumns = (now: number): SQL => sql`uploads.*, ${outcomeAt(now)} as outcome_now`

/** The uploads of a catalog: source and condition. */
export const uploadsOf = (scope: CatalogKey): SQL =>
  sql`uploads where uploads.catalog_id = ${catalogIdOf(scope)} and uploads.format is not 'restore'`

/** Condition: a person's preview that was never written. Nobody else has to know of it. */
export const IS_PREVIEW: SQL = sql`(uploads.by_program = 0 and uploads.held_for is 'dry_run'
  and uploads.written_at is null)`

/**
 * Condition: a program sent it, and it is no preview, unless its file was let in. As in the partial index, which serves
 * it.
 */
export const ofProgram = (table: string): SQL =>
  sql.raw(`${table}.by_program = 1 and ${table}.format is not 'restore'
    and (${table}.held_for is not 'dry_run' or ${table}.written_at is not null)`)

/** The id of the newest upload of a program. @param catalogId expression */
export const lastOfProgram = (catalogId: SQL): SQL =>
  sql`(select program.upload_id from uploads program
    where program.catalog_id = ${catalogId} and ${ofProgram('program')}
    order by program.received_at desc limit 1)`
