import { sql } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import { DEFAULT_EXAMPLES, LARGE_BODY_BYTES } from '#shared/limits'
import { isJsonFile } from '#shared/records/csv/file-kind'
import { csvSource } from '#shared/records/csv/read'
import { jsonSource } from '#shared/records/json-source'
import type { RecordType } from '#shared/records/record-type'
import type { RecordSource } from '#shared/records/source'
import type { Catalog } from '#worker/catalog/catalog'
import { sendCsv, wantsCsv } from '#worker/catalog/csv-answer'
import type { CommittedWrite, WriteResult } from '#worker/catalog/schemas'
import { sha256Hex } from '#worker/crypto/hash'
import { configOf } from '#worker/env'
import { bodyOf } from '#worker/http/body/body'
import { FORM_TYPE, JSON_TYPE, type ReceivedBody, receive } from '#worker/http/body/receive'
import type { AppContext } from '#worker/http/context'
import { idempotencyHeader, idempotencyKeyOf, setReplayed } from '#worker/http/endpoint/idempotency-key'
import { refuseParameters } from '#worker/http/endpoint/validation'
import { takeBodySlot } from '#worker/http/limits/body-slots'
import { fileSlots, streamSlots, withFileWriteSlot } from '#worker/http/limits/database-slots'
import { addToLog } from '#worker/http/log'
import { withPauses } from '#worker/http/steps'
import type { WithSlot } from '#worker/storage/database'
import { version } from '../../../../package.json'
import type { CheckOptions } from './check-request'
import { type WriteOptions, writeRecords, writeSameFile } from './commit'
import { type DiffCsvOptions, diffCsv } from './diff'
import { emptiedGuardOf } from './emptied-fields'
import { type DryRunOptions, previewWrite } from './preview'
import { type CommitQuery, expectedState, maxShrinkOf, type WriteQuery } from './queries'
import { type CommitResult, type CommittedRow, committedResult, committedWrite, countsOf, writeMessage } from './result'
import type { IdempotencyKey } from './sql/fragments'

/** Shared by the endpoints that change a catalog: options, files, idempotency keys and responses. */

