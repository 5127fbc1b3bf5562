import * as z from 'zod'
import { invalidField } from '#shared/errors/errors'
import { DEFAULT_EXAMPLES, DEFAULT_MAX_SHRINK } from '#shared/limits'
import { anyInputSchema } from '#shared/records/schema'
import { scope } from '#worker/auth/access'
import { type Catalog, catalogOf } from '#worker/catalog/catalog'
import { changesFileSchema, csvContentSchema } from '#worker/catalog/csv-answer'
import { DATASETS_PATH } from '#worker/catalog/parameters'
import { type WriteResult, writeResultSchema } from '#worker/catalog/schemas'
import {
  answerAgain,
  CHANGE_DEFAULTS,
  type ChangeAnswer,
  diffCsvOptions,
  writeQuerySchema,
} from '#worker/catalog/write/change-request'
import { emptiedGuardOf } from '#worker/catalog/write/emptied-fields'
import {
  findKeyedWrite,
  idempotencyHeaderSchema,
  requestDigest,
  requireKeyedWrite,
} from '#worker/catalog/write/idempotency'
import { type ReceivedUpload, receiveUpload } from '#worker/catalog/write/upload'
import type { RequestBody } from '#worker/http/body/request-body'
import type { AppContext } from '#worker/http/context'
import { bucketOf } from '#worker/http/databases'
import { enveloped, orFile } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { idempotencyKeyOf } from '#worker/http/endpoint/idempotency-key'
import { storeHeld } from './held-files'
import {
  deleteStored,
  type HoldableFile,
  holdableFile,
  holdFile,
  recordRefusal,
  type UploadFacts,
  type UploadLog,
  waitsIfGuarded,
} from './record-upload'
import { earlierResult, runWrite, sendDiff, type WriteRequest } from './run-write'

/**
 * The body of a write: records as JSON, or a CSV file by itself or in a form. The handler reads it (`receiveUpload`),
 * because what is wrong with it is noted too.
 */
const uploadBody: RequestBody<undefined> = {
  content: {
    'application/json': z.union([
      z.array(anyInputSchema),
      z.object({ records: z.array(anyInputSchema) }),
      // A page as it was read.
      z.object({ items: z.array(anyInputSchema) }),
    ]),
    'text/csv': csvContentSchema,
    'application/csv': csvContentSchema,
    'application/vnd.ms-excel': csvContentSchema,
    'multipart/form-data': z.object({ file: csvContentSchema.meta({ contentMediaType: 'text/csv' }) }),
  },
  required: true,
  small: false,
  read: async () => undefined,
}

/** A caller who asks that a file waits must get its id. */
const heldWithoutId = () =>
  invalidField('hold', 'conditional', 'cannot be sent if the answer is CSV, which has no upload_id')

/** The values that the parameters of a write have without being sent. */
const writeDefaults = ({ mode }: Pick<WriteRequest, 'mode'>) => ({
  ...CHANGE_DEFAULTS,
  keep_missing: false,
  allow_emptied: [],
  examples: DEFAULT_EXAMPLES,
  max_shrink: mode === 'upsert' ? undefined : DEFAULT_MAX_SHRINK,
})

/** Writes what was received, unless a write has its key. That a refused file waits (`hold`) makes no other write. */
async function writeOnce(
  c: AppContext,
  catalog: Catalog,
  { hold: _, ...query }: WriteRequest & { hold?: boolean | undefined },
  now: Date,
  upload: ReceivedUpload,
): Promise<ChangeAnswer<WriteResult>> {
  const name = idempotencyKeyOf(c)
  const digest = async () => requestDigest(query, writeDefaults(query), upload.contentType, await upload.sha256())
  const key = name === null ? null : { key: name, digest: await digest() }
  const earlier = await findKeyedWrite(catalog, key)
  if (earlier) return answerAgain(c, earlierResult(catalog, earlier))
  try {
    return await runWrite(c, catalog, query, now, upload, key)
  } catch (error) {
    return answerAgain(c, earlierResult(catalog, await requireKeyedWrite(catalog, key, error)))
  }
}

