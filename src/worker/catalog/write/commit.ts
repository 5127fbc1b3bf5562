import { ApiError, type EmptiedGuardError, type ShrinkGuardError, type UnknownOutcome } from '#shared/errors/errors'
import type { RecordType } from '#shared/records/record-type'
import type { RecordSource } from '#shared/records/source'
import { countText, type Warning } from '#shared/records/warnings'
import type { Catalog } from '#worker/catalog/catalog'
import type { WriteResult } from '#worker/catalog/schemas'
import type { NewWrite } from '#worker/catalog/write/sql/fragments'
import { sameFileStatements } from '#worker/catalog/write/sql/same-file'
import { type CatalogState, staleState } from '#worker/catalog/write/sql/state'
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
  /** The upload whose file is written, if the file has waited. */
  heldUpload: string | null
  /** The most examples that a warning lists. */
  examples: number
  /** Runs the transaction once it has a slot: not before the records are checked. */
  withSlot: WithSlot
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

/** The longest list of warnings that is kept with a write, in characters. */
const MAX_WARNING_LIST = 16_384

function storedWarnings(warnings: readonly Warning[]): string | null {
  const list = JSON.stringify(warnings)
  return list.length > MAX_WARNING_LIST ? null : list
}

/**
 * Answers for a file that was the last write of the catalog, if its effect is still there: it is not read.
 *
 * @returns the result; without it, the state of the catalog
 */
export async function writeSameFile(
  catalog: Catalog,
  options: WriteOptions & { format: 'csv' | 'json' },
  deadline: Deadline,
): Promise<{ result?: WriteResult; state: CatalogState }> {
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
  const [, , rows, states] = await db.retry(() => db.batch(statements))
  const [row] = rows
  const state = firstOf(states)
  return row === undefined ? { state } : { state, result: committedResult(type, options.mode, row) }
}

/**
 * Runs the statements of a write, again if the connection is lost in time. After a fault, the id of the write, a
 * primary key, tells whether it was carried out, so none is carried out twice.
 *
 * @throws ApiError 409 for a stale revision, a guard and the quota; 503, which says whether the outcome is known
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

/** Reasons that no later state takes back: whatever attempt arrives late is refused too. */
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
    // A refusal may come from what an earlier attempt has written. If the write is not there, it may still arrive.
    const row = await findRow().catch(() => undefined)
    if (row) return row
    if (refusal && LASTING.includes(stop.reason)) throw refusal
    throw unknownOutcome(catalogKey, newWrite.batchId, error)
  }
}

/** The refusal of a write that was stopped (see docs/architecture.md#a-write); null for reasons of other changes. */
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

/** The error of the shrink guard, for the `errors` of a refusal and for a dry run. */
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

/** What a caller is told if it is not known whether a write was carried out. */
export const unknownWrite = ({ type }: CatalogKey, batchId: string): UnknownWrite => ({
  howToFindOut: `GET /admin/catalogs/v1/${type}/writes/${batchId} returns 200 if it did, and 404 if it did not`,
  errors: [{ code: 'unknown_outcome', batch_id: batchId } satisfies UnknownOutcome],
})

/** The database does not tell what became of a write, or does not have it yet. */
const unknownOutcome = (catalogKey: CatalogKey, batchId: string, cause: unknown): ApiError =>
  outcomeNotKnown('the write', unknownWrite(catalogKey, batchId), cause)
