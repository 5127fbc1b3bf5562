import type { Query } from '#client/api'
import type { ServiceClient } from '#client/client'
import { ServiceError } from '#client/service-error'
import type { RecordTypeName } from '#shared/records/record-type'
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
export class HeldFile {
  readonly #client: UploadClient
  readonly #params: { type: RecordTypeName; upload_id: string }
  readonly mode: WriteResult['mode']

  constructor(client: UploadClient, { type, mode }: WriteResult, uploadId: string) {
    this.#client = client
    this.#params = { type, upload_id: uploadId }
    this.mode = mode
  }

  /**
   * Writes it, or says what it would change.
   *
   * @param key names the write: sent again, it is carried out once
   * @throws ServiceError, `isGone` if it no longer waits
   */
  write(query: HeldQuery, signal: AbortSignal, key: string): Promise<WriteResult> {
    const headers = { 'Idempotency-Key': key }
    return this.#client.post(WRITE_HELD, { params: this.#params, query, headers, signal })
  }

  /** The list of what it would change. @throws ServiceError */
  async list(query: HeldQuery): Promise<Blob> {
    return (await this.#client.file('post', WRITE_HELD, { params: this.#params, query })).blob()
  }

  /** The file is not written. */
  discard(): void {
    const path = '/admin/catalogs/v1/{type}/uploads/{upload_id}'
    // If that fails, it ends by itself after a day.
    this.#client.delete(path, { params: this.#params }).catch(() => undefined)
  }
}
