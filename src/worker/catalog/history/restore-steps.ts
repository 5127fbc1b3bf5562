import { ApiError } from '#shared/errors/errors'
import type { Catalog } from '#worker/catalog/catalog'
import { type WayBack, writesSince } from '#worker/catalog/history/sql/restore'
import { type BatchRow, changedBy } from './batches'

/** Writes that are looked at to find the steps of a restore. */
const MOST_WRITES = 10_000

/** Revisions that a refusal names. */
const NAMED_REVISIONS = 20

interface RestoreSteps {
  /** Revisions to restore one after another, newest first; each changes few enough records. */
  revisions: number[]
  /** The write that changed too many records to go back behind it; undefined when there is none. */
  tooLarge: BatchRow | undefined
}

/**
 * The steps by which a catalog can go back from its present revision to an earlier one. A write changed at least the
 * records in which the states before and after it differ. After a restore, the catalog is what it was after the
 * revision that was restored.
 *
 * @param writes by revision
 */
function stepsBack(
  writes: ReadonlyMap<number, BatchRow>,
  from: number,
  wanted: number,
  most: number,
): RestoreSteps {
  const revisions: number[] = []
  let changed = 0
  for (let revision = from; revision > wanted; ) {
    const write = writes.get(revision)
    if (write === undefined) break
    const restored = write.restored_revision
    if (changed === 0 && restored !== null && restored >= wanted) {
      revision = restored
      continue
    }
    const more = changedBy(write)
    if (more > most) return { revisions: withStep(revisions, revision, from), tooLarge: write }
    if (changed + more > most) {
      revisions.push(revision)
      changed = 0
    } else {
      changed += more
      revision--
    }
  }
  return { revisions, tooLarge: undefined }
}

const withStep = (revisions: number[], revision: number, from: number): number[] =>
  revision === from || revisions.at(-1) === revision ? revisions : [...revisions, revision]

const tooManyUndone = ({ revision }: BatchRow, most: number): ApiError =>
  new ApiError(
    'conflict',
    `Taking back the write of revision ${revision} would change more than ${most} records, which is too much for one step. Nothing was written.`,
  )

/** The refusal of a restore that would change too many records. It names the revisions by which one can go back. */
export async function tooManyRestored(
  { db, scope }: Catalog,
  { revision: wanted, undone, most }: WayBack & { most: number },
): Promise<ApiError> {
  if (undone !== undefined) return tooManyUndone(undone, most)
  const rows = await db.all(writesSince(scope, wanted, MOST_WRITES))
  const writes = new Map(rows.map((row) => [row.revision, row]))
  const { revisions, tooLarge } = stepsBack(writes, rows[0]?.revision ?? wanted, wanted, most)
  const named = revisions.slice(0, NAMED_REVISIONS).join(', ')
  const way =
    revisions.length > 0 ? ` Restore these revisions one after another: ${named}; then ask again.` : ''
  const end = tooLarge
    ? ` The write of revision ${tooLarge.revision} changed ${changedBy(tooLarge)} records, so no restore goes back behind it: write the records of before again.`
    : ''
  return new ApiError(
    'conflict',
    `Restoring revision ${wanted} would change more than ${most} records, which is too much for one step. Nothing was written.${way}${end}`,
  )
}
