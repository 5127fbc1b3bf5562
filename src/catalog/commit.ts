import type { SQL } from 'drizzle-orm'
import type { BatchHead } from '#catalog/sql/commit'
import { ApiError, type QuotaError } from '#errors'
import type { CatalogScope } from '#storage/catalog-scope'
import { isTransient, retrying } from '#storage/d1'
import { type BatchRow, batchStatement, countsOf, type WriteMode } from './batches'
import type { Catalog } from './catalog'
import { notRestorable, overQuota, shrinkGuard, staleRevision, TooManyRestored } from './conflicts'

/**
 * Runs the batch of a write. When D1 loses the connection, the write may or may not have been carried out. The batch
 * id tells which, and because it is a primary key, a repeated batch cannot be carried out twice.
 *
 * @param statements the last one returns the row of the batch
 * @throws ApiError 409 for a stale revision, the shrink guard and the quota; 400 or 409 for a revision that cannot be
 *   restored; 503 when the database cannot be reached
 * @throws TooManyRestored
 */
export async function commit(
  { db, scope }: Catalog,
  head: BatchHead,
  statements: readonly SQL[],
): Promise<BatchRow> {
  let repeated = false
  const committed = async () =>
    repeated ? (await db.all<BatchRow>(batchStatement(scope, head.batchId)))[0] : undefined
  return retrying(async () => {
    const earlier = await committed()
    if (earlier) return earlier
    try {
      const results = await db.batch(statements)
      return results.at(-1)![0] as unknown as BatchRow
    } catch (error) {
      if (isTransient(error)) throw error
      // The attempt before this one may have been carried out in the meantime, and may be the cause of this error.
      const late = await committed()
      if (late) return late
      throw refusalOf(error, head) ?? error
    } finally {
      repeated = true
    }
  })
}

export const committedResult = <Mode extends WriteMode>(
  scope: CatalogScope,
  mode: Mode,
  batch: BatchRow,
) => ({
  type: scope.type,
  mode,
  dry_run: false,
  ...countsOf(batch),
  active_before: batch.active_before,
  active_after: batch.active_after,
  revision: batch.revision,
  ...(batch.format === 'json' ? {} : { batch_id: batch.batch_id }),
})

/** The refusal for a message of the triggers that stop a write (see the migrations). */
function refusalOf(error: unknown, head: BatchHead): ApiError | TooManyRestored | null {
  const message = error instanceof Error ? error.message : ''
  const full = /quota:(records|bytes):(\d+):(\d+):(\d+)/.exec(message)
  if (full) {
    const [limit, used, needed] = full.slice(2).map(Number) as [number, number, number]
    return overQuota({ code: 'quota', quota: full[1] as QuotaError['quota'], limit, used, needed })
  }
  const figures = (word: string) =>
    new RegExp(`${word}:(\\d+)(?::(\\d+))?`).exec(message)?.slice(1).map(Number)
  const stale = figures('stale_revision')
  if (stale) return staleRevision(stale[0]!, head.expectedRevision!)
  const revisions = figures('unrestorable_revision')
  if (revisions)
    return notRestorable(head.restoredRevision!, revisions[0]!, revisions[1]!) ?? new TooManyRestored()
  const guard = figures('shrink_guard')
  return guard ? guardRefusal(head, guard[0]!, guard[1]!) : null
}

function guardRefusal(
  { mode, maxShrink }: BatchHead,
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
