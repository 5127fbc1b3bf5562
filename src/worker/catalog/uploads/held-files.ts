import { ApiError } from '#shared/errors/errors'
import { logLine } from '#shared/errors/log-line'
import type { Catalog } from '#worker/catalog/catalog'
import { type ReceivedUpload, receiveUpload } from '#worker/catalog/write/upload'
import type { SentBody } from '#worker/http/body/body'
import { NotArrivedError } from '#worker/http/body/body-stream'
import type { AppContext } from '#worker/http/context'
import { readUpload } from './list'
import { discardFile, type HeldRow, heldFile } from './sql/held'

/** Where the bodies of files that wait are. No workspace has such a name, so nobody's documents are there. */
export const HELD_FOLDER = '_uploads/'

export const heldKey = (uploadId: string): string => `${HELD_FOLDER}${uploadId}`

/** Deletes bodies of files that no longer wait. What cannot be deleted now is an orphan for the scheduled run. */
export async function deleteHeld(bucket: R2Bucket, uploadIds: readonly string[]): Promise<void> {
  if (uploadIds.length === 0) return
  try {
    await bucket.delete(uploadIds.map(heldKey))
  } catch (error) {
    logLine({
      warning: 'upload: file not deleted yet',
      error: error instanceof Error ? error.name : 'unknown',
    })
  }
}

const gone = (what: string, reason?: string): ApiError =>
  new ApiError('gone', `The file no longer waits: ${what}.`, { reason })

/** @throws ApiError 404 if the catalog has no such upload; 410 if its file does not wait */
export async function requireHeld(catalog: Catalog, uploadId: string, now: Date): Promise<HeldRow> {
  const [row] = await catalog.db.all(heldFile(catalog.scope, uploadId, now.getTime()))
  if (row) return row
  const { outcome } = await readUpload(catalog, uploadId, now)
  throw gone(`the upload is "${outcome}"`)
}

const storeUnavailable = (cause: unknown): ApiError =>
  new ApiError(
    'unavailable',
    'The store with the files that wait is not available at the moment. Nothing was written; the file waits on. Try again.',
    { reason: 'file that waits cannot be read', cause },
  )

async function bodyFrom(bucket: R2Bucket, uploadId: string): Promise<ReadableStream<Uint8Array>> {
  const object = await bucket.get(heldKey(uploadId)).catch((cause: unknown) => {
    throw storeUnavailable(cause)
  })
  if (object === null) throw gone('its bytes are lost', 'an upload waits without its bytes')
  return object.body
}

/**
 * Reads the file of an upload again, as its request was read: taken out of its form.
 *
 * @throws ApiError 410 if its bytes are gone; 503 if the store cannot be reached
 */
export async function receiveHeld(c: AppContext, row: HeldRow): Promise<ReceivedUpload> {
  const sent: SentBody = {
    stream: await bodyFrom(c.env.DOCUMENTS, row.upload_id),
    headers: new Headers({ 'Content-Type': row.content_type, 'Content-Length': String(row.stored_bytes) }),
  }
  try {
    return { ...(await receiveUpload(c, sent)), fileName: row.file_name }
  } catch (error) {
    throw error instanceof NotArrivedError ? storeUnavailable(error) : error
  }
}

/** @throws ApiError 404 if the catalog has no such upload; 410 if its file does not wait */
export async function discardHeld(
  catalog: Catalog,
  bucket: R2Bucket,
  uploadId: string,
  now: Date,
): Promise<void> {
  // The read follows a workspace that has moved. The change alone would find nothing in the old database.
  await requireHeld(catalog, uploadId, now)
  const { db, scope } = catalog
  const [discarded] = await db.retrying(() => db.all(discardFile(scope, uploadId, now.getTime())))
  if (!discarded) await requireHeld(catalog, uploadId, now)
  await deleteHeld(bucket, [uploadId])
}
