import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { shorten } from '#shared/errors/echoed-value'
import { ApiError } from '#shared/errors/errors'
import type { RecordTypeName } from '#shared/records/record-type'
import type { Catalog } from '#worker/catalog/catalog'
import {
  type HeldParameters,
  IS_PREVIEW,
  type ListedRow,
  listedColumns,
  outcomeAt,
  refusalStatements,
  type UploadDraft,
  uploadsOf,
} from '#worker/catalog/uploads/sql/uploads'
import { type WriteRow, writeMessage } from '#worker/catalog/write/result'
import { isProgram } from '#worker/catalog/write/sql/write'
import { firstOf, int } from '#worker/storage/database'
import { asPage, timeOf } from '#worker/storage/list-page'
import { invalidMessage } from './refusal-text'
import type { Upload, uploadPageSchema, uploadReportSchema, uploadsQuerySchema } from './schemas'

/** Rows of uploads that were written immediately or are invalid have no message. It is created from their counts. */
const uploadMessage = (row: ListedRow): string =>
  row.message ??
  (row.written_at === null
    ? invalidMessage(JSON.parse(row.errors), row.error_count)
    : writeMessage({ ...(row as ListedRow & WriteRow), dry_run: false }))

/** The parameters for the write; null if the upload was never pending. */
export const parametersOf = ({ parameters }: ListedRow): HeldParameters | null =>
  parameters === null ? null : JSON.parse(parameters)

export const returnedUpload = (type: RecordTypeName, row: ListedRow): Upload => ({
  upload_id: row.upload_id,
  type,
  created_at: timeOf(row.created_at),
  created_by: row.created_by,
  by_program: row.by_program === 1,
  mode: row.mode,
  format: row.format,
  file_name: row.file_name,
  size_bytes: row.size_bytes,
  outcome: row.outcome_now,
  message: uploadMessage(row),
  error_count: row.error_count,
  errors: JSON.parse(row.errors),
  batch_id: row.written_at === null ? null : row.upload_id,
  revision: row.revision,
  request_id: row.request_id,
  held_until: row.outcome_now === 'held' && row.held_until !== null ? timeOf(row.held_until) : null,
  held_for: row.held_for,
  keep_missing: row.held_for === null ? null : (parametersOf(row)?.keep_missing ?? row.format === 'csv'),
  repeated: row.repeated,
  last_at: timeOf(row.last_at ?? row.created_at),
})

/** The uploads of a catalog, newest first. */
export async function listUploads(
  { db, catalogKey }: Catalog,
  { limit, offset, outcome, previews = true }: z.output<typeof uploadsQuerySchema>,
  now: Date,
): Promise<z.output<typeof uploadPageSchema>> {
  const time = now.getTime()
  const ofOutcome = outcome === undefined ? sql`` : sql` and ${outcomeAt(time)} = ${outcome}`
  const withoutPreviews = previews ? sql`` : sql` and not ${IS_PREVIEW}`
  const matching = sql`${uploadsOf(catalogKey)}${ofOutcome}${withoutPreviews}`
  const [page, counted] = await db.batch([
    sql<ListedRow>`select ${listedColumns(time)} from ${matching}
      order by uploads.received_at desc limit ${int(limit)} offset ${int(offset)}`,
    sql<{ total: number }>`select count(*) as total from ${matching}`,
  ])
  const items = page.map((row) => returnedUpload(catalogKey.type, row))
  return asPage(items, firstOf(counted).total, { limit, offset })
}

/** @throws ApiError 404 if the catalog has no such upload */
export async function readUpload({ db, catalogKey }: Catalog, uploadId: string, now: Date): Promise<Upload> {
  const [row] = await db.all(
    sql<ListedRow>`select ${listedColumns(now.getTime())} from ${uploadsOf(catalogKey)}
      and uploads.upload_id = ${uploadId}`,
  )
  if (row) return returnedUpload(catalogKey.type, row)
  throw new ApiError(
    'not_found',
    `There is no upload of the ${catalogKey.type} catalog with the ID "${shorten(uploadId)}".`,
  )
}

/** Records that an integration sent no file. @throws ApiError 403 for a user, who must not look like the job */
export async function reportUpload(
  catalog: Catalog,
  { message, file_name, outcome }: z.output<typeof uploadReportSchema>,
  { actor, requestId }: { actor: string; requestId: string },
): Promise<Upload> {
  if (!isProgram(actor)) throw new ApiError('forbidden', 'Only clients can report uploads. Use client credentials.')
  const now = new Date()
  const upload: UploadDraft = {
    upload_id: crypto.randomUUID(),
    created_at: now.getTime(),
    created_by: actor,
    request_id: requestId,
    // A report has no mode. Nightly jobs send the whole catalog.
    mode: 'reconcile',
    format: null,
    file_name: file_name ?? null,
    size_bytes: null,
    outcome,
    message,
    error_count: 0,
    errors: '[]',
  }
  const { db, catalogKey } = catalog
  const rows = await db.retry(() => db.batchEnding(refusalStatements(catalogKey, upload)))
  return readUpload(catalog, firstOf(rows).upload_id, now)
}
