import type * as z from 'zod'
import type { BatchHead } from '#catalog/sql/commit'
import { writeStatements } from '#catalog/sql/write'
import type { Deadline } from '#http/deadline'
import type { RecordType } from '#records/record-type'
import type { RecordSource } from '#records/source'
import type { CatalogScope } from '#storage/catalog-scope'
import type { Database } from '#storage/database'
import { checkAll } from './check'
import { commit, committedResult } from './commit'
import { dryRun } from './dry-run'
import type { writeResult } from './schemas'

export interface WriteOptions {
  mode: 'upsert' | 'reconcile'
  dryRun: boolean
  /** For a dry run: return also which records would change, and how. */
  diff: boolean
  /** Share of the active records, in whole percent, that may be deactivated; null when no guard applies. */
  maxShrink: number | null
  /** Whether the versions that the write ends are kept. */
  keepsVersions: boolean
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
 * Checks all records of a request and writes them, or returns what writing them would do.
 *
 * @throws ApiError 400 with every error of every record, as a sequence that is made while it is read; 409 for a stale
 *   revision and for the shrink guard; 503 when the database cannot be reached
 */
export async function writeRecords(
  db: Database,
  scope: CatalogScope,
  type: RecordType,
  source: RecordSource,
  options: WriteOptions,
  deadline: Deadline,
): Promise<WriteResult> {
  const { chunks, ids, total, warnings } = checkAll(type, source, options.mode)
  if (options.dryRun) {
    const result = await dryRun(db, scope, type, chunks, options)
    return { ...result, warnings: [...warnings, ...result.warnings] }
  }

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
    maxShrink: options.maxShrink,
    restoredRevision: null,
    keepsVersions: options.keepsVersions,
    total,
  }
  const batch = await deadline.whileWriting(() =>
    commit(db, scope, head, writeStatements(scope, head, chunks, ids)),
  )
  return { ...committedResult(scope, options.mode, batch), warnings }
}
