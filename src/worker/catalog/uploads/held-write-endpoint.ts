import { DEFAULT_EXAMPLES } from '#shared/limits'
import type { Warning } from '#shared/records/warnings'
import { scope } from '#worker/auth/access'
import { catalogNamed } from '#worker/catalog/catalog'
import { changesFileSchema } from '#worker/catalog/csv-answer'
import { UPLOADS_PATH } from '#worker/catalog/parameters'
import { writeResultSchema } from '#worker/catalog/schemas'
import {
  answerAgain,
  answerDiff,
  answerPreview,
  answerWrite,
  changeKeyOf,
  diffCsvOptions,
  findFirstWrite,
  findKeyedWrite,
  idempotencyHeaderSchema,
  receiveUpload,
  type Upload,
  type WriteRequest,
  writeOptions,
} from '#worker/catalog/write/change-endpoint'
import { emptiedGuardOf } from '#worker/catalog/write/emptied-fields'
import { type WriteQuery, writeHeldQuerySchema } from '#worker/catalog/write/queries'
import type { CommittedRow } from '#worker/catalog/write/result'
import { NotArrivedError } from '#worker/http/body/body-stream'
import type { AppContext } from '#worker/http/context'
import { bucketOf } from '#worker/http/databases'
import { enveloped, orFile } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { deleteHeld, type HeldRow, openHeld, requireHeld, storeUnavailable } from './held-files'
import { parametersOf } from './list'

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

const WRITE_HELD_DEFAULTS = { dry_run: false, examples: DEFAULT_EXAMPLES }

const modeOf = ({ mode }: CommittedRow) => (mode === 'reconcile' ? mode : 'upsert')

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
    const { type } = catalog
    emptiedGuardOf(type, query)
    const csv = diffCsvOptions(c, query)
    if (query.dry_run) {
      const row = await requireHeld(catalog, params.upload_id, now)
      const upload = await receiveHeld(c, row)
      const options = writeOptions(c, type, writeRequestOf(query, row), now)
      if (csv !== undefined) return answerDiff(c, catalog, upload, { ...options, ...csv })
      const answer = await answerPreview(c, catalog, upload, options)
      if (row.has_newer_write === 0) return answer
      return { ...answer, data: { ...answer.data, warnings: [newerWrite, ...answer.data.warnings] } }
    }
    const key = await changeKeyOf(c, query, WRITE_HELD_DEFAULTS, () => ['upload', params.upload_id])
    const earlier = await findKeyedWrite(catalog, key)
    if (earlier) return answerAgain(c, type, modeOf(earlier), earlier)
    try {
      const row = await requireHeld(catalog, params.upload_id, now)
      const upload = await receiveHeld(c, row)
      const options = writeOptions(c, type, writeRequestOf(query, row), now)
      const answer = await answerWrite(c, catalog, upload, { ...options, key, heldUpload: row.upload_id })
      c.executionCtx.waitUntil(deleteHeld(bucketOf(c), [row.upload_id]))
      return answer
    } catch (error) {
      const first = await findFirstWrite(catalog, key, error)
      return answerAgain(c, type, modeOf(first), first)
    }
  },
)

/** Receives a file that waits, as if it came with the request. @throws ApiError 410 if its bytes are gone; 503 */
export async function receiveHeld(c: AppContext, row: HeldRow): Promise<Upload> {
  const stream = await openHeld(bucketOf(c), row.upload_id)
  const headers = new Headers({ 'Content-Type': row.content_type, 'Content-Length': String(row.size_bytes) })
  try {
    return await receiveUpload(c, { stream, headers })
  } catch (error) {
    throw error instanceof NotArrivedError ? storeUnavailable(error) : error
  }
}
