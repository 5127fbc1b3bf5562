import * as z from 'zod'
import type { ErrorCode } from '#errors'
import type { Endpoint } from '#http/endpoint'
import { enveloped } from '#http/enveloped'
import { CONTENT_TYPES } from './content-type'
import { documentSchema, uploadQuery } from './schemas'

const BASE = '/mr/api/v2/docs'

const documents = { tag: 'Documents', access: 'documents' } as const

const ERRORS: readonly ErrorCode[] = ['unauthorized', 'forbidden', 'rate_limited']

const bytes = z.string().meta({ format: 'binary' })

export const documentEndpoints: readonly Endpoint[] = [
  {
    ...documents,
    method: 'post',
    path: BASE,
    operationId: 'uploadDocument',
    summary: 'Upload a document',
    description: 'Encrypted, the plaintext is `{"file": "<base64 of the file, standard alphabet>"}`.',
    partnerToken: true,
    query: uploadQuery,
    body: { 'multipart/form-data': z.object({ file: bytes }) },
    response: enveloped(documentSchema),
    errors: [...ERRORS, 'invalid_request', 'unsupported_media_type'],
  },
  {
    ...documents,
    method: 'get',
    path: `${BASE}/{document_id}`,
    operationId: 'getDocument',
    summary: 'What is known of a document',
    response: enveloped(documentSchema),
    errors: [...ERRORS, 'not_found'],
  },
  {
    ...documents,
    method: 'get',
    path: `${BASE}/{document_id}/content`,
    operationId: 'getDocumentContent',
    summary: 'The bytes of a document, as an attachment',
    response: Object.fromEntries(CONTENT_TYPES.map((contentType) => [contentType, bytes])),
    errors: [...ERRORS, 'not_found'],
  },
]
