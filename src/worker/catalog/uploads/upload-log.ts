import { ApiError, apiErrorOf, type ErrorCode, type ErrorItem, listedErrors } from '#shared/errors/errors'
import { logLine, nameOf } from '#shared/errors/log-line'
import { HELD_DRY_RUN_SECONDS, HELD_REFUSAL_SECONDS, SUMMARY_ERRORS } from '#shared/limits'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import type { Catalog } from '#worker/catalog/catalog'
import { isProgram } from '#worker/catalog/write/sql/write'
import { sha256Hex } from '#worker/crypto/hash'
import { NotArrivedError } from '#worker/http/body/body-stream'
import type { Bucket } from '#worker/storage/bucket'
import { firstOf } from '#worker/storage/database'
import { WriteAttempts } from '#worker/storage/database-faults'
import { withinTime } from '#worker/storage/deadline'
import { withinQuota } from '#worker/storage/quotas'
import type { HeldFor } from '#worker/storage/schema/uploads'
import { deleteHeld, storeHeld } from './held-files'
import type { CountedErrors } from './refusal-text'
import {
  type HeldParameters,
  holdStatements,
  type RefusedOutcome,
  refusalStatements,
  type UploadDraft,
} from './sql/uploads'

/** Records rejected uploads, and keeps their files pending if requested. Does not change the response. */

/** Milliseconds for which a rejection waits to be recorded in the list of uploads: several round trips. */
const LOGGING_MS = 2000

type HeldUpload = Record<'upload_id' | 'held_until', string>

/** An upload before its outcome is decided. */
export type UploadFacts = Omit<UploadDraft, 'outcome' | 'message' | 'error_count' | 'errors'>

/** Where to record uploads and store their files. */
export interface UploadLog {
  catalog: Catalog
  bucket: Bucket
  /** Continues work after the response. */
  afterwards: (work: Promise<void>) => void
}

/** The file of a request, and the parameters of its write. */
export interface HoldableFile {
  bytes: Uint8Array
  contentType: string
  parameters: HeldParameters
}

/** Whether an upload blocked by a guard becomes pending by default. */
export const waitsIfGuarded = (
  { mode, confirm_shrink, max_emptied, hold }: HeldParameters & { mode: string; hold?: boolean | undefined },
  actor: string,
): boolean =>
  isProgram(actor) && mode === 'reconcile' && (!confirm_shrink || max_emptied !== undefined) && hold !== false

/** Makes an upload pending. @throws ApiError 409 for the quota, 503 for the bucket */
export async function holdFile(
  { catalog, bucket, afterwards }: UploadLog,
  facts: UploadFacts,
  { bytes, contentType, parameters }: HoldableFile,
  { heldFor, message, errors }: { heldFor: HeldFor; message: string; errors: readonly ErrorItem[] },
): Promise<HeldUpload> {
  const { upload_id: ownId, created_at, mode } = facts
  await storeHeld(bucket, ownId, bytes)
  const sha256 = await sha256Hex(bytes)
  const heldUntil = created_at + 1000 * (heldFor === 'dry_run' ? HELD_DRY_RUN_SECONDS : HELD_REFUSAL_SECONDS)
  const upload = newUpload(facts, 'held', message, new ErrorSummary(catalog.type, errors))
  const statements = holdStatements(catalog.catalogKey, upload, {
    held_for: heldFor,
    held_until: heldUntil,
    parameters: JSON.stringify(parameters),
    content_type: contentType,
    sha256,
    request_digest: await sha256Hex(JSON.stringify([mode, parameters, contentType, sha256])),
  })
  const attempts = new WriteAttempts()
  const hold = () => catalog.db.retry(() => attempts.make(() => catalog.db.batch(statements)))
  try {
    const [, expiredRows, , heldRows] = await withinQuota(hold)
    const { upload_id, held_until } = firstOf(heldRows)
    // The same file may already be pending.
    const unusedIds = upload_id === ownId ? [] : [ownId]
    afterwards(deleteHeld(bucket, [...unusedIds, ...expiredRows.map((row) => row.upload_id)]))
    return { upload_id, held_until: new Date(held_until ?? heldUntil).toISOString() }
  } catch (error) {
    // Otherwise the row may exist or still appear. Then leave the file to the scheduled run, which will know.
    if (!attempts.mayBeCarriedOut) afterwards(deleteHeld(bucket, [ownId]))
    throw error
  }
}

/** Records a rejected upload. @param file to keep pending if a guard is the reason @returns the error to throw */
export async function logRefusal(
  uploadLog: UploadLog,
  facts: UploadFacts,
  file: HoldableFile | undefined,
  error: unknown,
): Promise<unknown> {
  const refusal = apiErrorOf(error) ?? new ApiError('internal', 'Internal error.', { cause: error })
  const outcome = outcomeOf(refusal)
  if (outcome === null) return error
  if (file !== undefined && (outcome === 'shrink_guard' || outcome === 'emptied_guard')) {
    try {
      return await holdRefused(uploadLog, facts, file, outcome, refusal)
    } catch (fault) {
      warn(facts, 'upload: the rejected file was not kept', fault)
    }
  }
  return insertRefusal(uploadLog, facts, outcome, refusal, error)
}

