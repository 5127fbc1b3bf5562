import { and, eq, gt, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import { DOCUMENT_KEY_DAYS } from '#shared/limits'
import { IDEMPOTENCY_HEADER } from '#worker/http/endpoint/idempotency-key'
import type { Database } from '#worker/storage/database'
import type { ServedDatabase } from '#worker/storage/placement/served-database'
import { documentKeys, documents } from '#worker/storage/schema/workspace'

/** Idempotency keys of uploads: a client that received no response can send the same file again. */

export type DocumentRow = typeof documents.$inferSelect

/** Keys from this time or earlier have expired. */
const oldestAt = (now: number): number => now - DOCUMENT_KEY_DAYS * 24 * 3600 * 1000

const isExpired = (now: number): SQL => lte(documentKeys.createdAt, oldestAt(now))

const keyIn = ({ workspaceId, createdBy, userHash }: DocumentRow, key: string): SQL | undefined =>
  and(
    eq(documentKeys.workspaceId, workspaceId),
    eq(documentKeys.createdBy, createdBy),
    eq(documentKeys.userHash, userHash ?? ''),
    eq(documentKeys.idempotencyKey, key),
  )

const comparedOf = ({ sha256, tasks, documentType }: DocumentRow): string =>
  JSON.stringify([sha256, tasks, documentType])

/**
 * The document of an earlier upload with this key.
 *
 * @throws ApiError 422 if it was another document; 410 if it was deleted
 */
export async function findUpload(
  { orm }: Database,
  upload: DocumentRow,
  key: string | null,
  now: Date,
): Promise<DocumentRow | undefined> {
  if (key === null) return undefined
  const { documentId, createdAt } = documentKeys
  const isUpload = and(keyIn(upload, key), gt(createdAt, oldestAt(now.getTime())))
  const named = orm.select({ documentId }).from(documentKeys).where(isUpload)
  const isNamed = and(eq(documents.workspaceId, upload.workspaceId), inArray(documents.documentId, named))
  const [[row], [document]] = await orm.batch([named, orm.select().from(documents).where(isNamed)])
  if (row === undefined) return undefined
  if (document === undefined) {
    throw new ApiError(
      'gone',
      `The ${IDEMPOTENCY_HEADER} names an upload whose document was deleted (${row.documentId}).`,
    )
  }
  if (comparedOf(document) === comparedOf(upload)) return document
  throw new ApiError(
    'unprocessable',
    `The ${IDEMPOTENCY_HEADER} names an upload of another file, or with another task or dt (document_id ` +
      `${row.documentId}). Nothing was stored. Send another key.`,
  )
}

/** The statements that store the key of an upload. They fail if another upload already has it. */
export function keyStatements(orm: Database['orm'], upload: DocumentRow, key: string | null) {
  if (key === null) return []
  const { workspaceId, createdBy, userHash, documentId, createdAt } = upload
  const row = { workspaceId, createdBy, userHash: userHash ?? '', idempotencyKey: key, documentId, createdAt }
  return [
    orm.delete(documentKeys).where(and(keyIn(upload, key), isExpired(createdAt))),
    orm.insert(documentKeys).values(row),
  ] as const
}

/** Deletes expired keys. @returns number of keys */
export async function purgeKeys({ orm, retry, serves }: ServedDatabase, now: Date): Promise<number> {
  const deleted = await retry(() =>
    orm
      .delete(documentKeys)
      .where(and(isExpired(now.getTime()), serves(sql`${documentKeys.workspaceId}`)))
      .returning({ key: documentKeys.idempotencyKey }),
  )
  return deleted.length
}
