import * as z from 'zod'
import { invalidField } from '#shared/errors/errors'
import { scopeOrPartnerToken } from '#worker/auth/access'
import { lookupHash } from '#worker/crypto/hash'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { rowContext } from '#worker/crypto/seal'
import { fileBody } from '#worker/http/body/receive'
import type { AppContext } from '#worker/http/context'
import { bucketOf, catalogDatabaseOf, controlDatabaseOf, requireWritableWorkspace } from '#worker/http/databases'
import { envelopedAs, file } from '#worker/http/endpoint/answers'
import { attachment } from '#worker/http/endpoint/disposition'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { idempotencyHeader, idempotencyKeyOf, setReplayed } from '#worker/http/endpoint/idempotency-key'
import { refuseParameters } from '#worker/http/endpoint/validation'
import { deletedSchema } from '#worker/http/endpoint/values'
import { lookupKeyOf } from '#worker/storage/lookup-keys'
import { CONTENT_TYPES } from './content-type'
import { deleteDocument } from './remove'
import { documentSchema, meantParameter, uploadQuerySchema } from './schemas'
import { type DocumentStore, getDocument, readDocument, storeOnce } from './store'

const DOCUMENTS_PATH = '/mr/api/v2/docs'

const documentDefaults = { tag: 'Documents', access: scopeOrPartnerToken('documents') } as const

/** The workspace and the partner's user come from the credential alone. */
async function storeOf(c: AppContext): Promise<DocumentStore> {
  const { actor, partner, workspaceId } = c.var.caller
  const store = { database: catalogDatabaseOf(c), bucket: bucketOf(c), workspaceId }
  if (partner === undefined) return store
  const context = rowContext('documents.user_hash', workspaceId)
  const key = await lookupKeyOf(controlDatabaseOf(c), await masterKeysOf(c.env))
  // The name is personal data, so a hash of it is stored.
  return { ...store, uploader: { actor, userHash: await lookupHash(key, context, partner.subject) } }
}

const uploadDocument = endpoint(
  {
    ...documentDefaults,
    method: 'post',
    path: DOCUMENTS_PATH,
    operationId: 'uploadDocument',
    summary: 'Upload a document',
    description: 'In an encrypted body the plaintext is `{"file": "<base64 of the file, standard alphabet>"}`.',
    query: uploadQuerySchema,
    // Tasks have their own parameters.
    unknownParameters: meantParameter,
    headers: idempotencyHeader('A key for this upload, remembered for the caller for 30 days.'),
    body: fileBody,
    takesEncrypted: true,
    answer: envelopedAs('Document stored', documentSchema),
    errors: ['conflict', 'gone', 'unprocessable'],
  },
  async ({ c, query: { task, dt }, body: { bytes, fileName, otherFields }, now }) => {
    refuseParameters(c, otherFields, meantParameter)
    if (bytes.byteLength === 0) throw invalidField('file', 'wrong_file', 'is empty; send a file with at least one byte')
    requireWritableWorkspace(c)
    const document = { bytes, tasks: task, documentType: dt ?? null, fileName, createdBy: c.var.caller.actor }
    const { metadata, isReplay } = await storeOnce(await storeOf(c), document, idempotencyKeyOf(c), c.var.deadline, now)
    if (isReplay) setReplayed(c)
    return metadata
  },
)

const get = endpoint(
  {
    ...documentDefaults,
    method: 'get',
    path: `${DOCUMENTS_PATH}/{document_id}`,
    operationId: 'getDocument',
    summary: 'Get the metadata of a document',
    description: 'Returns everything except the bytes. A partner sees only what the same credential and user uploaded.',
    answer: envelopedAs('Document found', documentSchema),
    errors: ['not_found'],
  },
  async ({ c, params }) => getDocument(await storeOf(c), params.document_id),
)

const bytesSchema = z.string().meta({ format: 'binary' })

const getContent = endpoint(
  {
    ...documentDefaults,
    method: 'get',
    path: `${DOCUMENTS_PATH}/{document_id}/content`,
    operationId: 'getDocumentContent',
    summary: 'Download the bytes of a document',
    description:
      'The response is an attachment: browsers save it and never show it. A partner gets only what the same ' +
      'credential and user uploaded.',
    answer: file(Object.fromEntries(CONTENT_TYPES.map((contentType) => [contentType, bytesSchema]))),
    errors: ['not_found'],
  },
  async ({ c, params }) => {
    const { metadata, content } = await readDocument(await storeOf(c), params.document_id)
    // An uploaded file must not run as a page of this service.
    return c.body(content, 200, {
      'Content-Type': metadata.content_type,
      'Content-Length': String(metadata.size_bytes),
      'Content-Disposition': metadata.file_name === null ? 'attachment' : attachment(metadata.file_name),
    })
  },
)

const remove = endpoint(
  {
    ...documentDefaults,
    method: 'delete',
    path: `${DOCUMENTS_PATH}/{document_id}`,
    operationId: 'deleteDocument',
    summary: 'Delete a document',
    description:
      'Deletes its metadata and its bytes. A partner can delete only what the same credential and user uploaded.',
    answer: envelopedAs('Document deleted', deletedSchema),
    errors: ['not_found'],
    writes: true,
  },
  async ({ c, params, now }) => {
    await deleteDocument(await storeOf(c), params.document_id, now)
    return { deleted: true as const }
  },
)

export const documentEndpoints = [uploadDocument, get, getContent, remove] as const
