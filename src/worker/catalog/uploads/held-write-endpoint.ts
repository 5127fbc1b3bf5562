import { DEFAULT_EXAMPLES } from '#shared/limits'
import type { Warning } from '#shared/records/warnings'
import { scope } from '#worker/auth/access'
import { catalogNamed } from '#worker/catalog/catalog'
import { changesFileSchema } from '#worker/catalog/csv-answer'
import { UPLOADS_PATH } from '#worker/catalog/parameters'
import { writeResultSchema } from '#worker/catalog/schemas'
import {
  answerAgain,
  diffCsvOptions,
  type WriteQuery,
  writeHeldQuerySchema,
} from '#worker/catalog/write/change-request'
import { emptiedGuardOf } from '#worker/catalog/write/emptied-fields'
import {
  findKeyedWrite,
  idempotencyHeaderSchema,
  requestDigest,
  requireKeyedWrite,
} from '#worker/catalog/write/idempotency'
import { bucketOf } from '#worker/http/databases'
import { enveloped, orFile } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { idempotencyKeyOf } from '#worker/http/endpoint/idempotency-key'
import { deleteHeld, type HeldRow, receiveHeld, requireHeld } from './held-files'
import { parametersOf } from './list'
import { earlierResult, runWrite, sendDiff, type WriteRequest } from './run-write'

/** A request that has its own limit of the guard gets it, even if the upload overrides the guard. */
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

const newerWrite: Warning = {
  field: 'file',
  msg: 'came before the last write of a program: to write it takes the catalog back',
  code: 'newer_write',
}

export const writeUploadEndpoint = endpoint(
  {
    tag: 'Uploads',
    method: 'post',
    path: `${UPLOADS_PATH}/{upload_id}/write`,
    operationId: 'writeUpload',
    summary: 'Write a file that waits',
    description:
      "In the upload's mode and with its `confirm_shrink`, `max_shrink`, `max_emptied`, `allow_emptied` " +
      'and `keep_missing`, unless the request has its own, on the catalog as it is now. Answers as a ' +
      'write does. Written, the upload is `approved` and the file forgotten; refused, the file waits on. ' +
      'Of two requests at the same time one writes, the other one is 409. 410 if the file no longer waits.',
    access: scope('catalog:write'),
    query: writeHeldQuerySchema,
    answer: orFile(enveloped(writeResultSchema), { 'text/csv': changesFileSchema }),
    headers: idempotencyHeaderSchema,
    errors: ['not_found', 'conflict', 'gone', 'unprocessable'],
  },
  async ({ c, params, query, now }) => {
    const catalog = catalogNamed(c, params.type)
    emptiedGuardOf(catalog.type, query)
    const csv = diffCsvOptions(c, query)
    if (csv !== undefined) {
      const row = await requireHeld(catalog, params.upload_id, now)
      return sendDiff(c, catalog, writeRequestOf(query, row), csv, await receiveHeld(c, row))
    }
    const name = query.dry_run ? null : idempotencyKeyOf(c)
    const defaults = { dry_run: false, examples: DEFAULT_EXAMPLES }
    const digest = () => requestDigest(query, defaults, 'upload', params.upload_id)
    const key = name === null ? null : { key: name, digest: await digest() }
    const earlier = await findKeyedWrite(catalog, key)
    if (earlier) return answerAgain(c, earlierResult(catalog, earlier))
    try {
      const row = await requireHeld(catalog, params.upload_id, now)
      const upload = await receiveHeld(c, row)
      const answer = await runWrite(c, catalog, writeRequestOf(query, row), now, upload, key, row.upload_id)
      if (!answer.data.dry_run) c.executionCtx.waitUntil(deleteHeld(bucketOf(c), [row.upload_id]))
      if (!answer.data.dry_run || row.has_newer_write === 0) return answer
      return { ...answer, data: { ...answer.data, warnings: [newerWrite, ...answer.data.warnings] } }
    } catch (error) {
      return answerAgain(c, earlierResult(catalog, await requireKeyedWrite(catalog, key, error)))
    }
  },
)
