import { ApiError, apiErrorOf, type ErrorItem, listedErrors } from '#shared/errors/errors'
import { logLine, nameOf } from '#shared/errors/log-line'
import { HELD_DRY_RUN_SECONDS, HELD_REFUSAL_SECONDS } from '#shared/limits'
import type { Catalog } from '#worker/catalog/catalog'
import type { WriteResult } from '#worker/catalog/schemas'
import type { ChangeAnswer } from '#worker/catalog/write/change-request'
import { requestDigest } from '#worker/catalog/write/idempotency'
import { isProgram } from '#worker/catalog/write/sql/transaction'
import { type ReceivedUpload, receiveUpload } from '#worker/catalog/write/upload'
import { sha256Hex } from '#worker/crypto/hash'
import type { AppContext } from '#worker/http/context'
import { bucketOf } from '#worker/http/databases'
import { firstOf } from '#worker/storage/database'
import { wasRolledBack } from '#worker/storage/database-faults'
import { withinTime } from '#worker/storage/deadline'
import { withinQuota } from '#worker/storage/quotas'
import type { HeldFor } from '#worker/storage/schema/catalogs'
import { deleteHeld, storeHeld } from './held-files'
import { ErrorSummary, outcomeOf } from './refusal'
import {
  type HeldParameters,
  holdStatements,
  type NewUpload,
  type RefusedOutcome,
  refusalStatements,
} from './sql/uploads'

/** The parameters of a request to write. */
interface UploadQuery extends HeldParameters {
  mode: 'upsert' | 'reconcile'
  dry_run?: boolean | undefined
  hold?: boolean | undefined
}

/** Milliseconds for which a refusal waits until it is in the list of uploads: several round trips. */
const RECORDING_MS = 2000

/** A file that waits now. */
type HeldUpload = Record<'upload_id' | 'held_until', string>

type WriteAnswer = ChangeAnswer<WriteResult>

type Guard = 'shrink_guard' | 'emptied_guard'

const isGuard = (outcome: RefusedOutcome | null): outcome is Guard =>
  outcome === 'shrink_guard' || outcome === 'emptied_guard'

/** The file of a request, and how it is to be written. */
interface HoldableFile {
  bytes: Uint8Array
  contentType: string
  parameters: HeldParameters
}

/**
 * One request to write, for the list of uploads: records a refusal, and keeps the file if that is wanted. Neither ever
 * changes what becomes of the request.
 */
export class UploadRecorder {
  readonly #c: AppContext
  readonly #catalog: Catalog
  readonly #query: UploadQuery
  readonly #id = crypto.randomUUID()
  readonly #now = Date.now()
  #fileFacts: Pick<ReceivedUpload, 'format' | 'fileName' | 'sizeBytes'> | undefined
  /** The file, if it may have to wait. Its bytes count as memory of the body anyway, so it costs nothing. */
  #file: HoldableFile | undefined
  #storage: Promise<void> | undefined

  constructor(c: AppContext, catalog: Catalog, query: UploadQuery) {
    this.#c = c
    this.#catalog = catalog
    this.#query = query
  }

  /** Only a guard makes a file wait that nobody asked to hold. */
  #mayWait(): boolean {
    const { mode, dry_run, confirm_shrink, max_emptied, hold } = this.#query
    if (dry_run) return hold === true
    const isGuarded = !confirm_shrink || max_emptied !== undefined
    return isProgram(this.#c.var.caller.actor) && mode === 'reconcile' && isGuarded && hold !== false
  }

  /** Writes. A refusal is recorded. @throws what `write` throws; a refusal of a guard may name the file */
  async write<T>(write: (upload: ReceivedUpload) => Promise<T>): Promise<T> {
    try {
      return await write(await this.#receive())
    } catch (error) {
      throw await this.#recordRefusal(error)
    }
  }

  /** Tries a write, and holds its file if that is wanted. @throws ApiError also 409 for the quota, 503 for the store */
  async dryRun(dryRun: (upload: ReceivedUpload) => Promise<WriteAnswer>): Promise<WriteAnswer> {
    try {
      const upload = await this.#receive()
      const file = this.#file
      if (file === undefined) return await dryRun(upload)
      // Not awaited: the file is stored during the dry run.
      this.#store(file)
      const answer = await dryRun(upload)
      const summary = new ErrorSummary(this.#catalog.type, guardErrors(answer.data))
      const heldUpload = await this.#hold(file, 'dry_run', answer.message, summary)
      return { ...answer, data: { ...answer.data, ...heldUpload } }
    } catch (error) {
      this.#drop()
      throw error
    }
  }

  async #receive(): Promise<ReceivedUpload> {
    const upload = await receiveUpload(this.#c)
    const { format, fileName, sizeBytes, contentType } = upload
    this.#fileFacts = { format, fileName, sizeBytes }
    if (this.#mayWait()) {
      const { confirm_shrink, max_shrink, max_emptied, allow_emptied, keep_missing } = this.#query
      const parameters = { confirm_shrink, max_shrink, max_emptied, allow_emptied, keep_missing }
      this.#file = { bytes: upload.bytes(), contentType, parameters }
    }
    return upload
  }

  #store({ bytes }: HoldableFile): Promise<void> {
    this.#storage ??= storeHeld(bucketOf(this.#c), this.#id, bytes)
    // The dry run of a file that is being stored may end first, and drop it.
    this.#storage.catch(() => undefined)
    return this.#storage
  }

  /** Forgets the file, and deletes it if it is stored. Goes on after the answer. */
  #drop(): void {
    this.#file = undefined
    const storage = this.#storage
    if (storage === undefined) return
    const storageEnd = storage.catch(() => undefined)
    this.#afterwards(storageEnd.then(() => deleteHeld(bucketOf(this.#c), [this.#id])))
  }

