import type * as z from 'zod'
import { ApiError } from '#shared/errors/errors'
import type { Catalog } from '#worker/catalog/catalog'
import { isProgram } from '#worker/catalog/write/sql/transaction'
import { firstOf } from '#worker/storage/database'
import { readUpload } from './list'
import type { Upload, uploadReportSchema } from './schemas'
import { type NewUpload, refusalStatements } from './sql/uploads'

/** Who reports, and in which request. */
interface Reporter {
  /** Client id or user. */
  actor: string
  requestId: string
}

/**
 * Lists a night that ended before a file was sent. It counts for the watch as a refusal does. The same report again,
 * with nothing between, is one entry.
 *
 * @throws ApiError 403 for a person: a correction in the console must not look like the job that died
 */
export async function reportUpload(
  catalog: Catalog,
  { message, file_name, outcome }: z.output<typeof uploadReportSchema>,
  { actor, requestId }: Reporter,
): Promise<Upload> {
  if (!isProgram(actor)) throw new ApiError('forbidden', 'Only programs report uploads, with client credentials.')
  const now = new Date()
  const upload: NewUpload = {
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
