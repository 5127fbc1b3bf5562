import { ApiError, apiErrorOf, type EmptiedGuardError, type UnknownOutcome } from '#shared/errors/errors'
import type { RecordType } from '#shared/records/record-type'
import { counted } from '#shared/records/warnings'
import type { Catalog } from '#worker/catalog/catalog'
import type { CatalogKey } from '#worker/storage/catalog-scope'
import { messageOf, wasRolledBack } from '#worker/storage/d1'
import { type Ending, firstOf, lastOf } from '#worker/storage/database'
import type { UnknownWrite } from '#worker/storage/deadline'
import { quotaRefusal } from '#worker/storage/quotas'
import { shrinkGuard, staleState, takenMeanwhile } from './conflicts'
import { type EmptiedGuard, emptiedGuardErrors } from './emptied-fields'
import type { CommittedRow } from './result'
import { isTaken, type WriteHead } from './sql/transaction'

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
  head: WriteHead,
  statements: Ending<CommittedRow>,
): Promise<CommittedRow> {
  const row = await carryOut(catalog, head, statements)
  // If the answer of the database was lost, the scheduled run sends them.
  if (row.has_messages === 1) catalog.announce()
  return row
}

async function carryOut(
  { db, scope, type }: Catalog,
  head: WriteHead,
  statements: Ending<CommittedRow>,
): Promise<CommittedRow> {
  let attempts = 0
  const findRow = async () => (await db.all(lastOf(statements)))[0]
  try {
    return await db.retrying(async (requireTime) => {
      const earlier = attempts++ > 0 ? await findRow() : undefined
      if (earlier) return earlier
      requireTime()
      return firstOf(await db.batchEnding(statements))
    })
  } catch (error) {
    const refusal = writeRefusal(error, head, type)
    if (attempts < 2 && wasRolledBack(error)) throw refusal ?? error
    // The first attempt too may be the cause of a refusal of the second one.
    const row = await findRow().catch((fault: unknown) => {
      throw unknownOutcome(scope, head.batchId, fault)
    })
    if (row) return row
    throw refusal ?? (apiErrorOf(error)?.code === 'unavailable' ? notCarriedOut(error) : error)
  }
}

/** The refusal for a message of the statements that stop a write (see docs/architecture.md#a-write). */
function writeRefusal(error: unknown, head: WriteHead, type: RecordType): ApiError | null {
  const message = messageOf(error)
  const full = quotaRefusal(error)
  if (full) return full
  if (isTaken(message)) return takenMeanwhile()
  const stale = /stale_revision:(\d+)/.exec(message)
  if (stale) return staleState(Number(stale[1]), head)
  const shrinking = /shrink_guard:(\d+):(\d+)/.exec(message)
  if (shrinking) return shrinkRefusal(head, Number(shrinking[1]), Number(shrinking[2]))
  const emptied = /emptied_guard:(\[[\d,[\]]*\])/.exec(message)?.[1]
  return emptied !== undefined && head.emptiedGuard !== null
    ? emptiedRefusal(emptiedGuardErrors(type, head.emptiedGuard, emptied), head.emptiedGuard)
    : null
}

function emptiedRefusal(errors: EmptiedGuardError[], { maxEmptied }: EmptiedGuard): ApiError {
  const fields = errors.map(({ field }) => field).join(',')
  const counts = errors.map(({ field, emptied }) => `${field} in ${counted(emptied, 'record')}`).join(', ')
  return new ApiError(
    'conflict',
    `The write would empty ${counts}, more than max_emptied=${maxEmptied}. Nothing was written; to write ` +
      `it all the same, send allow_emptied=${fields}.`,
    { errors },
  )
}

function shrinkRefusal({ mode, maxShrink }: WriteHead, activeBefore: number, wouldDeactivate: number): ApiError {
  const limit = maxShrink === 50 ? 'half' : `${maxShrink} percent`
  return new ApiError(
    'conflict',
    `The ${mode} would deactivate ${wouldDeactivate} of ${activeBefore} active records, more than ${limit}` +
      '. Nothing was written; to write it all the same, send confirm_shrink=true.',
    { errors: [shrinkGuard(activeBefore, wouldDeactivate)] },
  )
}

/** What a caller is told if it is not known whether a write was carried out. */
export const unknownWrite = ({ type }: CatalogKey, batchId: string): UnknownWrite => ({
  howToFindOut: `GET /admin/catalogs/v1/${type}/writes/${batchId} answers 200 if it was, and 404 if it was not`,
  errors: [{ code: 'unknown_outcome', batch_id: batchId } satisfies UnknownOutcome],
})

/** The database cannot be asked what became of a write. */
const unknownOutcome = (scope: CatalogKey, batchId: string, cause: unknown): ApiError => {
  const { howToFindOut, errors } = unknownWrite(scope, batchId)
  return new ApiError(
    'unavailable',
    'The database is not available at the moment. It is not known whether the write was carried out: ' +
      `${howToFindOut}. A retry is safe.`,
    { errors, reason: 'outcome of a write unknown', cause },
  )
}

/** The database has answered since, and does not have the write. */
const notCarriedOut = (cause: unknown): ApiError =>
  new ApiError(
    'unavailable',
    'The database was not available. It does not have this write, and works again; a retry is safe.',
    { reason: 'database unavailable, write not carried out', cause },
  )
