import { ApiError, type EmptiedGuardError, type ShrinkGuardError, type UnknownOutcome } from '#shared/errors/errors'
import type { RecordType } from '#shared/records/record-type'
import type { RecordSource } from '#shared/records/source'
import { countText, type Warning } from '#shared/records/warnings'
import type { Catalog } from '#worker/catalog/catalog'
import type { WriteResult } from '#worker/catalog/schemas'
import { type DryRunRow, diffStatement, dryRunStatement, type OutcomeRow } from '#worker/catalog/write/sql/dry-run'
import type { NewWrite } from '#worker/catalog/write/sql/fragments'
import { sameFileStatements } from '#worker/catalog/write/sql/same-file'
import { type CatalogState, requireState, staleState } from '#worker/catalog/write/sql/state'
import { writeStatements } from '#worker/catalog/write/sql/write-records'
import type { CatalogKey } from '#worker/storage/catalog-key'
import { databaseInSlots, type Ending, firstOf, lastOf, type WithSlot } from '#worker/storage/database'
import { type Stop, stopOf, WriteAttempts } from '#worker/storage/database-faults'
import { type Deadline, outcomeNotKnown, type UnknownWrite } from '#worker/storage/deadline'
import { historyRefusal, quotaRefusal } from '#worker/storage/quotas'
import { type CheckedRequest, type CheckOptions, checkRequest, inComparedState } from './check-request'
import { diffOf } from './diff'
import { type EmptiedGuard, emptiedFields, emptiedGuardErrors } from './emptied-fields'
import { reactivatedWarnings, renamedIdWarnings, similarIdWarnings } from './id-warnings'
import { type CommittedRow, committedResult } from './result'
import { sameItemWarnings } from './same-item-warnings'

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
const shrinkGuard = (activeBefore: number, wouldDeactivate: number): ShrinkGuardError => ({
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

export interface DryRunOptions extends CheckOptions, Pick<NewWrite, 'maxShrink' | 'emptiedGuard'> {
  diff: boolean
  /** The most examples that a warning lists. */
  examples: number
  /** Runs each look at the database once it has a slot. */
  withSlot: WithSlot
}

/**
 * Tells what a write would do. Each look at the database has a slot of its own.
 *
 * @throws ApiError 400 as `writeRecords`; 409 for a stale revision
 */
export async function previewWrite(
  catalog: Catalog,
  source: RecordSource,
  options: DryRunOptions,
): Promise<WriteResult> {
  const inSlots = { ...catalog, db: databaseInSlots(catalog.db, options.withSlot) }
  const { db, catalogKey, type } = inSlots
  const { diff, mode } = options
  const preview = async (checked: CheckedRequest): Promise<WriteResult> => {
    if (!diff) return dryRunResult(inSlots, await db.one(dryRunStatement(catalogKey, checked, mode)), checked, options)
    const rows = await db.all(diffStatement(catalogKey, checked, mode))
    return { ...(await dryRunResult(inSlots, firstOf(rows), checked, options)), diff: diffOf(type, rows) }
  }
  return inComparedState(await checkRequest(inSlots, source, options), preview)
}

async function dryRunResult(
  catalog: Catalog,
  row: DryRunRow,
  checked: CheckedRequest,
  options: DryRunOptions,
): Promise<WriteResult> {
  const { type } = catalog
  const { mode, maxShrink, examples } = options
  requireState(row, checked.expected)
  const unsent = checked.total - row.total
  const all = { ...row, total: checked.total, unchanged: row.unchanged + unsent }
  const counts = previewCounts(all, row.left_out_count)
  const { emptied, warnings } = emptiedFields(type, checked.format, row.emptied)
  const emptiedGuard = options.emptiedGuard && emptiedGuardErrors(type, options.emptiedGuard, row.emptied)
  const reactivated = reactivatedWarnings(checked, row.reactivated_positions, options)
  const similar = await similarIdWarnings(catalog, checked, row, examples)
  const renamed = await renamedIdWarnings(catalog, checked, row, examples)
  const sameItems = await sameItemWarnings(catalog, checked, mode, examples)
  return {
    type: type.name,
    mode,
    dry_run: true,
    ...counts,
    emptied,
    warnings: [...checked.warnings, ...warnings, ...reactivated, ...similar, ...renamed, ...sameItems],
    ...guardError(maxShrink, row.active_before, counts.deactivated),
    ...(emptiedGuard && emptiedGuard.length > 0 ? { emptied_guard: emptiedGuard } : {}),
  }
}

/** The counts of a change, and the present state. @param leftOut active records that a reconcile does not send */
export function previewCounts(row: OutcomeRow, leftOut = 0) {
  const { total, inserted, reactivated, unchanged, active_before, revision, epoch } = row
  const deactivated = row.became_inactive + leftOut
  return {
    total,
    inserted,
    updated: total - inserted - reactivated - row.became_inactive,
    reactivated,
    unchanged,
    deactivated,
    active_before,
    active_after: active_before + row.became_active - deactivated,
    revision,
    epoch,
  }
}

export const guardError = (
  maxShrink: number | null,
  activeBefore: number,
  wouldDeactivate: number,
): { shrink_guard?: ShrinkGuardError } =>
  maxShrink !== null && wouldDeactivate * 100 > maxShrink * activeBefore
    ? { shrink_guard: shrinkGuard(activeBefore, wouldDeactivate) }
    : {}
