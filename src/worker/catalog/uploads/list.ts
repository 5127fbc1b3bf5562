import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { shortened } from '#shared/errors/echoed-value'
import { ApiError } from '#shared/errors/errors'
import type { RecordTypeName } from '#shared/records/record-type'
import type { Catalog } from '#worker/catalog/catalog'
import { writeMessage } from '#worker/catalog/write/result'
import type { CatalogKey } from '#worker/storage/catalog-scope'
import { firstOf, int } from '#worker/storage/database'
import { asPage, type PageRequest } from '#worker/storage/paged'
import type { Upload, uploadPageSchema } from './schemas'
import { IS_PREVIEW, outcomeAt, type UploadOutcome, type UploadRow, uploadColumns, uploadsOf } from './sql/rows'

const shownTime = (ms: number): string => new Date(ms).toISOString()

export const isWritten = (outcome: UploadOutcome): boolean =>
  outcome === 'written' || outcome === 'unchanged' || outcome === 'approved'

const uploadMessage = (row: UploadRow): string =>
  row.message === null ? writeMessage({ ...row, dry_run: false }) : row.message

/** An upload as the API returns it. */
export const returnedUpload = (type: RecordTypeName, row: UploadRow): Upload => ({
  upload_id: row.upload_id,
  type,
  created_at: shownTime(row.created_at),
  created_by: row.created_by,
  by_program: row.by_program === 1,
  mode: row.mode,
  format: row.format,
  file_name: row.file_name,
  size_bytes: row.size_bytes,
  outcome: row.outcome,
  message: uploadMessage(row),
  error_count: row.error_count,
  errors: JSON.parse(row.errors),
  batch_id: isWritten(row.outcome) ? row.upload_id : null,
  revision: row.revision,
  request_id: row.request_id,
  held_until: row.held_until === null ? null : shownTime(row.held_until),
  held_for: row.held_for,
  keep_missing: row.keep_missing === null ? null : row.keep_missing === 1,
  repeated: row.repeated,
  last_at: shownTime(row.last_at),
})

export interface UploadsRequest extends PageRequest {
  outcome?: UploadOutcome | undefined
  /** Whether people's own previews are among them; they are, unless told otherwise. */
  previews?: boolean | undefined
}

/** The uploads of a catalog, newest first. */
export async function listUploads(
  { db, scope }: Catalog,
  { limit, offset, outcome, previews = true }: UploadsRequest,
  now: Date,
): Promise<z.output<typeof uploadPageSchema>> {
  const time = now.getTime()
  const ofOutcome = outcome === undefined ? sql`` : sql` and ${outcomeAt(time)} = ${outcome}`
  const withoutPreviews = previews ? sql`` : sql` and not ${IS_PREVIEW}`
  const wanted = sql`${uploadsOf(scope)}${ofOutcome}${withoutPreviews}`
  const [page, counted] = await db.batch([
    sql<UploadRow>`select ${uploadColumns(time)} from ${wanted}
      order by u.received_at desc limit ${int(limit)} offset ${int(offset)}`,
    sql<{ total: number }>`select count(*) as total from ${wanted}`,
  ])
  const items = page.map((row) => returnedUpload(scope.type, row))
  return asPage(items, firstOf(counted).total, { limit, offset })
}

const noSuchUpload = (scope: CatalogKey, uploadId: string): ApiError =>
  new ApiError('not_found', `There is no upload of the ${scope.type} catalog with the id "${shortened(uploadId)}".`)

/** @throws ApiError 404 if the catalog has no such upload */
export async function readUpload({ db, scope }: Catalog, uploadId: string, now: Date): Promise<Upload> {
  const [row] = await db.all(
    sql<UploadRow>`select ${uploadColumns(now.getTime())} from ${uploadsOf(scope)} and u.upload_id = ${uploadId}`,
  )
  if (!row) throw noSuchUpload(scope, uploadId)
  return returnedUpload(scope.type, row)
}
