import * as z from 'zod'
import { invalidField } from '#shared/errors/errors'
import { scope } from '#worker/auth/access'
import { diffCsvOptions } from '#worker/catalog/change-request'
import { DATASETS_PATH } from '#worker/catalog/paths'
import { writeQuery } from '#worker/catalog/read/queries'
import { catalogOf } from '#worker/catalog/requested-catalog'
import { writeResult } from '#worker/catalog/schemas'
import { UploadAttempt } from '#worker/catalog/uploads/attempt'
import { enveloped, orFile } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { emptiedGuardOf } from './emptied-fields'
import { changeOnce, idempotencyHeader, requestDigest } from './idempotency'
import { answerWrite, diffFile, earlierResult } from './request'
import { type ReceivedUpload, receiveUpload } from './upload'
import { uploadBody } from './upload-body'

const changesFile = z
  .string()
  .meta({ description: 'The diff of a dry run, with `include=diff` and `format=csv`.' })

/** A caller who asks that a file waits must get its id. */
const heldWithoutId = () =>
  invalidField('hold', 'conditional', 'cannot be sent if the answer is CSV, which has no upload_id')

export const writeEndpoint = endpoint(
  {
    tag: 'Catalog',
    method: 'post',
    path: `${DATASETS_PATH}/`,
    operationId: 'writeRecords',
    summary: 'Write records: upsert or reconcile, as JSON or CSV',
    description:
      'All or nothing: when a record is not valid, nothing is written and `errors` names every failing record, field ' +
      'and value. The shrink guard, `max_emptied` and a stale `expected_revision` answer 409.\n\n' +
      'A dry run says in `emptied` which fields would lose their values. With `include=diff` it also says which records would change, and how: the first of each kind in JSON, all ' +
      'of them with `format=csv`, in the columns `change`, `id`, `name`, `field`, `old`, `new`. The file has a line for ' +
      'each field that would change, and for each field of a new record. The records sent come first, in the order of the request; then, by id, those that a ' +
      'reconcile leaves out. The whole file is of one revision: when the catalog changes while the file is sent, the ' +
      'connection is closed.\n\n' +
      'With `hold=true` the file of a dry run waits for 24 hours, and is written by its `upload_id` without being sent again. ' +
      'The file of a reconcile with client credentials that a guard stops waits for seven days, unless it has ' +
      '`hold=false`; the error then carries `upload_id` and `held_until`.',
    access: scope('catalog:write'),
    query: writeQuery,
    body: uploadBody,
    answer: orFile(enveloped(writeResult), { 'text/csv': changesFile }),
    headers: idempotencyHeader,
    errors: ['conflict', 'unsupported_media_type', 'unprocessable'],
  },
  async ({ c, query, now }) => {
    const catalog = catalogOf(c, query.type)
    if (query.hold && diffCsvOptions(c, query) !== undefined) throw heldWithoutId()
    const file = await diffFile(c, catalog, query, () => receiveUpload(c))
    if (file !== undefined) return file
    emptiedGuardOf(catalog.type, query)
    const run = (received: ReceivedUpload) =>
      changeOnce(c, catalog, {
        query,
        digest: async () => requestDigest(query, received.contentType, await received.sha256()),
        resultOf: earlierResult(catalog),
        change: (key) => answerWrite(c, catalog, query, now, received, key),
      })
    const attempt = new UploadAttempt(c, catalog, query)
    return query.dry_run ? attempt.dryRun(run) : attempt.write(run)
  },
)
