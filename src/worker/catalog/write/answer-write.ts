import { DEFAULT_EXAMPLES } from '#shared/limits'
import type { Catalog } from '#worker/catalog/catalog'
import { sendCsv } from '#worker/catalog/csv-answer'
import type { WriteResult } from '#worker/catalog/schemas'
import type { AppContext } from '#worker/http/context'
import { expensiveRead } from '#worker/http/sharing/expensive-reads'
import { answerChange, type ChangeAnswer, changeOptions, maxShrinkOf } from './change-request'
import { type DiffCsvOptions, diffCsv } from './diff-csv'
import { emptiedGuardOf } from './emptied-fields'
import type { IdempotencyKey } from './idempotency'
import type { WriteQuery } from './queries'
import { type CommittedRow, committedResult } from './result'
import type { ReceivedUpload } from './upload'
import { writeRecords } from './write'

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

/** What an earlier write has answered, but for its warnings, which are not stored. */
export const resultOfEarlierWrite =
  ({ scope }: Catalog) =>
  (row: CommittedRow): WriteResult => ({
    ...committedResult(scope, row.mode === 'reconcile' ? 'reconcile' : 'upsert', row),
    warnings: [],
  })

/**
 * Writes an upload, or says what a write would do.
 *
 * @param heldUpload the upload whose file is written, if it has waited
 */
export async function answerWrite(
  c: AppContext,
  catalog: Catalog,
  query: WriteRequest,
  now: Date,
  upload: ReceivedUpload,
  key: IdempotencyKey | null,
  heldUpload: string | null = null,
): Promise<ChangeAnswer<WriteResult>> {
  const { fileName, sizeBytes } = upload
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
  return answerChange(c, options.dryRun, async () =>
    writeRecords(catalog, await upload.read(catalog.type), options, c.var.deadline),
  )
}
