import { DEFAULT_EXAMPLES, DEFAULT_MAX_SHRINK } from '#shared/limits'
import type { RecordSource } from '#shared/records/source'
import type { Catalog } from '#worker/catalog/catalog'
import { sendCsv, wantsCsv } from '#worker/catalog/csv-answer'
import type { WriteResult } from '#worker/catalog/schemas'
import type { WriteHead } from '#worker/catalog/write/sql/transaction'
import { writeStatements } from '#worker/catalog/write/sql/write'
import { configOf } from '#worker/env'
import type { AppContext } from '#worker/http/context'
import { note } from '#worker/http/log'
import { expensiveRead, pacedRead } from '#worker/http/sharing/expensive-reads'
import type { Deadline } from '#worker/storage/deadline'
import { checkAll } from './check-records'
import { commit, unknownWrite } from './commit'
import type { ExpectedState } from './conflicts'
import { type DiffCsvOptions, diffCsv } from './diff-csv'
import { type DryRunOptions, dryRun } from './dry-run'
import { emptiedGuardOf } from './emptied-fields'
import type { IdempotencyKey } from './idempotency'
import { KeptFields } from './kept-fields'
import type { ChangeQuery, WriteQuery } from './queries'
import { type CommittedRow, committedResult, type Done, writeMessage } from './result'
import type { ReceivedUpload } from './upload'

export interface WriteOptions
  extends DryRunOptions,
    Omit<WriteHead, 'batchId' | 'format' | 'mode' | 'warnings' | 'restoredRevision' | 'approvalId' | 'total'> {
  dryRun: boolean
  /** Whether fields that are not sent keep their stored values. */
  keepsMissing: boolean
  /** The upload whose file is written, if the file has waited. */
  heldUpload: string | null
}

/**
 * Checks all records of a request and writes them, or returns what writing them would do.
 *
 * @throws ApiError 400 with every error of every record, as a sequence that is made while it is read; 409 for a stale
 *   revision and for a guard; 503 when the database cannot be reached
 */
export async function writeRecords(
  catalog: Catalog,
  source: RecordSource,
  { keepsMissing, ...wanted }: WriteOptions,
  deadline: Deadline,
): Promise<WriteResult> {
  const { scope, type } = catalog
  const kept = keepsMissing ? await KeptFields.begin(catalog, wanted) : undefined
  const options = { ...wanted, ...kept?.expected }
  const checked = await checkAll(type, source, options.mode, kept)
  const { chunks, idLists, total, warnings } = checked
  if (options.dryRun) {
    const result = await dryRun(catalog, checked, options)
    return { ...result, warnings: [...warnings, ...result.warnings] }
  }

  const head: WriteHead = {
    ...options,
    batchId: options.heldUpload ?? crypto.randomUUID(),
    approvalId: options.heldUpload === null ? null : crypto.randomUUID(),
    format: source.format,
    warnings: warnings.length,
    restoredRevision: null,
    total,
  }
  const row = await deadline.whileWriting(
    () => commit(catalog, head, writeStatements(scope, head, chunks, idLists)),
    unknownWrite(scope, head.batchId),
  )
  return { ...committedResult(scope, options.mode, row), warnings }
}

/** Requests that change a catalog. Writes and restores have the first functions in common. */

/** The limit of the shrink guard in percent; null when `confirm_shrink` overrides the guard. */
export function maxShrinkOf({
  mode,
  confirm_shrink,
  max_shrink,
}: Pick<ChangeQuery, 'confirm_shrink' | 'max_shrink'> & { mode?: 'upsert' | 'reconcile' }): number | null {
  if (confirm_shrink) return null
  // An upsert has the guard only if the caller asks for it.
  return max_shrink ?? (mode === 'upsert' ? null : DEFAULT_MAX_SHRINK)
}

const expectedState = ({ expected_revision, expected_epoch }: ChangeQuery): ExpectedState => ({
  expectedRevision: expected_revision ?? null,
  expectedEpoch: expected_epoch ?? null,
})

/** The options of a change that are the same for every kind of it. */
export function changeOptions(c: AppContext, query: ChangeQuery, now: Date) {
  const dryRun = query.dry_run ?? false
  note(c, { mode: 'mode' in query ? String(query.mode) : 'restore', dry_run: dryRun })
  return {
    dryRun,
    diff: query.include === 'diff',
    keepsVersions: configOf(c.env).historyDays > 0,
    ...expectedState(query),
    createdBy: c.var.caller.actor,
    requestId: c.var.requestId,
    now: now.getTime(),
  }
}

/** What a write or a restore did, for the log line. */
export function noteResult(c: AppContext, result: Done & Pick<WriteResult, 'revision' | 'warnings'>): void {
  const { total, inserted, updated, reactivated, unchanged, deactivated, revision, warnings } = result
  const changed = total - unchanged + deactivated > 0
  const outcome = result.dry_run ? 'ok' : changed ? 'written' : 'unchanged'
  const counts = { total, inserted, updated, reactivated, unchanged, deactivated }
  note(c, { outcome, ...counts, revision, warnings: warnings.length })
}

/** How the diff is written as CSV; undefined when the answer is JSON. */
export const diffCsvOptions = (c: AppContext, query: ChangeQuery): DiffCsvOptions | undefined =>
  query.include === 'diff' && wantsCsv(c, query.format)
    ? {
        ...expectedState(query),
        only: query.change ?? null,
        safe: query.safe === '1',
        paced: pacedRead(c),
      }
    : undefined

/** `WriteQuery` has no mode: a file that waits has its own. */
export interface WriteRequest extends WriteQuery {
  mode: 'upsert' | 'reconcile'
}

export interface WriteAnswer {
  message: string
  data: WriteResult
}

/** Sends the diff of a dry run as a file. */
export async function sendDiff(
  c: AppContext,
  catalog: Catalog,
  { mode, keep_missing }: WriteRequest,
  options: DiffCsvOptions,
  received: ReceivedUpload,
): Promise<Response> {
  const start = async () =>
    diffCsv(catalog, await received.read(catalog.type), mode, { ...options, keepsMissing: keep_missing })
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
