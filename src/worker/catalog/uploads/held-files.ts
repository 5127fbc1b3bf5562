import { type SQL, sql } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import { logLine, nameOf } from '#shared/errors/log-line'
import { REFUSAL_DAYS } from '#shared/limits'
import type { Catalog } from '#worker/catalog/catalog'
import { isHeld, type ListedRow, listedColumns, uploadsOf } from '#worker/catalog/uploads/sql/uploads'
import type { Bucket } from '#worker/storage/bucket'
import { int } from '#worker/storage/database'
import { withinTime } from '#worker/storage/deadline'
import type { ServedDatabase } from '#worker/storage/placement/served-database'
import { readUpload } from './list'

/** Key prefix of pending uploads. No workspace has this ID, so no document has this prefix. */
export const HELD_FOLDER = '_uploads/'

export const heldKey = (uploadId: string): string => `${HELD_FOLDER}${uploadId}`

/** Milliseconds for which a request waits until its file is stored. After that, the upload is not kept. */
const LONGEST_STORING_MS = 5000

/** Stores the bytes of a file. If they are late, the scheduled run deletes them as an orphan. @throws ApiError 503 */
export async function storeHeld(bucket: Bucket, uploadId: string, bytes: Uint8Array): Promise<void> {
  try {
    await withinTime(bucket.put(heldKey(uploadId), bytes), LONGEST_STORING_MS, () => {
      throw new Error('the store is too slow')
    })
  } catch (cause) {
    throw new ApiError(
      'unavailable',
      'The storage for pending uploads is temporarily unavailable, so the file was not kept. Nothing was written. ' +
        'Try again, or send the request without hold=true.',
      { reason: 'file of a pending upload not stored', cause },
    )
  }
}

/** Deletes the bytes of uploads no longer pending. If that fails, the scheduled run deletes them as orphans. */
export async function deleteHeld(bucket: Bucket, uploadIds: readonly string[]): Promise<void> {
  if (uploadIds.length === 0) return
  try {
    await bucket.delete(uploadIds.map(heldKey))
  } catch (error) {
    logLine({ warning: 'upload: file not deleted yet', error: nameOf(error) })
  }
}

export interface HeldRow extends ListedRow {
  size_bytes: number
  content_type: string
  /** Whether an integration has written the catalog since the upload arrived. */
  has_newer_write: 0 | 1
}

/** Condition: the upload, if it is pending. */
const waiting = ({ catalogKey }: Catalog, uploadId: string, now: Date): SQL =>
  sql`${uploadsOf(catalogKey)} and uploads.upload_id = ${uploadId} and ${isHeld(now.getTime())}`

const fileGone = (what: string, reason?: string): ApiError =>
  new ApiError('gone', `The upload is no longer pending: ${what}.`, { reason })

const noLongerHeld = (outcome: string): ApiError => fileGone(`the upload is "${outcome}"`)

/** @throws ApiError 404 if the catalog has no such upload; 410 if its file does not wait */
export async function requireHeld(catalog: Catalog, uploadId: string, now: Date): Promise<HeldRow> {
  const [row] = await catalog.db.all(
    sql<HeldRow>`select ${listedColumns(now.getTime())},
        (select coalesce(last_success_at, 0) > uploads.received_at from catalogs
          where catalog_id = uploads.catalog_id) as has_newer_write
      from ${waiting(catalog, uploadId, now)}`,
  )
  if (row) return row
  const { outcome } = await readUpload(catalog, uploadId, now)
  throw noLongerHeld(outcome)
}

export const storeUnavailable = (cause: unknown): ApiError =>
  new ApiError(
    'unavailable',
    'The storage for pending uploads is temporarily unavailable. Nothing was written, and the upload is still ' +
      'pending. Try again.',
    { reason: 'file of a pending upload cannot be read', cause },
  )

/** The bytes of a pending upload. @throws ApiError 410 if they are gone; 503 if the bucket cannot be reached */
export async function openHeld(bucket: Bucket, uploadId: string): Promise<ReadableStream<Uint8Array>> {
  const object = await bucket.get(heldKey(uploadId)).catch((cause: unknown) => {
    throw storeUnavailable(cause)
  })
  if (object === null) throw fileGone('its bytes are lost', 'an upload waits without its bytes')
  return object.body
}

/** @throws ApiError 404 if the catalog has no such upload; 410 if its file does not wait */
export async function discardHeld(catalog: Catalog, bucket: Bucket, uploadId: string, now: Date): Promise<void> {
  await requireHeld(catalog, uploadId, now)
  const { db } = catalog
  const discardedRows = await db.retry(() =>
    db.all(sql<{ upload_id: string }>`update uploads set outcome = 'discarded'
      where upload_id in (select uploads.upload_id from ${waiting(catalog, uploadId, now)}) returning upload_id`),
  )
  if (discardedRows.length === 0) {
    // Discarded since the check: by this request, if the database's response was lost, or by another one.
    const { outcome } = await readUpload(catalog, uploadId, now)
    if (outcome !== 'discarded') throw noLongerHeld(outcome)
  }
  await deleteHeld(bucket, [uploadId])
}

// For the scheduled run.

const UPLOADS_PER_STEP = 500

const DAY_MS = 24 * 3600 * 1000

const servedCatalogs = ({ serves }: ServedDatabase): SQL =>
  sql`select catalog_id from catalogs where ${serves(sql`catalogs.workspace_id`)}`

/** Expires pending uploads. @returns number of uploads */
export async function expireFiles(database: ServedDatabase, bucket: Bucket, now: Date): Promise<number> {
  const { retry, all } = database
  const time = int(now.getTime())
  const expiredRows = await retry(() =>
    all(sql<{ upload_id: string }>`update uploads set outcome = 'expired'
      where upload_id in (select upload_id from uploads
        where outcome = 'held' and held_until <= ${time} and catalog_id in (${servedCatalogs(database)})
        limit ${int(UPLOADS_PER_STEP)})
      returning upload_id`),
  )
  await deleteHeld(
    bucket,
    expiredRows.map((row) => row.upload_id),
  )
  return expiredRows.length
}

/** Deletes rejected uploads that are no longer listed. @returns number of rows */
export async function purgeUploads(database: ServedDatabase, now: Date): Promise<number> {
  const { retry, all } = database
  const purgedRows = await retry(() =>
    all(sql`delete from uploads where upload_id in (select upload_id from uploads
        where catalog_id in (${servedCatalogs(database)}) and written_at is null and outcome <> 'held'
          and received_at <= ${int(now.getTime() - REFUSAL_DAYS * DAY_MS)}
        limit ${int(UPLOADS_PER_STEP)})
      returning upload_id`),
  )
  return purgedRows.length
}
