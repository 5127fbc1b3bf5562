import { ApiError, type EmptiedGuardError, type ShrinkGuardError, type UnknownOutcome } from '#shared/errors/errors'
import type { RecordType } from '#shared/records/record-type'
import type { RecordSource } from '#shared/records/source'
import { countText, type Warning } from '#shared/records/warnings'
import type { Catalog } from '#worker/catalog/catalog'
import type { WriteResult } from '#worker/catalog/schemas'
import type { CatalogFacts } from '#worker/catalog/write/sql/compare'
import type { NewWrite } from '#worker/catalog/write/sql/fragments'
import { sameFileStatements } from '#worker/catalog/write/sql/same-file'
import { staleState } from '#worker/catalog/write/sql/state'
import { writeStatements } from '#worker/catalog/write/sql/write'
import type { CatalogKey } from '#worker/storage/catalog-key'
import { type Ending, firstOf, lastOf, type WithSlot } from '#worker/storage/database'
import { type Stop, stopOf, WriteAttempts } from '#worker/storage/database-faults'
import { type Deadline, outcomeNotKnown, type UnknownWrite } from '#worker/storage/deadline'
import { historyRefusal, quotaRefusal } from '#worker/storage/quotas'
import { type CheckedRequest, type CheckOptions, checkRequest, inComparedState } from './check-request'
import { type EmptiedGuard, emptiedGuardErrors } from './emptied-fields'
import { reactivatedWarnings } from './id-warnings'
import { type CommittedRow, committedResult } from './result'

export interface WriteOptions
  extends CheckOptions,
    Omit<
      NewWrite,
      'batchId' | 'format' | 'mode' | 'warnings' | 'warningList' | 'restoredRevision' | 'approvalId' | 'total'
    > {
  /** The pending upload that is approved, if any. */
  heldUpload: string | null
  /** Most examples in a warning. */
  examples: number
  /** Runs the transaction once it has a slot. Only used after the records are checked. */
  withSlot: WithSlot
}

/**
 * Checks all records of a request and writes them.
 *
 * @throws ApiError 400 with every error of every record, as a sequence that is created while it is read; 409 for a
 *   stale revision and for a guard; 503 if the database cannot be reached
 */
export async function writeRecords(
  catalog: Catalog,
  source: RecordSource,
  options: WriteOptions,
  deadline: Deadline,
): Promise<WriteResult> {
  const { catalogKey, type } = catalog
  const write = async (checked: CheckedRequest) => {
    const newWrite: NewWrite = {
      ...options,
      ...checked.expected,
      batchId,
      approvalId: options.heldUpload === null ? null : crypto.randomUUID(),
      format: checked.format,
      warnings: checked.warnings.length,
      warningList: storedWarnings(checked.warnings),
      restoredRevision: null,
      total: checked.total,
    }
    const statements = writeStatements(catalogKey, newWrite, checked)
    const run = () =>
      deadline.whileWriting(() => commit(catalog, newWrite, statements), unknownWrite(catalogKey, batchId))
    return { checked, row: await options.withSlot(run) }
  }
  const batchId = options.heldUpload ?? crypto.randomUUID()
  const { checked, row } = await inComparedState(await checkRequest(catalog, source, options), write)
  const result = committedResult(type, options.mode, row, checked.warnings)
  const reactivated = reactivatedWarnings(checked, row.reactivated_positions ?? '[]', options)
  return { ...result, warnings: [...result.warnings, ...reactivated] }
}

/** Most characters of a list of warnings that is stored with a write. */
const MAX_WARNING_LIST = 16_384

function storedWarnings(warnings: readonly Warning[]): string | null {
  const list = JSON.stringify(warnings)
  return list.length > MAX_WARNING_LIST ? null : list
}

/**
 * Handles a file identical to the last write of an unchanged catalog, without reading it.
 *
 * @returns the result; for any other file, what its comparison needs to know
 */
export async function writeSameFile(
  catalog: Catalog,
  options: WriteOptions & { format: 'csv' | 'json' },
  deadline: Deadline,
): Promise<{ result?: WriteResult; facts: CatalogFacts }> {
  const { db, catalogKey, type } = catalog
  const newWrite: NewWrite = {
    ...options,
    batchId: crypto.randomUUID(),
    approvalId: null,
    warnings: 0,
    warningList: null,
    restoredRevision: null,
    total: 0,
  }
  const statements = sameFileStatements(catalogKey, newWrite)
  deadline.requireTime()
  const [, , rows, facts] = await db.retry(() => db.batch(statements))
  const [row] = rows
  const known = { facts: firstOf(facts) }
  return row === undefined ? known : { ...known, result: committedResult(type, options.mode, row) }
}

/**
 * Runs the statements of a write, and retries them in time if the connection is lost. After a fault, the ID of the
 * write, a primary key, shows whether it took effect, so no write takes effect twice.
 *
 * @throws ApiError 409 for a stale revision, a guard and the quota; 503, which shows whether the outcome is known
 */
