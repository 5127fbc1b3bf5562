import { DATASETS, type Data, type FileInput, type OnProgress } from '#client/api'
import type { ServiceClient } from '#client/client'
import type { CatalogType, SentRecord } from '#client/records'
import { hasStatus, type ServiceError } from '#client/service-error'

/** What a write has done, or what it would do. */
export type WriteResult = Data<'post', typeof DATASETS>

/** A file or records. */
export type SyncSource = FileInput | SentRecord[]

export interface SyncPolicy {
  /** `upsert`, the default: adds and changes. `reconcile`: what the file leaves out is deactivated. */
  mode?: 'upsert' | 'reconcile'
  /**
   * Whole percent of the active records, 0 to 50, that may be deactivated. Without it the service's own guard holds.
   */
  maxShrink?: number | undefined
  /** Lets any number of records be deactivated. */
  confirmShrink?: boolean | undefined
  /** How many records may lose the value that they have in a field; 0 unless it is given. */
  maxEmptied?: number | undefined
  /** Fields that any number of records may lose. `all` allows it for every field. */
  allowEmptied?: readonly string[] | 'all'
  /** Writes only if the catalog is still in this state. Else it is refused with 409, without errors. */
  expected?: { revision: number; epoch: string } | undefined
  /** Only says what would change. */
  dryRun?: boolean | undefined
  /** The key of this write, instead of a new one. The same request with the same key is not written twice. */
  idempotencyKey?: string
  signal?: AbortSignal | undefined
  /** Called while the file is sent. */
  onProgress?: OnProgress | undefined
}

/** A guard that has stopped a write, or would. */
export type Stop = NonNullable<WriteResult['shrink_guard']> | NonNullable<WriteResult['emptied_guard']>[number]

/** A file that can be written later without being sent again. */
export interface WaitingFile {
  uploadId: string
  heldUntil: string
}

export type SyncResult =
  /** Also if nothing differed. */
  | { outcome: 'written'; written: WriteResult }
  /** By a guard. `waiting` is the file at the service, if it keeps it. */
  | { outcome: 'stopped'; message: string; stops: readonly Stop[]; waiting: WaitingFile | null }
  /** It was a dry run. `stops` has the guards that would stop the write. */
  | { outcome: 'planned'; plan: WriteResult; stops: readonly Stop[] }

const isStop = (item: object): item is Stop =>
  'code' in item && (item.code === 'shrink_guard' || item.code === 'emptied_guard')

function stopped({ message, errors }: ServiceError): SyncResult | undefined {
  const stops = errors.filter(isStop)
  const [first] = stops
  if (first === undefined) return undefined
  const { upload_id: uploadId, held_until: heldUntil } = first
  const waiting = uploadId === undefined || heldUntil === undefined ? null : { uploadId, heldUntil }
  return { outcome: 'stopped', message, stops, waiting }
}

/**
 * Brings a catalog to the state of a file, by one write with guards. A write without an answer is sent again with the
 * same key, so that it is carried out once.
 *
 * @throws ServiceError when the file is refused, or when the service cannot be reached
 */
export async function sync(
  client: ServiceClient,
  type: CatalogType,
  source: SyncSource,
  policy: SyncPolicy = {},
): Promise<SyncResult> {
  const { mode = 'upsert', maxShrink, confirmShrink, maxEmptied = 0, allowEmptied = [], dryRun } = policy
  const { expected, idempotencyKey, signal, onProgress } = policy
  const emptied =
    allowEmptied === 'all' ? {} : { max_emptied: maxEmptied, allow_emptied: allowEmptied.join() || undefined }
  try {
    const result = await client.post(DATASETS, {
      query: {
        type,
        mode,
        max_shrink: maxShrink,
        confirm_shrink: confirmShrink,
        dry_run: dryRun,
        expected_revision: expected?.revision,
        expected_epoch: expected?.epoch,
        ...emptied,
      },
      body: source,
      signal,
      ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
      ...('file' in source && { gzip: true, onProgress }),
    })
    if (!dryRun) return { outcome: 'written', written: result }
    const { shrink_guard, emptied_guard = [] } = result
    return {
      outcome: 'planned',
      plan: result,
      stops: [...(shrink_guard ? [shrink_guard] : []), ...emptied_guard],
    }
  } catch (error) {
    const stop = hasStatus(error, 409) ? stopped(error) : undefined
    if (stop === undefined) throw error
    return stop
  }
}