  /**
   * Records a refusal, and holds the file if a guard has stopped a program.
   *
   * @returns what is to be thrown
   */
  async #recordRefusal(error: unknown): Promise<unknown> {
    const refusal =
      apiErrorOf(error) ?? new ApiError('internal', 'The service had an internal fault.', { cause: error })
    const outcome = outcomeOf(refusal)
    if (isGuard(outcome) && this.#file !== undefined) {
      const refusalWithFile = await this.#holdRefused(this.#file, outcome, refusal)
      if (refusalWithFile !== undefined) return refusalWithFile
    }
    this.#drop()
    if (outcome === null) return error
    const { errors } = refusal.details
    const summary = new ErrorSummary(this.#catalog.type, listedErrors(refusal))
    if (errors !== undefined && Symbol.asyncIterator in errors) {
      // They are made while they are sent, and can be counted then only.
      const lists = summary.countAll(errors, () => this.#insertRefusal(outcome, refusal, summary))
      return new ApiError(refusal.code, refusal.message, { ...refusal.details, errors: lists })
    }
    await this.#insertRefusal(outcome, refusal, summary)
    return error
  }

  /** The refusal that names the file; undefined if the file cannot wait. */
  async #holdRefused(file: HoldableFile, guard: Guard, refusal: ApiError): Promise<ApiError | undefined> {
    const summary = new ErrorSummary(this.#catalog.type, listedErrors(refusal))
    try {
      const upload = await this.#hold(file, guard, refusal.message, summary)
      const errors = listedErrors(refusal).map((item) => (item.code === guard ? { ...item, ...upload } : item))
      const message =
        `${refusal.message} The file waits until ${upload.held_until} as upload ${upload.upload_id}, and can be ` +
        'written without being sent again.'
      return new ApiError(refusal.code, message, { ...refusal.details, errors })
    } catch (error) {
      this.#warn('upload: the refused file is not kept', error)
      return undefined
    }
  }

  async #hold(file: HoldableFile, heldFor: HeldFor, message: string, summary: ErrorSummary): Promise<HeldUpload> {
    const { db, catalogKey } = this.#catalog
    await this.#store(file)
    const seconds = heldFor === 'dry_run' ? HELD_DRY_RUN_SECONDS : HELD_REFUSAL_SECONDS
    const heldUntil = this.#now + 1000 * seconds
    const { contentType, parameters } = file
    const { mode } = this.#query
    const sha256 = await sha256Hex(file.bytes)
    const statements = holdStatements(catalogKey, this.#upload('held', message, summary), {
      held_for: heldFor,
      held_until: heldUntil,
      parameters: JSON.stringify(parameters),
      content_type: contentType,
      sha256,
      request_digest: await requestDigest({ mode, ...parameters }, {}, contentType, sha256),
    })
    const [, expiredRows, , heldRows] = await this.#insert(() => db.batch(statements))
    const { upload_id, held_until } = firstOf(heldRows)
    const bucket = bucketOf(this.#c)
    // The same file waits already.
    const unusedIds = upload_id === this.#id ? [] : [this.#id]
    this.#afterwards(deleteHeld(bucket, [...unusedIds, ...expiredRows.map((row) => row.upload_id)]))
    return { upload_id, held_until: new Date(held_until ?? heldUntil).toISOString() }
  }

  /** The row may be there after a fault. Then the file is left to the scheduled run, which knows. */
  async #insert<T>(insert: () => Promise<T>): Promise<T> {
    try {
      return await withinQuota(() => this.#catalog.db.retry(insert))
    } catch (error) {
      if (!wasRolledBack(error)) this.#storage = undefined
      throw error
    }
  }

  #upload(outcome: NewUpload['outcome'], message: string, summary: ErrorSummary): NewUpload {
    const { format = null, fileName = null, sizeBytes = null } = this.#fileFacts ?? {}
    return {
      upload_id: this.#id,
      created_at: this.#now,
      created_by: this.#c.var.caller.actor,
      request_id: this.#c.var.requestId,
      mode: this.#query.mode,
      format,
      file_name: fileName,
      size_bytes: sizeBytes,
      outcome,
      message,
      error_count: summary.total,
      errors: summary.mostFrequent,
    }
  }

  /** One round trip. The answer waits for it, but not for long. */
  async #insertRefusal(outcome: RefusedOutcome, refusal: ApiError, summary: ErrorSummary): Promise<void> {
    const { db, catalogKey } = this.#catalog
    const upload = this.#upload(outcome, summary.storableMessage(refusal.message), summary)
    const insertion = db
      .batchEnding(refusalStatements(catalogKey, upload))
      .catch((error: unknown) => this.#warn('upload: the refusal is not listed', error))
    this.#afterwards(insertion)
    await withinTime(insertion, RECORDING_MS, () => undefined)
  }

  #warn(warning: string, error: unknown): void {
    logLine({ request_id: this.#c.var.requestId, warning, error: nameOf(error) })
  }

  #afterwards(work: Promise<unknown>): void {
    this.#c.executionCtx.waitUntil(
      work.catch((error: unknown) => this.#warn('upload: left to the scheduled run', error)),
    )
  }
}

/** What would stop the write of a dry run: why its file waits. */
const guardErrors = ({ shrink_guard, emptied_guard = [] }: WriteAnswer['data']): ErrorItem[] => [
  ...(shrink_guard === undefined ? [] : [shrink_guard]),
  ...emptied_guard,
]
