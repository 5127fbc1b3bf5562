import { type SQL, sql } from 'drizzle-orm'
import { KEPT_REFUSALS, MAX_HELD_FILES } from '#shared/limits'
import { writeTime } from '#worker/catalog/write/sql/fragments'
import { countedBytes } from '#worker/catalog/write/sql/stops'
import { ensureCatalog, isProgram } from '#worker/catalog/write/sql/write'
import { type CatalogKey, catalogIdOf, catalogRow } from '#worker/storage/catalog-key'
import { type Ending, int } from '#worker/storage/database'
import { stopBeyondQuota } from '#worker/storage/quotas'
import { isUpload, type UploadOutcome, type UploadRow } from '#worker/storage/schema/uploads'

export type RefusedOutcome = Extract<
  UploadOutcome,
  'invalid' | 'shrink_guard' | 'emptied_guard' | 'stale' | 'quota' | 'failed' | 'not_sent'
>

/** An upload that was not written. */
export type UploadDraft = Pick<
  UploadRow,
  | 'upload_id'
  | 'created_at'
  | 'created_by'
  | 'request_id'
  | 'mode'
  | 'format'
  | 'file_name'
  | 'size_bytes'
  | 'outcome'
  | 'message'
  | 'error_count'
  | 'errors'
>

/** The parameters for the write of a pending upload, unless the approving request has its own. */
export interface HeldParameters {
  confirm_shrink?: boolean | undefined
  max_shrink?: number | undefined
  max_emptied?: number | undefined
  allow_emptied?: string[] | undefined
  keep_missing?: boolean | undefined
}

/** A pending upload. Its digest covers bytes, content type, mode and parameters. */
type HeldFileColumns = Pick<
  UploadRow,
  'held_for' | 'held_until' | 'parameters' | 'content_type' | 'sha256' | 'request_digest'
>

const ofCatalog = (catalogKey: CatalogKey): SQL => sql`catalog_id = ${catalogIdOf(catalogKey)}`

/**
 * The ID of the upload that this one repeats: the same file, if it is pending; otherwise the newest upload, if it is
 * the same rejection of the same integration and nothing was written since. Null if there is none.
 */
const repeatedUpload = (catalogKey: CatalogKey, upload: UploadDraft, file: HeldFileColumns | null): SQL => {
  if (file !== null) {
    return sql`(select upload_id from uploads
      where ${ofCatalog(catalogKey)} and outcome = 'held' and held_until > ${int(upload.created_at)}
        and by_program = ${int(isProgram(upload.created_by) ? 1 : 0)} and request_digest = ${file.request_digest}
      order by received_at desc limit 1)`
  }
  return isProgram(upload.created_by)
    ? sql`(select upload_id
        from (
          select * from uploads where ${ofCatalog(catalogKey)} and ${isUpload()}
          order by received_at desc limit 1) as newest
        where created_by = ${upload.created_by} and mode = ${upload.mode} and outcome = ${upload.outcome}
          and message is ${upload.message} and error_count = ${int(upload.error_count)} and errors = ${upload.errors}
          and not exists (
            select 1 from uploads
            where ${ofCatalog(catalogKey)} and written_at > newest.received_at and ${isUpload()}))`
    : sql`null`
}

type InsertedUpload = Pick<UploadRow, 'upload_id' | 'held_until'>

/** The columns and the values of a row, for an `insert into … select`. Numbers are integers. */
const insertedColumns = (row: Readonly<Record<string, SQL | string | number | null>>) => ({
  columns: sql.raw(Object.keys(row).join(', ')),
  values: sql.join(
    Object.values(row).map((value) => (typeof value === 'number' ? int(value) : sql`${value}`)),
    sql`, `,
  ),
})

/** Adds an upload, or counts a repetition. Safe to repeat: a repetition is later. One row. */
function insertUpload(catalogKey: CatalogKey, upload: UploadDraft, file: HeldFileColumns | null): SQL<InsertedUpload> {
  const { columns, values } = insertedColumns({
    ...upload,
    ...file,
    upload_id: sql`coalesce(${repeatedUpload(catalogKey, upload, file)}, ${upload.upload_id})`,
    by_program: isProgram(upload.created_by) ? 1 : 0,
    last_at: upload.created_at,
  })
  return sql`insert into uploads (catalog_id, received_at, held_since, revision, ${columns})
    select catalog_id, time, ${file === null ? sql`null` : sql`time`}, revision, ${values}
    from (
      select *, ${writeTime(upload.created_at)} as time from ${catalogRow(catalogKey)})
    where true
    on conflict (upload_id) do update set repeated = repeated + (excluded.last_at > last_at),
      received_at = excluded.received_at,
      held_since = iif(held_for = 'dry_run' and excluded.held_for <> 'dry_run', excluded.held_since, held_since),
      held_for = iif(excluded.held_for = 'dry_run', held_for, excluded.held_for),
      last_at = max(last_at, excluded.last_at), held_until = max(held_until, excluded.held_until)
    returning upload_id, held_until`
}

