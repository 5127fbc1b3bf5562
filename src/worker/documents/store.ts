import { and, eq, notExists, type SQL, sql } from 'drizzle-orm'
import { ApiError, type UnknownOutcome } from '#shared/errors/errors'
import { sha256Hex } from '#worker/crypto/hash'
import type { Bucket } from '#worker/storage/bucket'
import { type Database, int } from '#worker/storage/database'
import { WriteAttempts } from '#worker/storage/database-faults'
import { type Deadline, outcomeNotKnown, type UnknownWrite } from '#worker/storage/deadline'
import { stopBeyondQuota, withinQuota } from '#worker/storage/quotas'
import { documents, workspaceQuotas } from '#worker/storage/schema/workspace'
import { contentTypeOf } from './content-type'
import { objectKey, removeUnlessStored } from './removals'
import type { DocumentMetadata } from './schemas'
import { type DocumentRow, findUpload, keyStatements } from './upload-keys'

/** The documents of one workspace: metadata in its database, bytes in the bucket. */
export interface DocumentStore {
  database: Database
  bucket: Bucket
  /** From the credential alone. Part of every key and every condition. */
  workspaceId: string
  /** For a partner (see `Caller`): only uploads by this user (`lookupHash`) are visible. */
  uploader?: { actor: string; userHash: string }
}

type NewDocument = Pick<DocumentRow, 'tasks' | 'documentType' | 'fileName' | 'createdBy'> & { bytes: Uint8Array }

const metadataOf = (row: DocumentRow): DocumentMetadata => ({
  document_id: row.documentId,
  size_bytes: row.sizeBytes,
  content_type: row.contentType,
  sha256: row.sha256,
  tasks: row.tasks,
  document_type: row.documentType,
  file_name: row.fileName,
  created_at: new Date(row.createdAt).toISOString(),
})

const noSuchDocument = (reason?: string): ApiError =>
  new ApiError('not_found', 'There is no document with this ID.', { reason })

/**
 * Stores a document. If an earlier upload has the same key, returns that one instead, even for simultaneous uploads.
 *
 * @param key the `Idempotency-Key`; null if none was sent
 * @throws ApiError 409 beyond a quota; 422 if the key names another document; 410 if that has been deleted since
 */
export async function storeOnce(
  store: DocumentStore,
  { bytes, ...described }: NewDocument,
  key: string | null,
  deadline: Deadline,
  now: Date,
): Promise<{ metadata: DocumentMetadata; isReplay: boolean }> {
  const row: DocumentRow = {
    workspaceId: store.workspaceId,
    documentId: crypto.randomUUID(),
    sizeBytes: bytes.byteLength,
    contentType: contentTypeOf(bytes),
    sha256: await sha256Hex(bytes),
    ...described,
    createdAt: now.getTime(),
    userHash: store.uploader?.userHash ?? null,
  }
  const findEarlier = () => findUpload(store.database, row, key, now)
  let earlier = await findEarlier()
  try {
    if (earlier === undefined) {
      await deadline.whileWriting(() => putDocument(store, row, bytes, key, now), unknownUpload(row.documentId))
    }
  } catch (error) {
    earlier = await findEarlier().catch((refusal: unknown) => {
      throw refusal instanceof ApiError && refusal.status < 500 ? refusal : error
    })
    if (earlier === undefined) throw error
  }
  return { metadata: metadataOf(earlier ?? row), isReplay: earlier !== undefined }
}

/** What to report if it is unknown whether a document was stored. */
const unknownUpload = (documentId: string): UnknownWrite => ({
  howToFindOut: `GET /mr/api/v2/docs/${documentId} returns 200 if it did, and 404 if it did not`,
  errors: [{ code: 'unknown_outcome', document_id: documentId } satisfies UnknownOutcome],
})

/** Stores the bytes, then the metadata, so that a visible document always has bytes. @throws ApiError 503; 409 */
async function putDocument(store: DocumentStore, row: DocumentRow, bytes: Uint8Array, key: string | null, now: Date) {
  const object = objectKey(store, row.documentId)
  try {
    await store.bucket.put(object, bytes, { sha256: row.sha256, httpMetadata: { contentType: row.contentType } })
  } catch (error) {
    // The bucket may have stored the bytes anyway.
    await removeUnlessStored(store.database, row, now)
    throw error
  }
  const attempts = new WriteAttempts()
  try {
    await withinQuota(() => store.database.retry(() => attempts.make(() => insertDocument(store, row, key))))
  } catch (error) {
    if (!attempts.mayBeCarriedOut) {
      await store.bucket.delete(object).catch(() => removeUnlessStored(store.database, row, now))
      throw error
    }
    // Metadata without bytes would be a lost document, so keep the bytes as long as the row may still appear.
    const [known] = await store.database.orm
      .select()
      .from(documents)
      .where(hasId(row))
      .catch(() => [])
    if (known !== undefined) return
    await removeUnlessStored(store.database, row, now)
    throw outcomeNotKnown('the upload', unknownUpload(row.documentId), error)
  }
}

async function insertDocument(store: DocumentStore, row: DocumentRow, key: string | null): Promise<void> {
  const { orm } = store.database
  const { documentsUsed, documentBytesUsed, workspaceId } = workspaceQuotas
  const added = int(row.sizeBytes)
  // The ID is random: an existing row is this one, from an attempt whose response was lost.
  const isNew = notExists(orm.select().from(documents).where(hasId(row)))
  const statements = [
    orm
      .update(workspaceQuotas)
      .set({
        documentsUsed: sql`${documentsUsed} + 1`,
        documentBytesUsed: sql`${documentBytesUsed} + ${added}`,
      })
      .where(and(eq(workspaceId, row.workspaceId), isNew)),
    orm.insert(documents).values(row).onConflictDoNothing(),
    orm.run(stopBeyondQuota('documents', row.workspaceId, { used: sql`documents_used`, added: sql`1` })),
    orm.run(stopBeyondQuota('document_bytes', row.workspaceId, { used: sql`document_bytes_used`, added })),
    ...keyStatements(orm, row, key),
  ] as const
  await orm.batch(statements)
}

const hasId = ({ workspaceId, documentId }: Pick<DocumentRow, 'workspaceId' | 'documentId'>): SQL | undefined =>
  and(eq(documents.workspaceId, workspaceId), eq(documents.documentId, documentId))

export const documentIn = ({ workspaceId, uploader }: DocumentStore, documentId: string): SQL | undefined =>
  and(
    hasId({ workspaceId, documentId }),
    uploader && eq(documents.createdBy, uploader.actor),
    uploader && eq(documents.userHash, uploader.userHash),
  )

async function findDocument(store: DocumentStore, documentId: string): Promise<DocumentRow> {
  const [row] = await store.database.orm.select().from(documents).where(documentIn(store, documentId))
  if (!row) throw noSuchDocument()
  return row
}

/** @throws ApiError 404 if the workspace has no such document, or a different user uploaded it */
export async function getDocument(store: DocumentStore, documentId: string): Promise<DocumentMetadata> {
  return metadataOf(await findDocument(store, documentId))
}

export async function readDocument(
  store: DocumentStore,
  documentId: string,
): Promise<{ metadata: DocumentMetadata; content: ReadableStream<Uint8Array> }> {
  const row = await findDocument(store, documentId)
  const object = await store.bucket.get(objectKey(store, documentId))
  if (object === null) throw noSuchDocument('the document has metadata and no bytes')
  return { metadata: metadataOf(row), content: object.body }
}
