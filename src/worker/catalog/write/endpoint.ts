import * as z from 'zod'
import { invalidField } from '#shared/errors/errors'
import { DEFAULT_EXAMPLES, DEFAULT_MAX_SHRINK } from '#shared/limits'
import { anyInputSchema } from '#shared/records/schema'
import { scope } from '#worker/auth/access'
import { type Catalog, catalogOf } from '#worker/catalog/catalog'
import { changesFileSchema, csvContentSchema } from '#worker/catalog/csv-answer'
import { DATASETS_PATH } from '#worker/catalog/parameters'
import { writeResultSchema } from '#worker/catalog/schemas'
import {
  type HoldableFile,
  holdFile,
  logRefusal,
  type UploadFacts,
  type UploadLog,
  waitsIfGuarded,
} from '#worker/catalog/uploads/upload-log'
import { sha256Hex } from '#worker/crypto/hash'
import type { RequestBody } from '#worker/http/body/request-body'
import type { AppContext } from '#worker/http/context'
import { bucketOf } from '#worker/http/databases'
import { enveloped, orFile } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { COMMIT_DEFAULTS, writeQuerySchema } from './queries'
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
  type WriteSettings,
  writeOptions,
} from './request'

/** The body of a write. The handler reads it (`receiveFile`), because its errors are also recorded. */
const uploadBody: RequestBody<undefined> = {
  content: {
    'application/json': z.union([
      z.array(anyInputSchema),
      z.object({ records: z.array(anyInputSchema) }),
      // A page in the form in which it was read.
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

/** A caller who requests a pending upload must get its ID. */
const heldWithoutId = () =>
  invalidField('hold', 'conditional', 'cannot be sent if the response is CSV, which has no upload_id')

type Query = z.output<typeof writeQuerySchema>

/** The default values of parameters. `hold` counts as not sent, because it does not change the write. */
const writeDefaults = ({ mode, hold }: Query, { format }: ReceivedFile) => ({
  ...COMMIT_DEFAULTS,
  keep_missing: format === 'json' ? false : undefined,
  allow_emptied: [],
  examples: DEFAULT_EXAMPLES,
  max_shrink: mode === 'upsert' ? undefined : DEFAULT_MAX_SHRINK,
  hold,
})

const uploadLogOf = (c: AppContext, catalog: Catalog): UploadLog => ({
  catalog,
  bucket: bucketOf(c),
  afterwards: (work) => c.executionCtx.waitUntil(work),
})

/** @param received undefined if the body has not arrived */
const uploadFacts = ({ mode, createdBy, requestId, now }: WriteSettings, received?: ReceivedFile): UploadFacts => ({
  upload_id: crypto.randomUUID(),
  created_at: now,
  created_by: createdBy,
  request_id: requestId,
  mode,
  format: received?.format ?? null,
  file_name: received?.fileName ?? null,
  size_bytes: received?.sizeBytes ?? null,
})

/** The file of an upload that is not yet read. Its bytes already count as memory of the body. */
function holdableFile({ bytes, contentType }: ReceivedFile, query: Query): HoldableFile {
  const { confirm_shrink, max_shrink, max_emptied, allow_emptied, keep_missing } = query
  return { bytes, contentType, parameters: { confirm_shrink, max_shrink, max_emptied, allow_emptied, keep_missing } }
}

/**
 * Writes a file, unless an earlier request with the same key did. Records a rejection, and may keep the file pending.
 */
async function write(c: AppContext, catalog: Catalog, query: Query, options: WriteSettings) {
  const uploadLog = uploadLogOf(c, catalog)
  let facts = uploadFacts(options)
  let file: HoldableFile | undefined
  try {
    const received = await receiveFile(c)
    facts = uploadFacts(options, received)
    if (waitsIfGuarded(query, options.createdBy)) file = holdableFile(received, query)
    const key = await commitKeyOf(c, query, writeDefaults(query, received), async () => [
      received.contentType,
      await sha256Hex(received.bytes),
    ])
    const commit = () => answerWrite(c, catalog, received, { ...options, key, heldUpload: null })
    return await commitOnce(c, catalog, key, () => query.mode, commit)
  } catch (refusal) {
    throw await logRefusal(uploadLog, facts, file, refusal)
  }
}

/** Returns the effect that a write would have, and keeps its file pending. */
async function previewAndHold(c: AppContext, catalog: Catalog, query: Query, options: WriteSettings) {
  const received = await receiveFile(c)
  const file = holdableFile(received, query)
  const answer = await answerPreview(c, catalog, received, options)
  const { shrink_guard, emptied_guard = [] } = answer.data
  const errors = [...(shrink_guard === undefined ? [] : [shrink_guard]), ...emptied_guard]
  const reason = { heldFor: 'dry_run', message: answer.message, errors } as const
  const heldUpload = await holdFile(uploadLogOf(c, catalog), uploadFacts(options, received), file, reason)
  return { ...answer, data: { ...answer.data, ...heldUpload } }
}

export const writeEndpoint = endpoint(
  {
    tag: 'Core',
    method: 'post',
    path: `${DATASETS_PATH}/`,
    operationId: 'writeRecords',
    summary: 'Write records: upsert or reconcile, as JSON or CSV',
    description:
      'All or nothing: when a record is not valid, nothing is written and `errors` names every failing record, ' +
      'field and value. The shrink guard, `max_emptied` and a stale `expected_revision` return 409.\n\nA dry run ' +
      'says in `emptied` which fields would be cleared. With `include=diff` it also says which records would ' +
      'change, and how: the first of each kind in JSON, all of them with `format=csv`, in the columns `change`, ' +
      '`id`, `name`, `field`, `old`, `new`. The file has a line for each field that would change, and for each ' +
      'field of a new record. The records sent come first, in the order of the request; then, by ID, those that ' +
      'are missing from a reconcile. The whole file is of one revision: if the catalog changes while the file is ' +
      'sent, the connection is closed.\n\nWith `hold=true`, the upload of a dry run stays pending for 24 hours. ' +
      'Approve it by its `upload_id`, without sending the file again. If a guard blocks a reconcile with client ' +
      'credentials, the upload stays pending for seven days, unless it has `hold=false`; the error then contains ' +
      '`upload_id` and `held_until`.',
    access: scope('catalog:write'),
    query: writeQuerySchema,
    body: uploadBody,
    answer: orFile(enveloped(writeResultSchema), { 'text/csv': changesFileSchema }),
    headers: idempotencyHeaderSchema,
    errors: ['conflict', 'unsupported_media_type', 'unprocessable'],
  },
  async ({ c, query, now }) => {
    const catalog = catalogOf(c, query.type)
    const options = writeOptions(c, catalog.type, query, now)
    const csv = diffCsvOptions(c, query)
    if (query.hold && csv !== undefined) throw heldWithoutId()
    if (!query.dry_run) return write(c, catalog, query, options)
    if (query.hold) return previewAndHold(c, catalog, query, options)
    const received = await receiveFile(c)
    if (csv === undefined) return answerPreview(c, catalog, received, options)
    return answerDiff(c, catalog, received, { ...options, ...csv })
  },
)