async function holdRefused(
  uploadLog: UploadLog,
  facts: UploadFacts,
  file: HoldableFile,
  guard: 'shrink_guard' | 'emptied_guard',
  refusal: ApiError,
): Promise<ApiError> {
  const { code, message, details } = refusal
  const guardErrors = listedErrors(refusal)
  const upload = await holdFile(uploadLog, facts, file, { heldFor: guard, message, errors: guardErrors })
  const errors = guardErrors.map((item) => (item.code === guard ? { ...item, ...upload } : item))
  const pending = `The upload ${upload.upload_id} is pending until ${upload.held_until}`
  return new ApiError(code, `${message} ${pending}, and can be approved without sending the file again.`, {
    ...details,
    errors,
  })
}

/** Records a rejection in one round trip. The response waits for it, but not for long. @returns the error to throw */
async function insertRefusal(
  { catalog, afterwards }: UploadLog,
  facts: UploadFacts,
  outcome: RefusedOutcome,
  refusal: ApiError,
  error: unknown,
): Promise<unknown> {
  const { code, message, details } = refusal
  const summary = new ErrorSummary(catalog.type, listedErrors(refusal))
  const insert = async () => {
    // A message about invalid records may contain a value, so it is not stored but created from the errors when read.
    const isTold = outcome !== 'invalid' || summary.total === 0
    const upload = newUpload(facts, outcome, isTold ? message : null, summary)
    const insertion = catalog.db.batchEnding(refusalStatements(catalog.catalogKey, upload)).then(
      () => undefined,
      (fault: unknown) => warn(facts, 'upload: the refusal is not listed', fault),
    )
    afterwards(insertion)
    await withinTime(insertion, LOGGING_MS, () => undefined)
  }
  if (details.errors !== undefined && Symbol.asyncIterator in details.errors) {
    // These errors are created while they are sent, and can only be counted then.
    return new ApiError(code, message, { ...details, errors: summary.countAll(details.errors, insert) })
  }
  await insert()
  return error
}

const newUpload = (
  facts: UploadFacts,
  outcome: UploadDraft['outcome'],
  message: string | null,
  { total, mostFrequent }: ErrorSummary,
): UploadDraft => ({ ...facts, outcome, message, error_count: total, errors: mostFrequent })

const warn = ({ request_id }: UploadFacts, warning: string, error: unknown): void =>
  logLine({ request_id, warning, error: nameOf(error) })

/**
 * The field of an error, if it may be stored. A header may not: if the header row is missing, it is a record's value.
 */
const storableField = (type: RecordType, field: string | null): string | null =>
  field !== null && (field === 'file' || fieldNamed(type, field) !== undefined) ? field : null

/** Counts errors by field and code, without their values. */
class ErrorSummary {
  readonly #type: RecordType
  readonly #kinds = new Map<string, CountedErrors>()
  total = 0

  constructor(type: RecordType, errors: readonly ErrorItem[] = []) {
    this.#type = type
    for (const error of errors) this.#add(error)
  }

  #add(error: ErrorItem): void {
    const sentField = 'field' in error ? error.field : null
    const field = storableField(this.#type, sentField)
    this.total++
    const key = `${field ?? ''} ${error.code}`
    const kind = this.#kinds.get(key)
    if (kind !== undefined) kind.count++
    else this.#kinds.set(key, { field, code: error.code, count: 1, first_index: 'index' in error ? error.index : null })
  }

  /** Counts errors as they pass. @param atEnd awaited after the last one, or if the reader stops; must not throw */
  async *countAll(
    lists: AsyncIterable<readonly ErrorItem[]>,
    atEnd: () => Promise<void>,
  ): AsyncGenerator<readonly ErrorItem[]> {
    try {
      for await (const errors of lists) {
        for (const error of errors) this.#add(error)
        yield errors
      }
    } finally {
      await atEnd()
    }
  }

  /** JSON list of the most frequent kinds. Ties are in the order of their first occurrence. */
  get mostFrequent(): string {
    const kinds = [...this.#kinds.values()].sort((a, b) => b.count - a.count)
    return JSON.stringify(kinds.slice(0, SUMMARY_ERRORS))
  }
}

/** Statuses that reject a body. 422 is for a body with another body's `Idempotency-Key`. */
const INVALID: readonly ErrorCode[] = [
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  'unprocessable',
]

/** Null for an error that is not recorded: the body did not arrive, or is not at fault. */
function outcomeOf(error: ApiError): RefusedOutcome | null {
  if (error instanceof NotArrivedError) return null
  if (error.status >= 500) return 'failed'
  if (INVALID.includes(error.code)) return 'invalid'
  const code = listedErrors(error)[0]?.code
  if (error.code !== 'conflict') return code === 'quota' ? code : null
  return code === 'quota' || code === 'shrink_guard' || code === 'emptied_guard' ? code : 'stale'
}
