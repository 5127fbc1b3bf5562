import * as z from 'zod'
import { scope, scopeOrPartnerToken } from '#auth/access'
import { enveloped, file } from '#http/answers'
import type { AppContext } from '#http/context'
import { catalogDatabaseOf } from '#http/databases'
import { endpoint } from '#http/endpoint'
import { fileBody } from '#http/upload'
import { CONTENT_TYPES } from './content-type'
import { documentSchema, uploadQuery } from './schemas'
import { type DocumentStore, getDocument, readDocument, storeDocument } from './store'

const BASE = '/mr/api/v2/docs'

const documents = { tag: 'Documents' } as const

/** The workspace comes from the credential and from nowhere else. */
const storeOf = (c: AppContext): DocumentStore => ({
  database: catalogDatabaseOf(c),
  bucket: c.env.DOCUMENTS,
  workspaceId: c.var.caller.workspaceId,
})

const upload = endpoint(
  {
    ...documents,
    method: 'post',
    path: BASE,
    operationId: 'uploadDocument',
    summary: 'Upload a document',
    description: 'Encrypted, the plaintext is `{"file": "<base64 of the file, standard alphabet>"}`.',
    access: scopeOrPartnerToken('documents'),
    query: uploadQuery,
    // Tasks bring parameters of their own.
    unknownParameters: 'ignored',
    body: fileBody,
    answer: enveloped(documentSchema),
  },
  async ({ c, query: { task, dt }, body: { bytes }, now }) => {
    const document = { bytes, tasks: task, documentType: dt ?? null, actor: c.var.caller.actor }
    return {
      message: 'Document stored',
      data: await storeDocument(storeOf(c), document, c.var.deadline, now),
    }
  },
)

const get = endpoint(
  {
    ...documents,
    method: 'get',
    path: `${BASE}/{document_id}`,
    operationId: 'getDocument',
    summary: 'Get what is known of a document',
    description: 'Everything but the bytes.',
    access: scope('documents'),
    answer: enveloped(documentSchema),
    errors: ['not_found'],
  },
  async ({ c, params }) => ({
    message: 'Document found',
    data: await getDocument(storeOf(c), params.document_id),
  }),
)

const bytes = z.string().meta({ format: 'binary' })

const getContent = endpoint(
  {
    ...documents,
    method: 'get',
    path: `${BASE}/{document_id}/content`,
    operationId: 'getDocumentContent',
    summary: 'Download the bytes of a document',
    description: 'As an attachment: a browser saves it and never shows it.',
    access: scope('documents'),
    answer: file(Object.fromEntries(CONTENT_TYPES.map((contentType) => [contentType, bytes]))),
    errors: ['not_found'],
  },
  async ({ c, params }) => {
    const { metadata, content } = await readDocument(storeOf(c), params.document_id)
    // An uploaded file must not run as a page of this service.
    return c.body(content, 200, {
      'Content-Type': metadata.content_type,
      'Content-Length': String(metadata.size_bytes),
      'Content-Disposition': 'attachment',
    })
  },
)

export const documentEndpoints = [upload, get, getContent] as const
