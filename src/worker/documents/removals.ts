import { and, eq, exists, lte, not, sql } from 'drizzle-orm'
import { logLine, nameOf } from '#shared/errors/log-line'
import type { Bucket } from '#worker/storage/bucket'
import type { Database } from '#worker/storage/database'
import { documentRemovals, documents } from '#worker/storage/schema/workspace'

/** Document bytes in the bucket without a document's row. `document_removals` says when to delete them. */

type DocumentId = Pick<typeof documentRemovals.$inferSelect, 'workspaceId' | 'documentId'>

/** Documents deleted per step. R2 accepts up to 1,000 keys in one call. */
export const DOCUMENTS_PER_STEP = 500

/** Steps of one run. The next run does the rest. */
const MOST_REMOVAL_STEPS = 20

/** By then, no interrupted statement can still take effect: D1 stops each after 30 seconds. */
const UNCERTAIN_MS = 3600 * 1000

export const objectKey = ({ workspaceId }: Pick<DocumentId, 'workspaceId'>, documentId: string): string =>
  `${workspaceId}/${documentId}`

/** Repeats a step until few documents are left, or leaves the rest to the next run. @returns number of documents */
export async function inSteps(step: () => Promise<number>): Promise<number> {
  let count = 0
  for (let n = 0; n < MOST_REMOVAL_STEPS; n++) {
    const rowCount = await step()
    count += rowCount
    if (rowCount < DOCUMENTS_PER_STEP) break
  }
  return count
}

/** After an unknown outcome, lets the scheduled run delete the upload's bytes unless its row appears. */
export async function removeUnlessStored({ orm, retry }: Database, id: DocumentId, now: Date): Promise<void> {
  const { workspaceId, documentId } = id
  const row = { workspaceId, documentId, dueAt: now.getTime() + UNCERTAIN_MS }
  try {
    await retry(() => orm.insert(documentRemovals).values(row).onConflictDoNothing())
  } catch (error) {
    // Then the scheduled run finds the bytes as an orphan.
    logLine({ warning: 'document: the removal of bytes without a row was not stored', error: nameOf(error) })
  }
}

export async function purgeRemovals({ orm, retry }: Database, removals: readonly DocumentId[]): Promise<void> {
  const keys = JSON.stringify(removals.map(({ workspaceId, documentId }) => [workspaceId, documentId]))
  await retry(() =>
    orm.delete(documentRemovals).where(
      sql`(${documentRemovals.workspaceId}, ${documentRemovals.documentId}) in
          (select value ->> 0, value ->> 1 from json_each(${keys}))`,
    ),
  )
}

/** Deletes the bytes that are due and have no document row. @returns number of documents */
export function removeBytes(database: Database, bucket: Bucket, now: Date): Promise<number> {
  const { orm, retry } = database
  const isDue = lte(documentRemovals.dueAt, now.getTime())
  const isStored = exists(
    orm
      .select({ one: sql`1` })
      .from(documents)
      .where(
        and(
          eq(documents.workspaceId, documentRemovals.workspaceId),
          eq(documents.documentId, documentRemovals.documentId),
        ),
      ),
  )
  return inSteps(async () => {
    const [, removals] = await retry(() =>
      orm.batch([
        // Uploads with an unknown outcome that took effect after all. Their documents stay.
        orm.delete(documentRemovals).where(and(isDue, isStored)),
        orm
          .select()
          .from(documentRemovals)
          .where(and(isDue, not(isStored)))
          .limit(DOCUMENTS_PER_STEP),
      ]),
    )
    if (removals.length === 0) return 0
    await bucket.delete(removals.map((removal) => objectKey(removal, removal.documentId)))
    await purgeRemovals(database, removals)
    return removals.length
  })
}
