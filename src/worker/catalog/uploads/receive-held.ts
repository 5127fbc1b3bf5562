import { receiveUpload } from '#worker/catalog/write/change-endpoint'
import type { Upload } from '#worker/catalog/write/upload'
import { NotArrivedError } from '#worker/http/body/body-stream'
import type { AppContext } from '#worker/http/context'
import { bucketOf } from '#worker/http/databases'
import { type HeldRow, openHeld, storeUnavailable } from './held-files'

/**
 * Receives a file that waits, as if it came with the request.
 *
 * @throws ApiError 410 if the bytes of the file are gone; 503 if the store cannot be reached
 */
export async function receiveHeld(c: AppContext, row: HeldRow): Promise<Upload> {
  const stream = await openHeld(bucketOf(c), row.upload_id)
  const headers = new Headers({ 'Content-Type': row.content_type, 'Content-Length': String(row.size_bytes) })
  try {
    return await receiveUpload(c, { stream, headers })
  } catch (error) {
    throw error instanceof NotArrivedError ? storeUnavailable(error) : error
  }
}
