import * as z from 'zod'
import { DEFAULT_EXAMPLES } from '#shared/limits'
import type { Warning } from '#shared/records/warnings'
import { scope } from '#worker/auth/access'
import { catalogNamed } from '#worker/catalog/catalog'
import { changesFileSchema, csvContentSchema } from '#worker/catalog/csv-answer'
import { UPLOADS_PATH } from '#worker/catalog/parameters'
import { writeResultSchema } from '#worker/catalog/schemas'
import { emptiedGuardOf } from '#worker/catalog/write/emptied-fields'
import { type WriteQuery, writeHeldQuerySchema } from '#worker/catalog/write/queries'
import {
  answerDiff,
  answerPreview,
  answerWrite,
  commitKeyOf,
  commitOnce,
  diffCsvOptions,
  idempotencyHeaderSchema,
  type ReceivedFile,
  receiveFile,
  type WriteRequest,
  writeOptions,
} from '#worker/catalog/write/request'
import type { CommittedRow } from '#worker/catalog/write/result'
import { NotArrivedError } from '#worker/http/body/body-stream'
import { json } from '#worker/http/body/request-body'
import type { AppContext } from '#worker/http/context'
import { bucketOf } from '#worker/http/databases'
import { enveloped, envelopedAs, file, orFile } from '#worker/http/endpoint/answers'
import { attachment } from '#worker/http/endpoint/disposition'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { deletedSchema } from '#worker/http/endpoint/values'
import { withDatabaseSlot } from '#worker/http/limits/database-slots'
import { streamText } from '#worker/http/stream'
import { deleteHeld, discardHeld, type HeldRow, openHeld, requireHeld, storeUnavailable } from './held-files'
import { listUploads, parametersOf, readUpload, reportUpload } from './list'
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
      'Includes written, rejected and pending uploads. Dry runs are included only if they were sent with ' +
      '`hold=true`. Repeated identical rejections from the same client are grouped into one entry.',
    query: uploadsQuerySchema,
    answer: enveloped(uploadPageSchema),
  },
  async ({ c, params, query, now }) => {
    const catalog = catalogNamed(c, params.type)
    const page = await withDatabaseSlot(c, () => listUploads(catalog, query, now))
    return { message: `Uploads of the ${catalog.type.title} catalog`, data: page }
  },
)

const reportUploadEndpoint = endpoint(
  {
    ...uploadDefaults,
    method: 'post',
    path: `${UPLOADS_PATH}/report`,
    operationId: 'reportUpload',
    summary: 'Report that a sync run sent no file',
    description:
      'For a job that ends before it sends a file, because the file is missing, too old, too large or ambiguous. ' +
      'Requires client credentials. The report is listed as an upload with the outcome `not_sent`. Sync ' +
      'monitoring counts it as a rejected upload.',
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
    description: 'Returns the upload as the list of uploads does.',
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
    summary: 'Download the file of a pending upload',
    description:
      'The file is decompressed, and extracted from its form. If the upload is no longer pending, the response is ' +
      '410. The file is an attachment: browsers save it and never show it.',
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
    summary: 'Discard a pending upload',
    description: 'The upload stays in the list as `discarded`. If it is no longer pending, the response is 410.',
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

/** If the request sets a guard's limit, the limit applies even if the upload overrides the guard. */
function writeRequestOf(query: WriteQuery, row: HeldRow): WriteRequest {
  const { confirm_shrink, max_shrink, max_emptied, allow_emptied, keep_missing } = parametersOf(row) ?? {}
  return {
    ...query,
    mode: row.mode,
    confirm_shrink: query.confirm_shrink ?? (query.max_shrink === undefined && confirm_shrink === true),
    max_shrink: query.max_shrink ?? max_shrink,
    max_emptied: query.max_emptied ?? max_emptied,
    allow_emptied: query.allow_emptied ?? allow_emptied,
    keep_missing: query.keep_missing ?? keep_missing,
  }
}

const WRITE_HELD_DEFAULTS = { dry_run: false, examples: DEFAULT_EXAMPLES }

const modeOf = ({ mode }: CommittedRow) => (mode === 'reconcile' ? mode : 'upsert')

const newerWrite: Warning = {
  field: 'file',
  msg: 'was uploaded before the latest integration write; approving it would overwrite newer data',
  code: 'newer_write',
}

const writeUploadEndpoint = endpoint(
  {
    tag: 'Uploads',
    method: 'post',
    path: `${UPLOADS_PATH}/{upload_id}/write`,
    operationId: 'writeUpload',
    summary: 'Approve a pending upload',
    description:
      'Writes the file to the catalog as it is now, in the mode of the upload. `confirm_shrink`, `max_shrink`, ' +
      '`max_emptied`, `allow_emptied` and `keep_missing` are those of the upload, unless the request has its own. ' +
      'Returns the response of a write. If the write succeeds, the upload becomes `approved` and its file is ' +
      'deleted. If it is rejected, the upload stays pending. If two requests run at the same time, one succeeds and ' +
      'the other returns 409. If the upload is no longer pending, the response is 410.',
    access: scope('catalog:write'),
    query: writeHeldQuerySchema,
    answer: orFile(enveloped(writeResultSchema), { 'text/csv': changesFileSchema }),
    headers: idempotencyHeaderSchema,
    errors: ['not_found', 'conflict', 'gone', 'unprocessable'],
  },
  async ({ c, params, query, now }) => {
    const catalog = catalogNamed(c, params.type)
    const { type } = catalog
    emptiedGuardOf(type, query)
    const csv = diffCsvOptions(c, query)
    if (query.dry_run) {
      const row = await requireHeld(catalog, params.upload_id, now)
      const received = await receiveHeld(c, row)
      const options = writeOptions(c, type, writeRequestOf(query, row), now)
      if (csv !== undefined) return answerDiff(c, catalog, received, { ...options, ...csv })
      const answer = await answerPreview(c, catalog, received, options)
      if (row.has_newer_write === 0) return answer
      return { ...answer, data: { ...answer.data, warnings: [newerWrite, ...answer.data.warnings] } }
    }
    const key = await commitKeyOf(c, query, WRITE_HELD_DEFAULTS, () => ['upload', params.upload_id])
    return commitOnce(c, catalog, key, modeOf, async () => {
      const row = await requireHeld(catalog, params.upload_id, now)
      const received = await receiveHeld(c, row)
      const options = writeOptions(c, type, writeRequestOf(query, row), now)
      const answer = await answerWrite(c, catalog, received, { ...options, key, heldUpload: row.upload_id })
      c.executionCtx.waitUntil(deleteHeld(bucketOf(c), [row.upload_id]))
      return answer
    })
  },
)

/** Reads a pending upload as if its file came with the request. @throws ApiError 410 if its bytes are gone; 503 */
async function receiveHeld(c: AppContext, row: HeldRow): Promise<ReceivedFile> {
  const stream = await openHeld(bucketOf(c), row.upload_id)
  const headers = new Headers({ 'Content-Type': row.content_type, 'Content-Length': String(row.size_bytes) })
  try {
    return await receiveFile(c, { stream, headers })
  } catch (error) {
    throw error instanceof NotArrivedError ? storeUnavailable(error) : error
  }
}

export const uploadEndpoints = [
  listUploadsEndpoint,
  reportUploadEndpoint,
  readUploadEndpoint,
  writeUploadEndpoint,
  uploadContentEndpoint,
  discardUploadEndpoint,
] as const
