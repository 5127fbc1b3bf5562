import { type SQL, sql } from 'drizzle-orm'
import { KEPT_REFUSALS, MAX_HELD_FILES } from '#shared/limits'
import { ensureCatalog, heldBytes, isProgram, timeOfRow } from '#worker/catalog/write/sql/commit'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-scope'
import { type Ending, int, intOrNull } from '#worker/storage/database'
import { stopIf } from '#worker/storage/guards'
import type { HeldFor, UploadOutcome } from '#worker/storage/schema/catalogs'

/** The SQL that records uploads that are not written. */

export type RefusedOutcome = Extract<
  UploadOutcome,
  'invalid' | 'shrink_guard' | 'emptied_guard' | 'stale' | 'quota' | 'failed'
>

/** An upload that is not written. Times are milliseconds since the epoch. */
export interface NewUpload {
  uploadId: string
  createdAt: number
  createdBy: string
  mode: 'upsert' | 'reconcile'
  format: 'csv' | 'json' | null
  fileName: string | null
  sizeBytes: number | null
  outcome: RefusedOutcome | 'held'
  message: string
  errorCount: number
  /** JSON list. */
  errors: string
  requestId: string
}

/** The parameters with which a file that waits is written, unless the request to write it has its own. */
export interface HeldParameters {
  confirm_shrink?: boolean | undefined
  max_shrink?: number | undefined
  max_emptied?: number | undefined
  allow_emptied?: string[] | undefined
  keep_missing?: boolean | undefined
}

/** A file that waits. */
interface HeldFile {
  heldFor: HeldFor
  heldUntil: number
  /** JSON of `HeldParameters`. */
  parameters: string
  contentType: string
  /** Of the bytes, hexadecimal. */
  sha256: string
  /** Of bytes, content type, mode and parameters: a file that differs in one of them is another file. */
  digest: string
}

const ofCatalog = (scope: CatalogKey): SQL => sql`catalog_id = ${catalogIdOf(scope)}`

/**
 * The id of the catalog's newest upload, if it is the same refusal of the same program, for a file the same file: then
 * this one is a repetition of it. Null if anything was written in between.
 */
const repeatedUpload = (scope: CatalogKey, upload: NewUpload, file: HeldFile | null): SQL =>
  isProgram(upload.createdBy) && file?.heldFor !== 'dry_run'
    ? sql`(select upload_id from (select * from uploads where ${ofCatalog(scope)} and format is not 'restore'
            order by received_at desc limit 1) as u
        where created_by = ${upload.createdBy} and mode = ${upload.mode} and outcome = ${upload.outcome}
          and message = ${upload.message} and error_count = ${int(upload.errorCount)} and errors = ${upload.errors}
          and request_digest is ${file?.digest ?? null}
          and not exists (select 1 from uploads where ${ofCatalog(scope)} and written_at > u.received_at
            and format is not 'restore'))`
    : sql`null`

/** Adds an upload, or counts a repetition. Safe to repeat: a repetition is later. One row: the id of the upload. */
function insertUpload(scope: CatalogKey, upload: NewUpload, file: HeldFile | null): SQL<{ upload_id: string }> {
  const { workspaceId, type } = scope
  return sql<{
    upload_id: string
  }>`insert into uploads (upload_id, catalog_id, received_at, created_at, created_by, by_program, request_id,
      mode, format, file_name, size_bytes, outcome, message, error_count,
      errors, revision, last_at, request_digest, held_for,
      held_until, parameters, content_type,
      sha256)
    select coalesce(${repeatedUpload(scope, upload, file)}, ${upload.uploadId}), catalog_id, time,
      ${int(upload.createdAt)}, ${upload.createdBy}, ${int(isProgram(upload.createdBy) ? 1 : 0)}, ${upload.requestId},
      ${upload.mode}, ${upload.format}, ${upload.fileName}, ${intOrNull(upload.sizeBytes)},
      ${upload.outcome}, ${upload.message}, ${int(upload.errorCount)},
      ${upload.errors}, revision, ${int(upload.createdAt)}, ${file?.digest ?? null}, ${file?.heldFor ?? null},
      ${intOrNull(file?.heldUntil ?? null)}, ${file?.parameters ?? null}, ${file?.contentType ?? null},
      ${file?.sha256 ?? null}
    from (select *, ${timeOfRow(upload.createdAt)} as time from catalogs
      where workspace_id = ${workspaceId} and type = ${type})
    where true
    on conflict (upload_id) do update set repeated = repeated + (excluded.last_at > last_at),
      last_at = max(last_at, excluded.last_at), held_until = max(held_until, excluded.held_until)
    returning upload_id`
}

/** Makes room for one more among the newest refusals of a catalog. Files that wait stay. */
const trimRefusals = (scope: CatalogKey): SQL =>
  sql`delete from uploads where ${ofCatalog(scope)} and written_at is null and outcome <> 'held' and received_at < (
    select received_at from uploads where ${ofCatalog(scope)} and written_at is null
    order by received_at desc limit 1 offset ${int(KEPT_REFUSALS - 2)})`

/** The statements that record a refusal. */
export const refusalStatements = (scope: CatalogKey, upload: NewUpload): Ending<{ upload_id: string }> => [
  ensureCatalog(scope),
  trimRefusals(scope),
  insertUpload(scope, upload, null),
]

/**
 * Makes room for one more file: if as many wait as may, one gives way. First those whose time is over, then the
 * oldest of a dry run, then the oldest. A row for each: its file is to be deleted. None for a file that waits already.
 */
const giveWay = (scope: CatalogKey, upload: NewUpload, file: HeldFile): SQL<{ upload_id: string }> =>
  sql`update uploads set outcome = 'expired'
    where upload_id = (select upload_id from uploads where ${ofCatalog(scope)} and outcome = 'held'
        and ${repeatedUpload(scope, upload, file)} is null
        and not exists (select 1 from uploads where upload_id = ${upload.uploadId})
        and (select count(*) from uploads where ${ofCatalog(scope)} and outcome = 'held') >= ${int(MAX_HELD_FILES)}
      order by held_until > ${int(upload.createdAt)}, held_for <> 'dry_run', received_at limit 1)
    returning upload_id`

/** Stops a new file that does not fit into the quota of bytes. */
const stopBeyondQuota = ({ workspaceId }: CatalogKey, { uploadId }: NewUpload): SQL =>
  stopIf(
    sql`'quota:bytes:' || bytes || ':' || (used - size_bytes) || ':' || used`,
    sql`(select q.bytes, u.size_bytes, ${heldBytes(sql`${workspaceId}`)}
          + (select coalesce(sum(stored_bytes), 0) from catalogs where workspace_id = ${workspaceId}) as used
        from workspace_quotas q cross join uploads u
        where q.workspace_id = ${workspaceId} and u.upload_id = ${uploadId})
      where used > bytes`,
  )

/**
 * The statements that make a file wait: the second one returns the id of a file that gave way, the fourth one that of
 * the upload.
 */
export const holdStatements = (scope: CatalogKey, upload: NewUpload, file: HeldFile) =>
  [
    ensureCatalog(scope),
    giveWay(scope, upload, file),
    trimRefusals(scope),
    insertUpload(scope, upload, file),
    stopBeyondQuota(scope, upload),
  ] as const
