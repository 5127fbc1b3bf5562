import type { Query } from '#client/api'
import type { ServiceClient } from '#client/client'
import { ServiceError } from '#client/service-error'
import type { WriteResult } from '../../service/answers'

export type UploadClient = Pick<ServiceClient, 'get' | 'post' | 'delete' | 'file'>

export const WRITE_HELD = '/admin/catalogs/v1/{type}/uploads/{upload_id}/write'

type HeldQuery = Query<'post', typeof WRITE_HELD>

/**
 * Whether the service cannot keep a file: there are too many pending uploads, its storage does not respond, or the kept
 * file has changed.
 */
export const cannotWait = (error: unknown): boolean =>
  error instanceof ServiceError && (error.status === 409 || error.status === 503)

/** Whether an upload is no longer pending. */
export const isGone = (error: unknown): boolean =>
  error instanceof ServiceError && (error.status === 410 || error.status === 404)

/** A pending upload that the service keeps after the dry run, so that the file is only sent once. */
export function heldFile(
  client: UploadClient,
  { type, mode }: WriteResult,
  uploadId: string,
  keepMissing: boolean | undefined,
) {
  const params = { type, upload_id: uploadId }
  return {
    mode,
    /** The choice with which it was sent. */
    keepMissing,
    /** Writes it, or returns what it would change. @throws ServiceError, `isGone` if it is no longer pending */
    write: (query: HeldQuery, signal: AbortSignal, idempotencyKey: string): Promise<WriteResult> =>
      client.post(WRITE_HELD, { params, query, headers: { 'Idempotency-Key': idempotencyKey }, signal }),
    /** The list of what it would change. @throws ServiceError */
    list: async (query: HeldQuery): Promise<Blob> => (await client.file('post', WRITE_HELD, { params, query })).blob(),
    /** Discards the file without writing it. If that fails, it expires after a day. */
    discard: () => {
      client.delete('/admin/catalogs/v1/{type}/uploads/{upload_id}', { params }).catch(() => undefined)
    },
  }
}

export type HeldFile = ReturnType<typeof heldFile>
