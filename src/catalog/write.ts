import type * as z from 'zod'
import { type BatchHead, type Chunk, writeStatements } from '#catalog/sql/write'
import { ApiError } from '#errors'
import type { Deadline } from '#http/deadline'
import type { RecordType } from '#records/record-type'
import type { RecordSource } from '#records/source'
import type { CatalogScope } from '#storage/catalog-scope'
import { isTransient, retrying } from '#storage/d1'
import type { Database } from '#storage/database'
import { type BatchRow, countsOf, findBatch } from './batches'
import { checkAll } from './check'
import { overQuota, shrinkGuard, staleRevision } from './conflicts'
import { dryRun } from './dry-run'
import type { writeResult } from './schemas'

export interface WriteOptions {
  mode: 'upsert' | 'reconcile'
  dryRun: boolean
  /** Of a dry run: tell also which records would change, and how. */
  diff: boolean
  confirmShrink: boolean
  expectedRevision: number | null
  fileName: string | null
  sizeBytes: number
  /** Client id or user. */
  actor: string
  /** Milliseconds since the epoch. */
  now: number
}

/** Answer to a write or a dry run. */
export type WriteResult = z.output<typeof writeResult>

/**
 * Checks all records of a request and writes them, or says what writing them would do.
 *
 * @throws ApiError 400 with every fault of every record, as a sequence that is made while it is read; 409 for a stale
 *   revision and for the shrink guard; 503 when the database stays away
 */
export async function writeRecords(
  db: Database,
  scope: CatalogScope,
  type: RecordType,
  source: RecordSource,
  options: WriteOptions,
  deadline: Deadline,
): Promise<WriteResult> {
  const { chunks, ids, total, warnings } = checkAll(type, source)
  if (options.dryRun) return { ...(await dryRun(db, scope, type, chunks, options)), warnings }

  const head: BatchHead = {
    batchId: crypto.randomUUID(),
    format: source.format,
    mode: options.mode,
    fileName: options.fileName,
    sizeBytes: options.sizeBytes,
    createdBy: options.actor,
    now: options.now,
    warnings: warnings.length,
    expectedRevision: options.expectedRevision,
    guarded: options.mode === 'reconcile' && !options.confirmShrink,
    total,
  }
  const sentIds = options.mode === 'reconcile' ? ids : []
  const batch = await deadline.whileWriting(() => commit(db, scope, head, chunks, sentIds))
  return {
    type: scope.type,
    mode: options.mode,
    dry_run: false,
    ...countsOf(batch),
    active_before: batch.active_before,
    active_after: batch.active_after,
    revision: batch.revision,
    ...(source.format === 'csv' ? { batch_id: batch.batch_id } : {}),
    warnings,
  }
}

/**
 * Runs the batch of a write. When D1 loses the connection, the write may or may not have been carried out: its batch id
 * tells, and, being a primary key, keeps a repetition from being carried out twice.
 */
async function commit(
  db: Database,
  scope: CatalogScope,
  head: BatchHead,
  chunks: readonly Chunk[],
  ids: readonly string[],
): Promise<BatchRow> {
  let repeated = false
  const committed = async () => (repeated ? findBatch(db, scope, head.batchId) : undefined)
  return retrying(async () => {
    const earlier = await committed()
    if (earlier) return earlier
    try {
      const results = await db.batch(writeStatements(scope, head, chunks, ids))
      return results.at(-1)![0] as unknown as BatchRow
    } catch (error) {
      if (isTransient(error)) throw error
      // The attempt before this one may have been carried out only now, and be what refuses this one.
      const late = await committed()
      if (late) return late
      throw refusalOf(error) ?? error
    } finally {
      repeated = true
    }
  })
}

/** What the triggers of migrations 0002 and 0030 say when they stop a write. */
function refusalOf(error: unknown): ApiError | null {
  const message = error instanceof Error ? error.message : ''
  const full = /quota:(records|bytes):(\d+):(\d+):(\d+)/.exec(message)
  if (full) {
    const [limit, used, needed] = full.slice(2).map(Number) as [number, number, number]
    return overQuota({ code: 'quota', quota: full[1] as 'records' | 'bytes', limit, used, needed })
  }
  const stale = /stale_revision:(\d+)/.exec(message)
  if (stale) return staleRevision(Number(stale[1]))
  const guard = /shrink_guard:(\d+):(\d+)/.exec(message)
  if (!guard) return null
  const stopped = shrinkGuard(Number(guard[1]), Number(guard[2]))
  return new ApiError(
    'conflict',
    `The reconcile would deactivate ${stopped.would_deactivate} of ${stopped.active_before} active records, more than half. Nothing was written; confirm_shrink=true overrides this.`,
    { errors: [stopped] },
  )
}
