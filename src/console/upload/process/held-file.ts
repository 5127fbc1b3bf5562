import type { Query } from '#client/api'
import type { ServiceClient } from '#client/client'
import { ServiceError } from '#client/service-error'
import type { WriteResult } from '../../service/answers'

export type UploadClient = Pick<ServiceClient, 'get' | 'post' | 'delete' | 'file'>

export const WRITE_HELD = '/admin/catalogs/v1/{type}/uploads/{upload_id}/write'

type HeldQuery = Query<'post', typeof WRITE_HELD>

/**
 * Whether the service cannot keep a file: too many files wait already, its store does not answer, or the kept file has
 * changed.
 */
export const cannotWait = (error: unknown): boolean =>
  error instanceof ServiceError && (error.status === 409 || error.status === 503)

/** Whether a file no longer waits. */
export const isGone = (error: unknown): boolean =>
  error instanceof ServiceError && (error.status === 410 || error.status === 404)

/** A file that waits in the service since its dry run, so that it is sent only once. */
export function heldFile(
  client: UploadClient,
  { type, mode }: WriteResult,
  uploadId: string,
  keepMissing: boolean | undefined,
) {
  const params = { type, upload_id: uploadId }
  return {
    mode,
    /** The decision with which it was sent. */
    keepMissing,
    /** Writes it, or says what it would change. @throws ServiceError, `isGone` if it no longer waits */
    write: (query: HeldQuery, signal: AbortSignal, idempotencyKey: string): Promise<WriteResult> =>
      client.post(WRITE_HELD, { params, query, headers: { 'Idempotency-Key': idempotencyKey }, signal }),
    /** The list of what it would change. @throws ServiceError */
    list: async (query: HeldQuery): Promise<Blob> => (await client.file('post', WRITE_HELD, { params, query })).blob(),
    /** The file is not written. If that fails, it ends by itself after a day. */
    discard: () => {
      client.delete('/admin/catalogs/v1/{type}/uploads/{upload_id}', { params }).catch(() => undefined)
    },
  }
}

export type HeldFile = ReturnType<typeof heldFile>