/** Makes room for one more rejected upload of a catalog. Pending uploads stay. */
const trimRefusals = (catalogKey: CatalogKey): SQL =>
  sql`delete from uploads where ${ofCatalog(catalogKey)} and written_at is null and outcome <> 'held'
    and received_at < (
    select received_at from uploads where ${ofCatalog(catalogKey)} and written_at is null
    order by received_at desc limit 1 offset ${int(KEPT_REFUSALS - 2)})`

export const refusalStatements = (catalogKey: CatalogKey, upload: UploadDraft): Ending<InsertedUpload> => [
  ensureCatalog(catalogKey),
  trimRefusals(catalogKey),
  insertUpload(catalogKey, upload, null),
]

/** Makes room for one more pending upload. Ends an expired one, otherwise the oldest from a dry run, or the oldest. */
const expireOldest = (catalogKey: CatalogKey, upload: UploadDraft, file: HeldFileColumns): SQL<{ upload_id: string }> =>
  sql`update uploads set outcome = 'expired'
    where upload_id = (select upload_id from uploads where ${ofCatalog(catalogKey)} and outcome = 'held'
        and ${repeatedUpload(catalogKey, upload, file)} is null
        and not exists (select 1 from uploads where upload_id = ${upload.upload_id})
        and (select count(*) from uploads where ${ofCatalog(catalogKey)} and outcome = 'held') >= ${int(MAX_HELD_FILES)}
      order by held_until > ${int(upload.created_at)}, held_for <> 'dry_run', received_at limit 1)
    returning upload_id`

/** The second statement returns the ID of an ended upload, the fourth the ID of the new one. */
export const holdStatements = (catalogKey: CatalogKey, upload: UploadDraft, file: HeldFileColumns) =>
  [
    ensureCatalog(catalogKey),
    expireOldest(catalogKey, upload, file),
    trimRefusals(catalogKey),
    insertUpload(catalogKey, upload, file),
    stopBeyondQuota('bytes', catalogKey.workspaceId, {
      used: countedBytes(catalogKey.workspaceId),
      added: sql`(select size_bytes from uploads where upload_id = ${upload.upload_id})`,
    }),
  ] as const

export interface ListedRow extends UploadRow {
  mode: 'upsert' | 'reconcile'
  format: 'csv' | 'json' | null
  /** See `outcomeAt`. */
  outcome_now: UploadOutcome
}

/** Condition: the upload is pending. Literal, so that the partial index applies. */
export const isHeld = (now: number): SQL => sql`uploads.outcome = 'held' and uploads.held_until > ${int(now)}`

/** The outcome. After its lifetime, an upload is expired, even before the scheduled run has processed it. */
export const outcomeAt = (now: number): SQL =>
  sql`iif(uploads.outcome = 'held' and uploads.held_until <= ${int(now)}, 'expired', uploads.outcome)`

/** The columns of a `ListedRow`. @param now time that decides whether a pending upload has expired */
export const listedColumns = (now: number): SQL => sql`uploads.*, ${outcomeAt(now)} as outcome_now`

/** The uploads of a catalog: source and condition. */
export const uploadsOf = (catalogKey: CatalogKey): SQL =>
  sql`uploads where uploads.catalog_id = ${catalogIdOf(catalogKey)} and ${isUpload('uploads.')}`

/** Condition: a user's preview that was never written, which concerns no one else. */
export const IS_PREVIEW: SQL = sql`(uploads.by_program = 0 and uploads.held_for is 'dry_run'
  and uploads.written_at is null)`

/** Condition, as in the partial index: sent by an integration, and not a preview unless it was approved. */
export const ofProgram = (table: string): SQL =>
  sql`${sql.raw(table)}.by_program = 1 and ${isUpload(`${table}.`)}
    and ${sql.raw(`(${table}.held_for is not 'dry_run' or ${table}.written_at is not null)`)}`

/** The ID of the newest upload by an integration. @param catalogId expression */
export const lastOfProgram = (catalogId: SQL): SQL =>
  sql`(select program.upload_id from uploads program
    where program.catalog_id = ${catalogId} and ${ofProgram('program')}
    order by program.received_at desc limit 1)`