/** Says what a write would do, and holds the file if that is wanted. */
async function previewWrite(
  c: AppContext,
  catalog: Catalog,
  query: WriteRequest & { hold?: boolean | undefined },
  now: Date,
  uploadLog: UploadLog,
): Promise<ChangeAnswer<WriteResult>> {
  const upload = await receiveUpload(c)
  if (!query.hold) return runWrite(c, catalog, query, now, upload, null)
  const facts = uploadFacts(c, query, now, upload)
  const file = holdableFile(upload, query)
  // Not awaited: the file is stored during the dry run, which may end first.
  const storing = storeHeld(uploadLog.bucket, facts.upload_id, file.bytes)
  storing.catch(() => undefined)
  let answer: ChangeAnswer<WriteResult>
  try {
    answer = await runWrite(c, catalog, query, now, upload, null)
  } catch (error) {
    deleteStored(uploadLog, facts.upload_id, storing)
    throw error
  }
  const { shrink_guard, emptied_guard = [] } = answer.data
  const errors = [...(shrink_guard === undefined ? [] : [shrink_guard]), ...emptied_guard]
  const reason = { heldFor: 'dry_run', message: answer.message, errors } as const
  const heldUpload = await holdFile(uploadLog, facts, file, reason, storing)
  return { ...answer, data: { ...answer.data, ...heldUpload } }
}

/** @param upload undefined if it has not arrived */
const uploadFacts = (c: AppContext, { mode }: WriteRequest, now: Date, upload?: ReceivedUpload): UploadFacts => ({
  upload_id: crypto.randomUUID(),
  created_at: now.getTime(),
  created_by: c.var.caller.actor,
  request_id: c.var.requestId,
  mode,
  format: upload?.format ?? null,
  file_name: upload?.fileName ?? null,
  size_bytes: upload?.sizeBytes ?? null,
})

export const writeEndpoint = endpoint(
  {
    tag: 'Catalog',
    method: 'post',
    path: `${DATASETS_PATH}/`,
    operationId: 'writeRecords',
    summary: 'Write records: upsert or reconcile, as JSON or CSV',
    description:
      'All or nothing: when a record is not valid, nothing is written and `errors` names every failing ' +
      'record, field and value. The shrink guard, `max_emptied` and a stale `expected_revision` answer ' +
      '409.\n\n' +
      'A dry run says in `emptied` which fields would lose their values. With `include=diff` it also says ' +
      'which records would change, and how: the first of each kind in JSON, all of them with ' +
      '`format=csv`, in the columns `change`, `id`, `name`, `field`, `old`, `new`. The file has a line ' +
      'for each field that would change, and for each field of a new record. The records sent come first, ' +
      'in the order of the request; then, by id, those that a reconcile leaves out. The whole file is of ' +
      'one revision: when the catalog changes while the file is sent, the connection is closed.\n\n' +
      'With `hold=true` the file of a dry run waits for 24 hours, and is written by its `upload_id` ' +
      'without being sent again. The file of a reconcile with client credentials that a guard stops waits ' +
      'for seven days, unless it has `hold=false`; the error then carries `upload_id` and `held_until`.',
    access: scope('catalog:write'),
    query: writeQuerySchema,
    body: uploadBody,
    answer: orFile(enveloped(writeResultSchema), { 'text/csv': changesFileSchema }),
    headers: idempotencyHeaderSchema,
    errors: ['conflict', 'unsupported_media_type', 'unprocessable'],
  },
  async ({ c, query, now }) => {
    const catalog = catalogOf(c, query.type)
    const csv = diffCsvOptions(c, query)
    if (query.hold && csv !== undefined) throw heldWithoutId()
    emptiedGuardOf(catalog.type, query)
    if (csv !== undefined) return sendDiff(c, catalog, query, csv, await receiveUpload(c))
    const uploadLog = {
      catalog,
      bucket: bucketOf(c),
      afterwards: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
    }
    if (query.dry_run) return previewWrite(c, catalog, query, now, uploadLog)
    let facts = uploadFacts(c, query, now)
    let file: HoldableFile | undefined
    try {
      const upload = await receiveUpload(c)
      facts = uploadFacts(c, query, now, upload)
      file = waitsIfGuarded(query, facts.created_by) ? holdableFile(upload, query) : undefined
      return await writeOnce(c, catalog, query, now, upload)
    } catch (error) {
      throw await recordRefusal(uploadLog, facts, file, error)
    }
  },
)
