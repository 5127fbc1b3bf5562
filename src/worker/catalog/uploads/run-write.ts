import { DEFAULT_EXAMPLES } from '#shared/limits'
import type { Catalog } from '#worker/catalog/catalog'
import { sendCsv } from '#worker/catalog/csv-answer'
import type { WriteResult } from '#worker/catalog/schemas'
import {
  answerChange,
  type ChangeAnswer,
  changeOptions,
  maxShrinkOf,
  runChange,
  type WriteQuery,
} from '#worker/catalog/write/change-request'
import { type DiffCsvOptions, diffCsv } from '#worker/catalog/write/diff-csv'
import { emptiedGuardOf } from '#worker/catalog/write/emptied-fields'
import type { IdempotencyKey } from '#worker/catalog/write/idempotency'
import { type CommittedRow, committedResult } from '#worker/catalog/write/result'
import type { ReceivedUpload } from '#worker/catalog/write/upload'
import { writeRecords } from '#worker/catalog/write/write'
import type { AppContext } from '#worker/http/context'
import { expensiveRead } from '#worker/http/sharing/read-turns'

/** How a file is written, whether it comes with the request or has waited. */

/** `WriteQuery` has no mode: a file that waits has its own. */
export interface WriteRequest extends WriteQuery {
  mode: 'upsert' | 'reconcile'
}

/** Sends the diff of a dry run as a file. */
export async function sendDiff(
  c: AppContext,
  catalog: Catalog,
  { mode, keep_missing }: WriteRequest,
  options: DiffCsvOptions,
  upload: ReceivedUpload,
): Promise<Response> {
  const start = async () =>
    diffCsv(catalog, await upload.read(catalog.type), mode, { ...options, keepsMissing: keep_missing })
  return sendCsv(c, `${catalog.type.name}-changes.csv`, await expensiveRead(c, start))
}

/** What an earlier write has answered, but for most of its warnings, which are not stored. */
export const earlierResult = ({ catalogKey }: Catalog, row: CommittedRow): WriteResult =>
  committedResult(catalogKey, row.mode === 'reconcile' ? 'reconcile' : 'upsert', row)

/**
 * Writes an upload, or says what a write would do.
 *
 * @param heldUpload the upload whose file is written, if it has waited
 */
export async function runWrite(
  c: AppContext,
  catalog: Catalog,
  query: WriteRequest,
  now: Date,
  upload: ReceivedUpload,
  key: IdempotencyKey | null,
  heldUpload: string | null = null,
): Promise<ChangeAnswer<WriteResult>> {
  const options = {
    ...changeOptions(c, query, now),
    mode: query.mode,
    keepsMissing: query.keep_missing ?? false,
    examples: query.examples ?? DEFAULT_EXAMPLES,
    maxShrink: maxShrinkOf(query),
    emptiedGuard: emptiedGuardOf(catalog.type, query),
    key,
    fileName: upload.fileName,
    sizeBytes: upload.sizeBytes,
    heldUpload,
  }
  const result = await runChange(c, options, async () =>
    writeRecords(catalog, await upload.read(catalog.type), options, c.var.deadline),
  )
  return answerChange(c, result)
}
