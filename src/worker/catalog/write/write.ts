import { apiErrorOf } from '#shared/errors/errors'
import type { RecordSource } from '#shared/records/source'
import type { Catalog } from '#worker/catalog/catalog'
import type { WriteResult } from '#worker/catalog/schemas'
import type { NewWrite } from '#worker/catalog/write/sql/write'
import { writeStatements } from '#worker/catalog/write/sql/write-records'
import { type Ending, firstOf, lastOf } from '#worker/storage/database'
import { stopOf, wasRolledBack } from '#worker/storage/database-faults'
import type { Deadline } from '#worker/storage/deadline'
import { type CheckOptions, checkRequest } from './check-request'
import { type CommittedRow, committedResult } from './result'
import { notCarriedOut, unknownOutcome, unknownWrite, writeRefusal } from './write-refusal'

export interface WriteOptions
  extends CheckOptions,
    Omit<NewWrite, 'batchId' | 'format' | 'mode' | 'warnings' | 'restoredRevision' | 'approvalId' | 'total'> {
  /** The upload whose file is written, if the file has waited. */
  heldUpload: string | null
}

/**
 * Checks all records of a request and writes them.
 *
 * @throws ApiError 400 with every error of every record, as a sequence that is made while it is read; 409 for a stale
 *   revision and for a guard; 503 when the database cannot be reached
 */
export async function writeRecords(
  catalog: Catalog,
  source: RecordSource,
  options: WriteOptions,
  deadline: Deadline,
): Promise<WriteResult> {
  const { catalogKey, type } = catalog
  const checked = await checkRequest(catalog, source, options)
  const { total, warnings, expected } = checked
  const newWrite: NewWrite = {
    ...options,
    ...expected,
    batchId: options.heldUpload ?? crypto.randomUUID(),
    approvalId: options.heldUpload === null ? null : crypto.randomUUID(),
    format: source.format,
    warnings: warnings.length,
    restoredRevision: null,
    total,
  }
  const row = await deadline.whileWriting(
    () => commit(catalog, newWrite, writeStatements(catalogKey, newWrite, checked)),
    unknownWrite(catalogKey, newWrite.batchId),
  )
  const result = committedResult(type, options.mode, row)
  return { ...result, warnings: [...warnings, ...result.warnings] }
}

/**
 * Runs the statements of a write, again if the connection is lost while the request has time. After a fault the write
 * may or may not have been carried out. Its id tells which, and because it is a primary key, a repeated write cannot be
 * carried out twice.
 *
 * @param statements the last one returns the row of the write
 * @throws ApiError 409 for a stale revision, a guard and the quota; 503 when the database cannot be reached, which says
 *   whether that is known
 * @throws Error of the database for other reasons
 */
export async function commit(
  catalog: Catalog,
  newWrite: NewWrite,
  statements: Ending<CommittedRow>,
): Promise<CommittedRow> {
  const row = await carryOut(catalog, newWrite, statements)
  // If the answer of the database was lost, the scheduled run sends them.
  if (row.has_messages === 1) catalog.sendMessages()
  return row
}

async function carryOut(
  { db, catalogKey, type }: Catalog,
  newWrite: NewWrite,
  statements: Ending<CommittedRow>,
): Promise<CommittedRow> {
  let attempts = 0
  const findRow = async () => (await db.all(lastOf(statements)))[0]
  try {
    return await db.retry(async (requireTime) => {
      const earlier = attempts++ > 0 ? await findRow() : undefined
      if (earlier) return earlier
      requireTime()
      return firstOf(await db.batchEnding(statements))
    })
  } catch (error) {
    const stop = stopOf(error)
    const refusal = stop && writeRefusal(stop, newWrite, type)
    if (attempts < 2 && wasRolledBack(error)) throw refusal ?? error
    // The first attempt too may be the cause of a refusal of the second one.
    const row = await findRow().catch((fault: unknown) => {
      throw unknownOutcome(catalogKey, newWrite.batchId, fault)
    })
    if (row) return row
    throw refusal ?? (apiErrorOf(error)?.code === 'unavailable' ? notCarriedOut(error) : error)
  }
}
