import { DEFAULT_EXAMPLES } from '#shared/limits'
import type { RecordType } from '#shared/records/record-type'
import type { RecordSource } from '#shared/records/source'
import type { Catalog } from '#worker/catalog/catalog'
import { sendCsv, wantsCsv } from '#worker/catalog/csv-answer'
import type { CommittedWrite, WriteResult } from '#worker/catalog/schemas'
import { configOf } from '#worker/env'
import { bodyOf } from '#worker/http/body/body'
import { receive } from '#worker/http/body/receive'
import type { AppContext } from '#worker/http/context'
import { idempotencyHeader, idempotencyKeyOf, setReplayed } from '#worker/http/endpoint/idempotency-key'
import { refuseParameters } from '#worker/http/endpoint/validation'
import { addToLog } from '#worker/http/log'
import { takeTurn } from '#worker/http/sharing/large-bodies'
import { changeInTurn, expensiveRead, readsInTurn } from '#worker/http/sharing/read-turns'
import type { DiffCsvOptions } from './diff'
import { type DryRunOptions, previewWrite } from './dry-run'
import { emptiedGuardOf } from './emptied-fields'
import { type IdempotencyKey, requestDigest } from './idempotency'
import { type ChangeQuery, expectedState, maxShrinkOf, type WriteQuery } from './queries'
import { type ChangeResult, type CommittedRow, committedResult, countsOf, writeMessage } from './result'
import { UPLOAD_TYPES, Upload } from './upload'
import { type WriteOptions, writeRecords } from './write'

export const idempotencyHeaderSchema = idempotencyHeader('Names the write; a dry run ignores it.')

/** The options that all kinds of changes have. */
export function changeOptions(c: AppContext, query: ChangeQuery, mode: CommittedWrite['mode'], now: Date) {
  addToLog(c, { mode, dry_run: query.dry_run ?? false })
  return {
    diff: query.include === 'diff',
    keepsVersions: configOf(c.env).historyDays > 0,
    ...expectedState(query),
    createdBy: c.var.caller.actor,
    requestId: c.var.requestId,
    now: now.getTime(),
  }
}

/** A file that waits has its own mode. */
export type WriteRequest = WriteQuery & { mode: 'upsert' | 'reconcile' }

/** The options of a write and of its dry run. @throws ApiError 400 for a field that the type does not have */
export const writeOptions = (c: AppContext, type: RecordType, query: WriteRequest, now: Date) => ({
  ...changeOptions(c, query, query.mode, now),
  mode: query.mode,
  keepsMissing: query.keep_missing ?? false,
  examples: query.examples ?? DEFAULT_EXAMPLES,
  maxShrink: maxShrinkOf(query),
  emptiedGuard: emptiedGuardOf(type, query),
})

export type WriteSettings = ReturnType<typeof writeOptions>

/**
 * The `Idempotency-Key` of a change, with the digest of its request; null if none was sent.
 *
 * @param query without what makes no other change
 * @param defaults the values of parameters that are not sent
 * @param digestBody gives what tells its body, or what it acts on, from others
 */
export async function changeKeyOf(
  c: AppContext,
  query: object,
  defaults: Record<string, unknown>,
  digestBody: () => Promise<string[]> | string[],
): Promise<IdempotencyKey | null> {
  const key = idempotencyKeyOf(c)
  return key === null ? null : { key, digest: await requestDigest(query, defaults, ...(await digestBody())) }
}

/** Receives the file of a write, by default the body of the request. @throws ApiError 415, 413; 400 for a bad form */
export async function receiveUpload(c: AppContext, sent = bodyOf(c)): Promise<Upload> {
  const upload = new Upload(await receive(c, UPLOAD_TYPES, sent))
  addToLog(c, { bytes: upload.sizeBytes })
  return upload
}

/** The records of a file, when it is its turn. @throws ApiError 400 for errors of the file, and for parameters in it */
export async function readRecords(c: AppContext, upload: Upload, type: RecordType): Promise<RecordSource> {
  await takeTurn(c, upload.sizeBytes)
  const source = await upload.read(type)
  refuseParameters(c, source.namesBeside ?? [])
  return source
}

/** How the diff is written as CSV; undefined when the answer is JSON. */
export const diffCsvOptions = (c: AppContext, query: ChangeQuery): DiffCsvOptions | undefined =>
  query.include === 'diff' && wantsCsv(c, query.format)
    ? { ...expectedState(query), kind: query.change ?? null, safe: query.safe === '1', readInTurn: readsInTurn(c) }
    : undefined

/** Sends a diff as a file. @param start when it is its turn */
export const sendDiff = async (
  c: AppContext,
  type: RecordType,
  start: () => Promise<AsyncIterable<string>>,
): Promise<Response> => sendCsv(c, `${type.name}-changes.csv`, await expensiveRead(c, start))

/** The answer of a change or of its dry run. Its counts go to the log. */
export function answerChange<Result extends ChangeResult & Pick<WriteResult, 'revision' | 'warnings'>>(
  c: AppContext,
  result: Result,
) {
  const { dry_run, total, unchanged, deactivated, revision, warnings } = result
  const outcome = dry_run ? 'ok' : total - unchanged + deactivated > 0 ? 'written' : 'unchanged'
  addToLog(c, { outcome, ...countsOf(result), revision, warnings: warnings.length })
  return { message: writeMessage(result), data: result }
}

/** Says what a write of a file would do. */
export async function answerPreview(c: AppContext, catalog: Catalog, upload: Upload, options: DryRunOptions) {
  const preview = async () => previewWrite(catalog, await readRecords(c, upload, catalog.type), options)
  return answerChange(c, await expensiveRead(c, preview))
}

/** Writes a file. A reconcile may look at a whole catalog, so it waits for its turn. */
export async function answerWrite(c: AppContext, catalog: Catalog, upload: Upload, options: WriteOptions) {
  const write = async () => writeRecords(catalog, await readRecords(c, upload, catalog.type), options, c.var.deadline)
  return answerChange(c, await (options.mode === 'upsert' ? write() : changeInTurn(c, write)))
}

/** Answers as an earlier change with the same key did, without most of its warnings, which are not stored. */
export function answerAgain<Mode extends CommittedWrite['mode']>(
  c: AppContext,
  type: RecordType,
  mode: Mode,
  earlier: CommittedRow,
) {
  const data = committedResult(type, mode, earlier)
  setReplayed(c)
  addToLog(c, { outcome: 'replayed', revision: data.revision })
  return { message: writeMessage(data), data }
}
