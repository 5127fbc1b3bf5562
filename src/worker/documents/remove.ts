import { type SQL, sql } from 'drizzle-orm'
import { logLine, nameOf } from '#shared/errors/log-line'
import { type Database, int } from '#worker/storage/database'
import type { ServedDatabase } from '#worker/storage/placement/served-database'
import { documents } from '#worker/storage/schema/workspace'
import { DOCUMENTS_PER_STEP, inSteps, objectKey, purgeRemovals } from './removals'
import { type DocumentStore, documentIn, getDocument } from './store'

/** Deletes a document's row first, leaving one in `document_removals`, and then its bytes, now or in the next run. */

/** Deletes the rows of some documents, oldest first, and records the removal of their bytes. @returns number of rows */
async function removeRows(database: Database, which: SQL | undefined, now: Date): Promise<number> {
  // All statements pick the same rows, because they run in one transaction and the order is complete.
  const some = (columns: SQL) =>
    sql`select ${columns} from ${documents} where ${which}
      order by created_at, rowid limit ${int(DOCUMENTS_PER_STEP)}`
  const [, , deletedRows] = await database.retry(() =>
    database.batch([
      sql`update workspace_quotas set documents_used = documents_used - removed.number,
          document_bytes_used = document_bytes_used - removed.bytes
        from (select workspace_id, count(*) as number, sum(size_bytes) as bytes
          from (${some(sql`workspace_id, size_bytes`)}) group by workspace_id) as removed
        where workspace_quotas.workspace_id = removed.workspace_id`,
      sql`insert into document_removals (workspace_id, document_id, due_at)
        ${some(sql`workspace_id, document_id, ${int(now.getTime())}`)} on conflict do nothing`,
      sql`delete from documents where rowid in (${some(sql`rowid`)}) returning 1 as one`,
    ]),
  )
  return deletedRows.length
}

/** @throws ApiError 404 if the workspace has no such document, or a different user uploaded it */
export async function deleteDocument(store: DocumentStore, documentId: string, now: Date): Promise<void> {
  // This look decides on 404, because a deletion repeated after a lost response finds nothing.
  await getDocument(store, documentId)
  await removeRows(store.database, documentIn(store, documentId), now)
  try {
    await store.bucket.delete(objectKey(store, documentId))
    // Immediately, so that many uploads and deletions do not leave more rows than the scheduled run can process.
    await purgeRemovals(store.database, [{ workspaceId: store.workspaceId, documentId }])
  } catch (error) {
    // The document is gone. The scheduled run deletes the bytes.
    logLine({ warning: 'document: bytes not deleted yet', error: nameOf(error) })
  }
}

/** Deletes the rows of documents uploaded before a time. `removeBytes` does the rest. @returns number of rows */
export function removeOldDocuments(database: ServedDatabase, uploadedBefore: Date, now: Date): Promise<number> {
  const old = sql`created_at <= ${int(uploadedBefore.getTime())} and ${database.serves(sql`documents.workspace_id`)}`
  return inSteps(() => removeRows(database, old, now))
}
