import * as z from 'zod'
import { scope } from '#worker/auth/access'
import { catalogNamed } from '#worker/catalog/catalog'
import { csvContentSchema } from '#worker/catalog/csv-answer'
import { UPLOADS_PATH } from '#worker/catalog/parameters'
import { json } from '#worker/http/body/request-body'
import { bucketOf } from '#worker/http/databases'
import { enveloped, envelopedAs, file } from '#worker/http/endpoint/answers'
import { attachment } from '#worker/http/endpoint/disposition'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { deletedSchema } from '#worker/http/endpoint/values'
import { expensiveRead } from '#worker/http/sharing/read-turns'
import { streamText } from '#worker/http/sharing/stream'
import { discardHeld, requireHeld } from './held-files'
import { receiveHeld, writeUploadEndpoint } from './held-write-endpoint'
import { listUploads, readUpload, reportUpload } from './list'
import { uploadPageSchema, uploadReportSchema, uploadSchema, uploadsQuerySchema } from './schemas'

const uploadDefaults = { tag: 'Uploads', access: scope('catalog:read'), errors: ['not_found'] } as const

const listUploadsEndpoint = endpoint(
  {
    ...uploadDefaults,
    method: 'get',
    path: UPLOADS_PATH,
    operationId: 'listUploads',
    summary: 'List the uploads of a catalog, newest first',
    description:
      'Written ones and refused ones, and files that wait. Dry runs are uploads only if they hold their ' +
      'file. The same refusal of the same program again is one entry.',
    query: uploadsQuerySchema,
    answer: enveloped(uploadPageSchema),
  },
  async ({ c, params, query, now }) => {
    const catalog = catalogNamed(c, params.type)
    const page = await expensiveRead(c, () => listUploads(catalog, query, now))
    return { message: `Uploads of the ${catalog.type.title} catalog`, data: page }
  },
)

const reportUploadEndpoint = endpoint(
  {
    ...uploadDefaults,
    method: 'post',
    path: `${UPLOADS_PATH}/report`,
    operationId: 'reportUpload',
    summary: 'Report that a program sent no file',
    description:
      'For a job that ends before it sends a file, because the file is missing, too old, too large, or leaves a ' +
      'question. Client credentials only. It is listed as an upload with the outcome `not_sent`, and counts for the ' +
      'watch as a refusal does.',
    access: scope('catalog:write'),
    body: json(uploadReportSchema),
    answer: enveloped(uploadSchema),
    writes: true,
  },
  async ({ c, params, body }) => {
    const reporter = { actor: c.var.caller.actor, requestId: c.var.requestId }
    const data = await reportUpload(catalogNamed(c, params.type), body, reporter)
    return { message: 'Report listed', data }
  },
)

const readUploadEndpoint = endpoint(
  {
    ...uploadDefaults,
    method: 'get',
    path: `${UPLOADS_PATH}/{upload_id}`,
    operationId: 'getUpload',
    summary: 'Get one upload of a catalog',
    description: 'As it is in the list of uploads.',
    answer: enveloped(uploadSchema),
  },
  async ({ c, params, now }) => {
    const catalog = catalogNamed(c, params.type)
    const data = await readUpload(catalog, params.upload_id, now)
    return { message: `An upload of the ${catalog.type.title} catalog`, data }
  },
)

const uploadContentEndpoint = endpoint(
  {
    ...uploadDefaults,
    method: 'get',
    path: `${UPLOADS_PATH}/{upload_id}/content`,
    operationId: 'getUploadContent',
    summary: 'Download a file that waits',
    description:
      'Unpacked, and taken out of its form. 410 if it no longer waits. As an attachment: a browser saves ' +
      'it and never shows it.',
    answer: file({ 'text/csv': csvContentSchema, 'application/json': z.unknown() }),
    errors: ['not_found', 'gone'],
  },
  async ({ c, params, now }) => {
    const catalog = catalogNamed(c, params.type)
    const row = await requireHeld(catalog, params.upload_id, now)
    const { format, bytes } = await receiveHeld(c, row)
    return streamText(c, [bytes], 200, {
      'Content-Type': format === 'csv' ? 'text/csv' : 'application/json',
      'Content-Disposition': attachment(row.file_name ?? `${catalog.type.name}.${format}`),
    })
  },
)

const discardUploadEndpoint = endpoint(
  {
    ...uploadDefaults,
    method: 'delete',
    path: `${UPLOADS_PATH}/{upload_id}`,
    operationId: 'discardUpload',
    summary: 'Discard a file that waits',
    description: 'The upload stays in the list as `discarded`. 410 if the file no longer waits.',
    access: scope('catalog:write'),
    answer: envelopedAs('File discarded', deletedSchema),
    errors: ['not_found', 'gone'],
    writes: true,
  },
  async ({ c, params, now }) => {
    await discardHeld(catalogNamed(c, params.type), bucketOf(c), params.upload_id, now)
    return { deleted: true as const }
  },
)

export const uploadEndpoints = [
  listUploadsEndpoint,
  reportUploadEndpoint,
  readUploadEndpoint,
  writeUploadEndpoint,
  uploadContentEndpoint,
  discardUploadEndpoint,
] as const
