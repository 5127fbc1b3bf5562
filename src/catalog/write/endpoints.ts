import * as z from 'zod'
import { scope } from '#auth/access'
import { changeOptions, diffCsvOptions, maxShrinkOf, writeMessage } from '#catalog/change-request'
import { sendCsv } from '#catalog/csv-answer'
import { DATASETS_PATH } from '#catalog/paths'
import { writeQuery } from '#catalog/read/queries'
import { catalogOf } from '#catalog/requested-catalog'
import { writeResult } from '#catalog/schemas'
import { enveloped, orFile } from '#http/endpoint/answers'
import { endpoint } from '#http/endpoint/endpoint'
import { expensiveRead } from '#http/sharing/expensive-reads'
import { diffCsv } from './diff-csv'
import { uploadBody } from './upload-body'
import { writeRecords } from './write'

const changesFile = z
  .string()
  .meta({ description: 'The diff of a dry run, with `include=diff` and `format=csv`.' })

export const writeEndpoint = endpoint(
  {
    tag: 'Catalog',
    method: 'post',
    path: `${DATASETS_PATH}/`,
    operationId: 'writeRecords',
    summary: 'Write records: upsert or reconcile, as JSON or CSV',
    description:
      'All or nothing: when a record is not valid, nothing is written and `errors` names every failing record, field ' +
      'and value. The shrink guard and a stale `expected_revision` answer 409.\n\n' +
      'A dry run says in `emptied` which fields would lose their values. With `include=diff` it also says which records would change, and how: the first of each kind in JSON, all ' +
      'of them with `format=csv`, in the columns `change`, `id`, `name`, `field`, `old`, `new`. The file has a line for ' +
      'each field that would change, and for each field of a new record. The records sent come first, in the order of the request; then, by id, those that a ' +
      'reconcile leaves out. The whole file is of one revision: when the catalog changes while the file is sent, the ' +
      'connection is closed.',
    access: scope('catalog:write'),
    query: writeQuery,
    body: uploadBody,
    answer: orFile(enveloped(writeResult), { 'text/csv': changesFile }),
    errors: ['conflict', 'unsupported_media_type'],
  },
  async ({ c, query, body: received, now }) => {
    const catalog = catalogOf(c, query.type)
    const csvOptions = diffCsvOptions(c, query)
    if (csvOptions !== undefined) {
      const start = async () =>
        diffCsv(catalog, (await received.read(catalog.type)).source, query.mode, csvOptions)
      const portions = await expensiveRead(c, start)
      return sendCsv(c, `${query.type}-changes.csv`, portions)
    }
    const options = {
      ...changeOptions(c, query, now),
      mode: query.mode,
      maxShrink: query.mode === 'reconcile' ? maxShrinkOf(query) : null,
    }
    const write = async () => {
      const { source, ...file } = await received.read(catalog.type)
      return writeRecords(catalog, source, { ...options, ...file }, c.var.deadline)
    }
    const result = await (options.dryRun ? expensiveRead(c, write) : write())
    return { message: writeMessage(result), data: result }
  },
)