export function commitOptions(c: AppContext, query: CommitQuery, mode: CommittedWrite['mode'], now: Date) {
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

/** A pending upload has its own mode. */
export type WriteRequest = WriteQuery & { mode: 'upsert' | 'reconcile' }

/** The options of a write and of its dry run. @throws ApiError 400 for an unknown field */
export const writeOptions = (c: AppContext, type: RecordType, query: WriteRequest, now: Date) => ({
  ...commitOptions(c, query, query.mode, now),
  mode: query.mode,
  keepsMissing: query.keep_missing,
  examples: query.examples ?? DEFAULT_EXAMPLES,
  maxShrink: maxShrinkOf(query),
  emptiedGuard: emptiedGuardOf(type, query),
})

export type WriteSettings = ReturnType<typeof writeOptions>

/** A file that has arrived but is not read yet. Reading it needs several times its memory. */
export interface ReceivedFile {
  /** Empty once they have been read. */
  bytes: Uint8Array
  format: 'csv' | 'json'
  fileName: string | null
  sizeBytes: number
  /** The media type of the bytes, with its charset. */
  contentType: string
  charset: string | undefined
  otherFields: ReceivedBody['otherFields']
}

const CSV_TYPE = 'text/csv'

/** The media types of a write: JSON, CSV, or either as a file in a form. */
const UPLOAD_TYPES = [JSON_TYPE, FORM_TYPE, CSV_TYPE, 'application/csv', 'application/vnd.ms-excel']

/** Receives the file of a write, by default the body of the request. @throws ApiError 415, 413; 400 for a bad form */
export async function receiveFile(c: AppContext, sent = bodyOf(c)): Promise<ReceivedFile> {
  const { bytes, mediaType, charset, fileName, otherFields } = await receive(c, UPLOAD_TYPES, sent)
  const isJson = mediaType === null ? isJsonFile(bytes) : mediaType === JSON_TYPE
  const csvType = `${mediaType ?? CSV_TYPE}${charset === undefined ? '' : `;charset=${charset}`}`
  addToLog(c, { bytes: bytes.byteLength })
  return {
    bytes,
    format: isJson ? 'json' : 'csv',
    // A JSON body is not a file.
    fileName: mediaType === JSON_TYPE ? null : fileName,
    sizeBytes: bytes.byteLength,
    contentType: isJson ? JSON_TYPE : csvType,
    charset: isJson ? undefined : charset,
    otherFields,
  }
}

/**
 * The records of a file, once it has the slot of large bodies.
 *
 * @throws ApiError 400 for errors of the file, and for parameters in it
 */
async function readRecords(c: AppContext, file: ReceivedFile, type: RecordType): Promise<RecordSource> {
  await takeBodySlot(c, file.sizeBytes)
  const { bytes, format, charset, otherFields } = file
  // The records need several times the memory of the bytes.
  file.bytes = new Uint8Array()
  const source = await withPauses(format === 'json' ? jsonSource(bytes) : csvSource(bytes, type, charset))
  const propertiesBeside = [...otherFields, ...(source.propertiesBeside ?? [])]
  refuseParameters(c, propertiesBeside)
  return { ...source, propertiesBeside }
}

/** The options for a diff as CSV; undefined if the response is JSON. */
export const diffCsvOptions = (c: AppContext, query: CommitQuery): DiffCsvOptions | undefined =>
  query.include === 'diff' && wantsCsv(c, query.format)
    ? { ...expectedState(query), kind: query.change ?? null, safe: query.safe === '1', withSlot: streamSlots(c) }
    : undefined

/** Sends a diff as a file. */
export const sendDiff = (c: AppContext, type: RecordType, portions: AsyncIterable<string>): Response =>
  sendCsv(c, `${type.name}-changes.csv`, portions)

export async function answerDiff(
  c: AppContext,
  catalog: Catalog,
  file: ReceivedFile,
  options: Omit<CheckOptions, 'sizeBytes'> & DiffCsvOptions,
) {
  const { type } = catalog
  const { sizeBytes } = file
  const source = await readRecords(c, file, type)
  return sendDiff(c, type, await diffCsv(catalog, source, { ...options, sizeBytes }))
}

/** The response to a change or to its dry run. Logs its counts. */
export function answerCommit<Result extends CommitResult & Pick<WriteResult, 'revision' | 'warnings'>>(
  c: AppContext,
  result: Result,
) {
  const { dry_run, total, unchanged, deactivated, revision, warnings } = result
  const outcome = dry_run ? 'ok' : total - unchanged + deactivated > 0 ? 'written' : 'unchanged'
  addToLog(c, { outcome, ...countsOf(result), revision, warnings: warnings.length })
  return { message: writeMessage(result), data: result }
}

export async function answerPreview(
  c: AppContext,
  catalog: Catalog,
  file: ReceivedFile,
  options: Omit<DryRunOptions, 'withSlot' | 'sizeBytes'>,
) {
  const { sizeBytes } = file
  const source = await readRecords(c, file, catalog.type)
  const withSlot = fileSlots(c, sizeBytes)
  return answerCommit(c, await previewWrite(catalog, source, { ...options, sizeBytes, withSlot }))
}

/**
 * For a large file: SHA-256 of everything that decides its effect, including the release, which may read it
 * differently.
 */
const fileDigestOf = async ({ bytes, contentType, sizeBytes }: ReceivedFile, { mode, keepsMissing }: WriteSettings) =>
  sizeBytes > LARGE_BODY_BYTES
    ? sha256Hex(JSON.stringify([version, mode, keepsMissing ?? null, contentType, await sha256Hex(bytes)]))
    : null

/**
 * Writes a file. A file identical to the last one is not read again. A reconcile may scan a whole catalog, so it waits
 * for a slot once its records are checked.
 */
export async function answerWrite(
  c: AppContext,
  catalog: Catalog,
  file: ReceivedFile,
  settings: WriteSettings & Pick<WriteOptions, 'key' | 'heldUpload'>,
) {
  const { fileName, sizeBytes, format } = file
  const { deadline } = c.var
  const isUpsert = settings.mode === 'upsert'
  const withSlot: WithSlot = (write) => (isUpsert ? write() : withFileWriteSlot(c, sizeBytes, write))
  const fileDigest = await fileDigestOf(file, settings)
  const options = { ...settings, fileName, sizeBytes, fileDigest, withSlot }
  const isKnown = fileDigest !== null && settings.heldUpload === null
  const { result, facts } = isKnown ? await writeSameFile(catalog, { ...options, format }, deadline) : {}
  if (result !== undefined) return answerCommit(c, result)
  const source = await readRecords(c, file, catalog.type)
  return answerCommit(c, await writeRecords(catalog, source, { ...options, facts }, deadline))
}

// An idempotency key names one write of a catalog, so that a client that got no response can repeat its request.

export const idempotencyHeaderSchema = idempotencyHeader('A key for this write; dry runs ignore it.')

/**
 * The `Idempotency-Key` of a change and the digest of its request; null without a key.
 *
 * @param query parameters that distinguish changes; parameters with their default values are ignored
 * @param digestBody returns what distinguishes its body, or its target, from others
 */
export async function commitKeyOf(
  c: AppContext,
  query: object,
  defaults: Record<string, unknown>,
  digestBody: () => Promise<string[]> | string[],
): Promise<IdempotencyKey | null> {
  const key = idempotencyKeyOf(c)
  if (key === null) return null
  const parameters = Object.entries(query)
    .filter(([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(defaults[name]))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return { key, digest: await sha256Hex(JSON.stringify([parameters, ...(await digestBody())])) }
}

/** The write with a key. @throws ApiError 422 if the key belongs to a different request */
async function findKeyedWrite(
  { db, catalogKey }: Catalog,
  key: IdempotencyKey | null,
): Promise<CommittedRow | undefined> {
  if (key === null) return undefined
  const [row] = await db.all(committedWrite(catalogKey, sql`idempotency_key = ${key.key}`))
  if (row === undefined || row.request_digest === key.digest) return row
  throw new ApiError(
    'unprocessable',
    `The Idempotency-Key names a write that had another body or other parameters (batch_id ${row.upload_id}). ` +
      'Nothing was written. Send another key.',
  )
}

/**
 * Makes a change, unless an earlier request has its key. Looks for that request again after an error: the database
 * rejects one of two simultaneous requests, and the error may be caused by what the first one wrote.
 *
 * @param modeOf the mode of the earlier change, whose response only has the stored warnings
 * @throws ApiError 422 if the key belongs to a different change; as `commit`
 */
export async function commitOnce<Answer, Mode extends CommittedWrite['mode']>(
  c: AppContext,
  catalog: Catalog,
  key: IdempotencyKey | null,
  modeOf: (earlier: CommittedRow) => Mode,
  commit: () => Promise<Answer>,
) {
  const answerAgain = (earlier: CommittedRow) => {
    const data = committedResult(catalog.type, modeOf(earlier), earlier)
    setReplayed(c)
    addToLog(c, { outcome: 'replayed', revision: data.revision })
    return { message: writeMessage(data), data }
  }
  const earlier = await findKeyedWrite(catalog, key)
  if (earlier) return answerAgain(earlier)
  try {
    return await commit()
  } catch (refusal) {
    const first = await findKeyedWrite(catalog, key).catch((error: unknown) => {
      throw error instanceof ApiError && error.code === 'unprocessable' ? error : refusal
    })
    if (first === undefined) throw refusal
    return answerAgain(first)
  }
}
