import { DEFAULT_EXAMPLES } from '#shared/records/warnings'
import type { Catalog } from '#worker/catalog/catalog'
import { changeOptions, diffCsvOptions, maxShrinkOf, noteResult } from '#worker/catalog/change-request'
import { sendCsv } from '#worker/catalog/csv-answer'
import type { CommittedRow } from '#worker/catalog/history/batches'
import type { WriteQuery } from '#worker/catalog/read/queries'
import type { AppContext } from '#worker/http/context'
import { expensiveRead } from '#worker/http/sharing/expensive-reads'
import { committedResult } from './commit'
import { diffCsv } from './diff-csv'
import { emptiedGuardOf } from './emptied-fields'
import type { IdempotencyKey } from './idempotency'
import { writeMessage } from './message'
import type { ReceivedUpload } from './upload'
import { type WriteResult, writeRecords } from './write'

/** `WriteQuery` has no mode: a file that waits has its own. */
export interface WriteRequest extends WriteQuery {
  mode: 'upsert' | 'reconcile'
}

export interface WriteAnswer {
  message: string
  data: WriteResult
}

/** The diff of a dry run as a file; undefined if the answer is JSON. */
export async function diffFile(
  c: AppContext,
  catalog: Catalog,
  query: WriteRequest,
  receive: () => Promise<ReceivedUpload>,
): Promise<Response | undefined> {
  const options = diffCsvOptions(c, query)
  if (options === undefined) return undefined
  const received = await receive()
  const start = async () =>
    diffCsv(catalog, await received.read(catalog.type), query.mode, {
      ...options,
      keepsMissing: query.keep_missing,
    })
  return sendCsv(c, `${catalog.type.name}-changes.csv`, await expensiveRead(c, start))
}

/** What a write that was carried out has answered, without its warnings, which are not kept. */
export const earlierResult =
  ({ scope }: Catalog) =>
  (row: CommittedRow): WriteResult => ({
    ...committedResult(scope, row.mode === 'reconcile' ? 'reconcile' : 'upsert', row),
    warnings: [],
  })

/**
 * Writes what was received, or says what a write would do.
 *
 * @param heldUpload the upload whose file is written, if it has waited
 */
export async function answerWrite(
  c: AppContext,
  catalog: Catalog,
  query: WriteRequest,
  now: Date,
  received: ReceivedUpload,
  key: IdempotencyKey | null,
  heldUpload: string | null = null,
): Promise<WriteAnswer> {
  const { fileName, sizeBytes } = received
  const options = {
    ...changeOptions(c, query, now),
    mode: query.mode,
    keepsMissing: query.keep_missing ?? false,
    examples: query.examples ?? DEFAULT_EXAMPLES,
    maxShrink: maxShrinkOf(query),
    emptiedGuard: emptiedGuardOf(catalog.type, query),
    key,
    fileName,
    sizeBytes,
    heldUpload,
  }
  const write = async () => writeRecords(catalog, await received.read(catalog.type), options, c.var.deadline)
  const result = await (options.dryRun ? expensiveRead(c, write) : write())
  noteResult(c, result)
  return { message: writeMessage(result), data: result }
}
