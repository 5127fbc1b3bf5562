import { ApiError, apiErrorOf, type EmptiedGuardError } from '#shared/errors/errors'
import type { RecordType } from '#shared/records/record-type'
import { counted } from '#shared/records/warnings'
import type { Catalog } from '#worker/catalog/catalog'
import { type CommittedRow, countsOf, type WriteMode } from '#worker/catalog/history/batches'
import { isTaken, type WriteHead } from '#worker/catalog/write/sql/commit'
import type { CatalogKey } from '#worker/storage/catalog-scope'
import { wasRolledBack } from '#worker/storage/d1'
import { type Ending, firstOf, lastOf } from '#worker/storage/database'
import { quotaRefusal } from '#worker/storage/quotas'
import { notRestorable, shrinkGuard, staleState, TooManyRestored, takenMeanwhile } from './conflicts'
import { type EmptiedGuard, emptiedGuardErrors } from './emptied-fields'
import { notCarriedOut, unknownOutcome } from './unknown-outcome'

/**
 * Runs the batch of a write, again if the connection is lost while the request has time. After a fault the write may or
 * may not have been carried out. The batch id tells which, and because it is a primary key, a repeated batch cannot be
 * carried out twice.
 *
 * @param statements the last one returns the row of the batch
 * @throws ApiError 409 for a stale revision, a guard and the quota; 400 or 409 for a revision that cannot be
 *   restored; 503 when the database cannot be reached, which says whether that is known
 * @throws TooManyRestored
 */
export async function commit(
  catalog: Catalog,
  head: WriteHead,
  statements: Ending<CommittedRow>,
): Promise<CommittedRow> {
  const batch = await carryOut(catalog, head, statements)
  // If the answer of the database was lost, the scheduled run sends them.
  if (batch.has_messages === 1) catalog.announce()
  return batch
}

async function carryOut(
  { db, scope, type }: Catalog,
  head: WriteHead,
  statements: Ending<CommittedRow>,
): Promise<CommittedRow> {
  let attempts = 0
  const carriedOut = async () => (await db.all(lastOf(statements)))[0]
  try {
    return await db.retrying(async (requireTime) => {
      const earlier = attempts++ > 0 ? await carriedOut() : undefined
      if (earlier) return earlier
      requireTime()
      return firstOf(await db.batchEnding(statements))
    })
  } catch (error) {
    const refusal = writeRefusal(error, head, type)
    if (attempts < 2 && wasRolledBack(error)) throw refusal ?? error
    // The first attempt too may be the cause of a refusal of the second one.
    const found = await carriedOut().catch((fault: unknown) => {
      throw unknownOutcome(scope, head.batchId, fault)
    })
    if (found) return found
    throw refusal ?? (apiErrorOf(error)?.code === 'unavailable' ? notCarriedOut(error) : error)
  }
}

export const committedResult = <Mode extends WriteMode>(
  scope: CatalogKey,
  mode: Mode,
  batch: CommittedRow,
) => ({
  type: scope.type,
  mode,
  dry_run: false,
  ...countsOf(batch),
  active_before: batch.active_before,
  active_after: batch.active_after,
  revision: batch.revision,
  epoch: batch.epoch,
  ...(batch.format === 'json' ? {} : { batch_id: batch.batch_id }),
})

/** The refusal for a message of the triggers that stop a write (see docs/architecture.md#rules-in-triggers). */
function writeRefusal(error: unknown, head: WriteHead, type: RecordType): ApiError | TooManyRestored | null {
  const message = error instanceof Error ? error.message : ''
  const full = quotaRefusal(error)
  if (full) return full
  if (head.takesFile && isTaken(message)) return takenMeanwhile()
  const figures = (word: string) => {
    const found = new RegExp(`${word}:(\\d+)(?::(\\d+))?`).exec(message)
    return found && ([Number(found[1]), Number(found[2])] as const)
  }
  const stale = figures('stale_revision')
  if (stale) return staleState(stale[0], head)
  const revisions = figures('unrestorable_revision')
  if (revisions && head.restoredRevision !== null)
    return notRestorable(head.restoredRevision, ...revisions) ?? new TooManyRestored()
  const guard = figures('shrink_guard')
  if (guard) return shrinkRefusal(head, ...guard)
  const emptied = /emptied_guard:(\[[\d,[\]]*\])/.exec(message)?.[1]
  return emptied !== undefined && head.emptiedGuard !== null
    ? emptiedRefusal(emptiedGuardErrors(type, head.emptiedGuard, JSON.parse(emptied)), head.emptiedGuard)
    : null
}

function emptiedRefusal(errors: EmptiedGuardError[], { maxEmptied }: EmptiedGuard): ApiError {
  const fields = errors.map(({ field }) => field).join(',')
  const counts = errors.map(({ field, emptied }) => `${field} in ${counted(emptied, 'record')}`).join(', ')
  return new ApiError(
    'conflict',
    `The write would empty ${counts}, more than max_emptied=${maxEmptied}. Nothing was written; to write it all the same, send allow_emptied=${fields}.`,
    { errors },
  )
}

function shrinkRefusal(
  { mode, maxShrink }: WriteHead,
  activeBefore: number,
  wouldDeactivate: number,
): ApiError {
  const limit = maxShrink === 50 ? 'half' : `${maxShrink} percent`
  return new ApiError(
    'conflict',
    `The ${mode} would deactivate ${wouldDeactivate} of ${activeBefore} active records, more than ${limit}. Nothing was written; to write it all the same, send confirm_shrink=true.`,
    { errors: [shrinkGuard(activeBefore, wouldDeactivate)] },
  )
}
