import { type SQL, sql } from 'drizzle-orm'
import { KEPT_REFUSALS, MAX_HELD_FILES, REFUSAL_DAYS } from '#shared/limits'
import { DATABASE_TIME } from '#worker/catalog/write/sql/commit'
import { revisionOf } from '#worker/catalog/write/sql/state'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-scope'
import { type Ending, int, intOrNull } from '#worker/storage/database'
import type { HeldFor, UploadOutcome } from './rows'

/** An upload that is not written. Times are milliseconds since the epoch. */
export interface NewUpload {
  uploadId: string
  createdAt: number
  createdBy: string
  byProgram: boolean
  mode: 'upsert' | 'reconcile'
  format: 'csv' | 'json' | null
  fileName: string | null
  sizeBytes: number | null
  outcome: Extract<
    UploadOutcome,
    'invalid' | 'shrink_guard' | 'emptied_guard' | 'stale' | 'quota' | 'failed' | 'held'
  >
  message: string
  errorCount: number
  /** JSON list. */
  errors: string
  requestId: string
}

/** A body that waits, unpacked. */
export interface HeldBody {
  heldFor: HeldFor
  heldUntil: number
  confirmShrink: boolean
  maxShrink: number | null
  maxEmptied: number | null
  allowEmptied: readonly string[] | null
  keepMissing: boolean
  contentType: string
  storedBytes: number
  sha256: string
}

const flagValue = (value: boolean): SQL => int(value ? 1 : 0)

const keepMissing = (body: HeldBody | null): SQL => flagValue(body?.keepMissing ?? false)

const uploadsOfCatalog = ({ workspaceId, type }: CatalogKey): SQL =>
  sql`workspace_id = ${workspaceId} and type = ${type}`

/**
 * The id of the catalog's newest upload, if it is the same refusal of the same program, for a file the same file: then
 * this one is a repetition of it. A file that is to be written in another way is another one. Null if anything was
 * written in between.
 */
const repeatedUpload = (scope: CatalogKey, upload: NewUpload, body: HeldBody | null): SQL =>
  upload.byProgram && body?.heldFor !== 'dry_run'
    ? sql`(select upload_id from (select * from uploads where ${uploadsOfCatalog(scope)} order by noted_at desc limit 1) as u
        where by_program = 1 and created_by = ${upload.createdBy} and mode = ${upload.mode}
          and outcome = ${upload.outcome} and message = ${upload.message} and error_count = ${int(upload.errorCount)}
          and errors = ${upload.errors} and sha256 is ${body?.sha256 ?? null}
          and keep_missing = ${keepMissing(body)}
          and not exists (select 1 from batches
            where catalog_id = ${catalogIdOf(scope)} and written_at > u.noted_at and +format <> 'restore'))`
    : sql`null`

/** Adds an upload, or counts a repetition. Safe to repeat: a repetition is later. One row: the id of the upload. */
function insertUpload(
  scope: CatalogKey,
  upload: NewUpload,
  body: HeldBody | null,
): SQL<{ upload_id: string }> {
  const created = int(upload.createdAt)
  return sql<{
    upload_id: string
  }>`insert into uploads (upload_id, workspace_id, type, noted_at, created_at, created_by,
      by_program, mode, format, file_name, size_bytes, outcome, message, error_count, errors, revision, request_id, last_at,
      expires_at, held_for, held_until, confirm_shrink, max_shrink, max_emptied, allow_emptied, keep_missing, content_type,
      stored_bytes, sha256)
    select coalesce(${repeatedUpload(scope, upload, body)}, ${upload.uploadId}), ${scope.workspaceId}, ${scope.type},
      max(${DATABASE_TIME}, ${created}), ${created}, ${upload.createdBy}, ${flagValue(upload.byProgram)}, ${upload.mode},
      ${upload.format}, ${upload.fileName}, ${intOrNull(upload.sizeBytes)}, ${upload.outcome}, ${upload.message},
      ${int(upload.errorCount)}, ${upload.errors}, ${revisionOf(scope)}, ${upload.requestId}, ${created},
      ${int(upload.createdAt + REFUSAL_DAYS * 24 * 3600 * 1000)}, ${body?.heldFor ?? null}, ${intOrNull(body?.heldUntil ?? null)},
      ${body === null ? sql`null` : flagValue(body.confirmShrink)}, ${intOrNull(body?.maxShrink ?? null)},
      ${intOrNull(body?.maxEmptied ?? null)}, ${body?.allowEmptied?.join(',') ?? null}, ${keepMissing(body)},
      ${body?.contentType ?? null}, ${intOrNull(body?.storedBytes ?? null)}, ${body?.sha256 ?? null}
    where true
    on conflict (upload_id) do update set repeated = repeated + (excluded.last_at > last_at),
      last_at = max(last_at, excluded.last_at), held_until = max(held_until, excluded.held_until)
    returning upload_id`
}

/** Makes room for one more among the newest uploads of a catalog. Files that wait stay. */
const trimUploads = (scope: CatalogKey): SQL =>
  sql`delete from uploads where ${uploadsOfCatalog(scope)} and outcome <> 'held' and noted_at < (
    select noted_at from uploads where ${uploadsOfCatalog(scope)} order by noted_at desc limit 1 offset ${int(KEPT_REFUSALS - 2)})`

/** The statements that note a refusal. */
export const noteStatements = (scope: CatalogKey, upload: NewUpload): Ending<{ upload_id: string }> => [
  trimUploads(scope),
  insertUpload(scope, upload, null),
]

/**
 * Makes room for one more file: if as many wait as may, one gives way. First those whose time is over, then the
 * oldest of a dry run, then the oldest. A row for each: its file is to be deleted.
 */
const giveWay = (scope: CatalogKey, upload: NewUpload, body: HeldBody): SQL<{ upload_id: string }> =>
  sql`update uploads set outcome = 'expired', ended_at = ${int(upload.createdAt)}
    where upload_id = (select upload_id from uploads where ${uploadsOfCatalog(scope)} and outcome = 'held'
        and ${repeatedUpload(scope, upload, body)} is null
        and (select count(*) from uploads where ${uploadsOfCatalog(scope)} and outcome = 'held') >= ${int(MAX_HELD_FILES)}
      order by held_until > ${int(upload.createdAt)}, held_for <> 'dry_run', noted_at limit 1)
    returning upload_id`

/**
 * The statements that make a file wait. The first one returns the id of a file that gave way, the last one that of the
 * upload.
 */
export const holdStatements = (scope: CatalogKey, upload: NewUpload, body: HeldBody) =>
  [giveWay(scope, upload, body), trimUploads(scope), insertUpload(scope, upload, body)] as const