export async function commit(
  catalog: Catalog,
  newWrite: NewWrite,
  statements: Ending<CommittedRow>,
): Promise<CommittedRow> {
  const row = await carryOut(catalog, newWrite, statements)
  // If the database's response was lost, the scheduled run sends them.
  if (row.has_messages === 1) catalog.sendMessages()
  return row
}

/** Reasons that hold in every later state, so that a late attempt is stopped, too. */
const LASTING: readonly Stop['reason'][] = ['stale_revision', 'upload_taken']

async function carryOut(
  { db, catalogKey, type }: Catalog,
  newWrite: NewWrite,
  statements: Ending<CommittedRow>,
): Promise<CommittedRow> {
  const attempts = new WriteAttempts()
  const findRow = async () => (await db.all(lastOf(statements)))[0]
  try {
    return await db.retry(async (requireTime) => {
      const earlier = attempts.mayBeCarriedOut ? await findRow() : undefined
      if (earlier) return earlier
      requireTime()
      return firstOf(await attempts.make(() => db.batchEnding(statements)))
    })
  } catch (error) {
    const stop = stopOf(error)
    const refusal = stop && writeRefusal(stop, newWrite, type)
    if (!attempts.mayBeCarriedOut) throw refusal ?? error
    // The stop may be caused by an earlier attempt's own write. If that write is missing, it may still arrive.
    const row = await findRow().catch(() => undefined)
    if (row) return row
    if (refusal && LASTING.includes(stop.reason)) throw refusal
    throw unknownOutcome(catalogKey, newWrite.batchId, error)
  }
}

/** The error for a stopped write (docs/architecture.md#a-write); null for reasons of other changes. */
function writeRefusal(stop: Stop, newWrite: NewWrite, type: RecordType): ApiError | null {
  const [first = '', second = ''] = stop.figures
  switch (stop.reason) {
    case 'quota':
      return quotaRefusal(stop) ?? null
    case 'history':
      return historyRefusal(stop)
    case 'upload_taken':
      return takenMeanwhile()
    case 'stale_revision':
      return staleState(Number(first), newWrite)
    case 'shrink_guard':
      return shrinkRefusal(newWrite, Number(first), Number(second))
    case 'emptied_guard':
      return (
        newWrite.emptiedGuard &&
        emptiedRefusal(emptiedGuardErrors(type, newWrite.emptiedGuard, first), newWrite.emptiedGuard)
      )
    default:
      return null
  }
}

const takenMeanwhile = (): ApiError =>
  new ApiError(
    'conflict',
    'Another request wrote or discarded this upload at the same time. Nothing was written by this request. Get ' +
      'the upload to see its outcome.',
  )

function emptiedRefusal(errors: EmptiedGuardError[], { maxEmptied }: EmptiedGuard): ApiError {
  const fields = errors.map(({ field }) => field).join(',')
  const counts = errors.map(({ field, emptied }) => `${field} in ${countText(emptied, 'record')}`).join(', ')
  return new ApiError(
    'conflict',
    `The write would clear ${counts}, more than max_emptied=${maxEmptied}. Nothing was written. To write it ` +
      `anyway, send allow_emptied=${fields}.`,
    { errors },
  )
}

/** The shrink guard's error, for the `errors` of a blocked write and for a dry run. */
export const shrinkGuard = (activeBefore: number, wouldDeactivate: number): ShrinkGuardError => ({
  code: 'shrink_guard',
  active_before: activeBefore,
  would_deactivate: wouldDeactivate,
})

function shrinkRefusal({ mode, maxShrink }: NewWrite, activeBefore: number, wouldDeactivate: number): ApiError {
  const limit = maxShrink === 50 ? 'half' : `${maxShrink} percent`
  return new ApiError(
    'conflict',
    `The ${mode} would deactivate ${wouldDeactivate} of ${activeBefore} active records, more than ${limit}. ` +
      'Nothing was written. To write it anyway, send confirm_shrink=true.',
    { errors: [shrinkGuard(activeBefore, wouldDeactivate)] },
  )
}

/** What to report if it is unknown whether a write took effect. */
export const unknownWrite = ({ type }: CatalogKey, batchId: string): UnknownWrite => ({
  howToFindOut: `GET /admin/catalogs/v1/${type}/writes/${batchId} returns 200 if it did, and 404 if it did not`,
  errors: [{ code: 'unknown_outcome', batch_id: batchId } satisfies UnknownOutcome],
})

/** Thrown if the database cannot show the outcome of a write, or does not have it yet. */
const unknownOutcome = (catalogKey: CatalogKey, batchId: string, cause: unknown): ApiError =>
  outcomeNotKnown('the write', unknownWrite(catalogKey, batchId), cause)
