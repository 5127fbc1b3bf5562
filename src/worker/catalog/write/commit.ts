import { apiErrorOf } from '#shared/errors/errors'
import type { Catalog } from '#worker/catalog/catalog'
import { wasRolledBack } from '#worker/storage/d1'
import { type Ending, firstOf, lastOf } from '#worker/storage/database'
import type { CommittedRow } from './result'
import type { WriteHead } from './sql/transaction'
import { notCarriedOut, unknownOutcome, writeRefusal } from './write-refusal'

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
    return await db.retry(async (requireTime) => {
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
