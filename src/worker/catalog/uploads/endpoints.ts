import * as z from 'zod'
import { scope } from '#worker/auth/access'
import { diffCsvOptions } from '#worker/catalog/change-request'
import { CATALOGS_PATH } from '#worker/catalog/paths'
import { type WriteQuery, writeHeldQuery } from '#worker/catalog/read/queries'
import { catalogNamed } from '#worker/catalog/requested-catalog'
import { writeResult } from '#worker/catalog/schemas'
import { emptiedGuardOf } from '#worker/catalog/write/emptied-fields'
import { changeOnce, idempotencyHeader, requestDigest } from '#worker/catalog/write/idempotency'
import { answerWrite, diffFile, earlierResult, type WriteRequest } from '#worker/catalog/write/request'
import { csvContent } from '#worker/catalog/write/upload-body'
import { enveloped, envelopedAs, file, orFile } from '#worker/http/endpoint/answers'
import { attachment } from '#worker/http/endpoint/disposition'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { deleted } from '#worker/http/endpoint/values'
import { expensiveRead } from '#worker/http/sharing/expensive-reads'
import { streamText } from '#worker/http/sharing/stream'
import { deleteHeld, discardHeld, receiveHeld, requireHeld } from './held-files'
import { listUploads, readUpload } from './list'
import { upload, uploadPage, uploadsQuery } from './schemas'
import type { HeldRow } from './sql/held'

/** Uploads: what was written and refused, and files that wait. */

const UPLOADS_PATH = `${CATALOGS_PATH}/{type}/uploads` as const

const uploadDefaults = { tag: 'Uploads', access: scope('catalog:read'), errors: ['not_found'] } as const

const listUploadsEndpoint = endpoint(
  {
    ...uploadDefaults,
    method: 'get',
    path: UPLOADS_PATH,
    operationId: 'listUploads',
    summary: 'List the uploads of a catalog, newest first',
    description:
      'Written ones and refused ones, and files that wait. Dry runs are uploads only if they hold their file. The same ' +
      'refusal of the same program again is one entry.',
    query: uploadsQuery,
    answer: enveloped(uploadPage),
  },
  async ({ c, params, query, now }) => {
    const catalog = catalogNamed(c, params.type)
    const page = await expensiveRead(c, () => listUploads(catalog, query, now))
    return { message: `Uploads of the ${catalog.type.title} catalog`, data: page }
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
    answer: enveloped(upload),
  },
  async ({ c, params, now }) => {
    const catalog = catalogNamed(c, params.type)
    const data = await readUpload(catalog, params.upload_id, now)
    return { message: `An upload of the ${catalog.type.title} catalog`, data }
  },
)

/** A request that has its own limit of the guard gets it, even if the upload overrides the guard. */
function writeRequestOf(query: WriteQuery, row: HeldRow): WriteRequest {
  const { mode, confirm_shrink, max_shrink, keep_missing } = row
  return {
    ...query,
    mode,
    confirm_shrink: query.confirm_shrink ?? (query.max_shrink === undefined && confirm_shrink === 1),
    max_shrink: query.max_shrink ?? max_shrink ?? undefined,
    max_emptied: query.max_emptied ?? row.max_emptied ?? undefined,
    allow_emptied: query.allow_emptied ?? row.allow_emptied?.split(','),
    keep_missing: query.keep_missing ?? keep_missing === 1,
  }
}

const writeUploadEndpoint = endpoint(
  {
    ...uploadDefaults,
    method: 'post',
    path: `${UPLOADS_PATH}/{upload_id}/write`,
    operationId: 'writeUpload',
    summary: 'Write a file that waits',
    description:
      "In the upload's mode and with its `confirm_shrink`, `max_shrink`, `max_emptied`, `allow_emptied` and `keep_missing`, unless the request has its " +
      'own, on the catalog as it is now. Answers as a write does. Written, the upload is `approved` and the file forgotten; refused, the file ' +
      'waits on. Of two requests at the same time one writes, the other one is 409. 410 if the file no longer waits.',
    access: scope('catalog:write'),
    query: writeHeldQuery,
    answer: orFile(enveloped(writeResult), { 'text/csv': csvContent }),
    headers: idempotencyHeader,
    errors: ['not_found', 'conflict', 'gone', 'unprocessable'],
  },
  async ({ c, params, query, now }) => {
    const catalog = catalogNamed(c, params.type)
    emptiedGuardOf(catalog.type, query)
    const held = async () => {
      const row = await requireHeld(catalog, params.upload_id, now)
      return { row, request: writeRequestOf(query, row) }
    }
    if (diffCsvOptions(c, query) !== undefined) {
      const { row, request } = await held()
      return (await diffFile(c, catalog, request, () => receiveHeld(c, row)))!
    }
    return changeOnce(c, catalog, {
      query,
      digest: () => requestDigest(query, 'upload', params.upload_id),
      resultOf: earlierResult(catalog),
      change: async (key) => {
        const { row, request } = await held()
        const received = await receiveHeld(c, row)
        const answer = await answerWrite(c, catalog, request, now, received, key, row.upload_id)
        if (!answer.data.dry_run) c.executionCtx.waitUntil(deleteHeld(c.env.DOCUMENTS, [row.upload_id]))
        return answer
      },
    })
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
      'Unpacked, and taken out of its form. 410 if it no longer waits. As an attachment: a browser saves it and never ' +
      'shows it.',
    answer: file({ 'text/csv': csvContent, 'application/json': z.unknown() }),
    errors: ['not_found', 'gone'],
  },
  async ({ c, params, now }) => {
    const catalog = catalogNamed(c, params.type)
    const row = await requireHeld(catalog, params.upload_id, now)
    const received = await receiveHeld(c, row)
    const { format, fileName } = received
    return streamText(c, [received.takeBytes()], 200, {
      'Content-Type': format === 'csv' ? 'text/csv' : 'application/json',
      'Content-Disposition': attachment(fileName ?? `${catalog.type.name}.${format}`),
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
    answer: envelopedAs('File discarded', deleted),
    errors: ['not_found', 'gone'],
    writes: true,
  },
  async ({ c, params, now }) => {
    await discardHeld(catalogNamed(c, params.type), c.env.DOCUMENTS, params.upload_id, now)
    return { deleted: true as const }
  },
)

export const uploadEndpoints = [
  listUploadsEndpoint,
  readUploadEndpoint,
  writeUploadEndpoint,
  uploadContentEndpoint,
  discardUploadEndpoint,
] as const
