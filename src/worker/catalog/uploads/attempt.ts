import { PERSON_PREFIX } from '#shared/access/caller'
import { ApiError, apiErrorOf, type ErrorItem } from '#shared/errors/errors'
import { logLine } from '#shared/errors/log-line'
import { HELD_DRY_RUN_SECONDS, HELD_REFUSAL_SECONDS } from '#shared/limits'
import type { Catalog } from '#worker/catalog/catalog'
import type { WriteAnswer } from '#worker/catalog/write/request'
import { type ReceivedUpload, receiveUpload } from '#worker/catalog/write/upload'
import { bodyOf } from '#worker/http/body/body'
import { BodyCopy, NotCopiedError } from '#worker/http/body/body-copy'
import type { AppContext } from '#worker/http/context'
import { wasRolledBack } from '#worker/storage/d1'
import { firstOf } from '#worker/storage/database'
import { withinQuota } from '#worker/storage/quotas'
import { ErrorSummary } from './error-summary'
import { deleteHeld, heldKey } from './held-files'
import { internalFault, itemsOf, outcomeOf, type RefusedOutcome } from './refused-outcome'
import { type HeldBody, holdStatements, type NewUpload, noteStatements } from './sql/note'
import type { HeldFor } from './sql/rows'

/** What a request to write says of itself. */
export interface AttemptQuery {
  mode: 'upsert' | 'reconcile'
  dry_run?: boolean | undefined
  confirm_shrink?: boolean | undefined
  max_shrink?: number | undefined
  max_emptied?: number | undefined
  allow_emptied?: string[] | undefined
  keep_missing?: boolean | undefined
  hold?: boolean | undefined
}

/** Milliseconds for which a refusal waits until it is in the list of uploads: several trips. */
const NOTE_PATIENCE_MS = 2000

/** A file that waits now. */
export interface Held {
  upload_id: string
  held_until: string
}

/**
 * One request to write, for the list of uploads: it notes a refusal, and keeps the file if that is wanted. Neither ever
 * changes what becomes of the request.
 */
export class UploadAttempt {
  readonly #c: AppContext
  readonly #catalog: Catalog
  readonly #query: AttemptQuery
  readonly #id = crypto.randomUUID()
  readonly #now = Date.now()
  readonly #byProgram: boolean
  /** Undefined when nothing is copied, or when the row of the upload decides what becomes of the copy. */
  #copy: BodyCopy | undefined
  #received: Pick<ReceivedUpload, 'format' | 'fileName' | 'sizeBytes'> | undefined

  constructor(c: AppContext, catalog: Catalog, query: AttemptQuery) {
    this.#c = c
    this.#catalog = catalog
    this.#query = query
    const { actor, partner } = c.var.caller
    this.#byProgram = partner === undefined && !actor.startsWith(PERSON_PREFIX)
    if (this.#mayWait()) {
      this.#copy = new BodyCopy(c.env.DOCUMENTS, heldKey(this.#id), c.req.header('Content-Type') ?? '')
    }
  }

  /** Only a guard makes a file wait that nobody asked to hold. */
  #mayWait(): boolean {
    const { mode, dry_run, confirm_shrink, max_emptied, hold } = this.#query
    if (dry_run) return hold === true
    const isGuarded = !confirm_shrink || max_emptied !== undefined
    return this.#byProgram && mode === 'reconcile' && isGuarded && hold !== false
  }

  /** Writes. A refusal is noted. @throws what `write` throws; a refusal of a guard may name the file */
  async write<T>(write: (received: ReceivedUpload) => Promise<T>): Promise<T> {
    try {
      return await write(await this.#receive())
    } catch (error) {
      throw await this.#refused(error)
    }
  }

  /** Tries a write, and holds its file if that is wanted. @throws ApiError also 409 for the quota, 503 for the store */
  async dryRun(dryRun: (received: ReceivedUpload) => Promise<WriteAnswer>): Promise<WriteAnswer> {
    try {
      const received = await this.#receive()
      const copy = this.#copy
      // Meanwhile.
      copy?.store()
      const answer = await dryRun(received)
      if (copy === undefined) return answer
      const held = await this.#hold(
        copy,
        'dry_run',
        answer.message,
        new ErrorSummary(this.#catalog.type, guardErrors(answer.data)),
      )
      return { ...answer, data: { ...answer.data, ...held } }
    } catch (error) {
      this.#dropCopy()
      throw error instanceof NotCopiedError ? notHeld(error) : error
    }
  }

  /** The body is kept, if its file may have to wait. */
  async #receive(): Promise<ReceivedUpload> {
    const received = await receiveUpload(this.#c, { ...bodyOf(this.#c), copy: this.#copy })
    const { format, fileName, sizeBytes } = received
    this.#received = { format, fileName, sizeBytes }
    return received
  }

  #dropCopy(): void {
    if (this.#copy !== undefined) this.#afterwards(this.#copy.drop())
  }

  /**
   * Notes a refusal, and holds the file if a guard has stopped a program.
   *
   * @returns what is to be thrown
   */
  async #refused(error: unknown): Promise<unknown> {
    const refusal = apiErrorOf(error) ?? internalFault(error)
    const outcome = outcomeOf(refusal)
    if ((outcome === 'shrink_guard' || outcome === 'emptied_guard') && this.#copy !== undefined) {
      const waiting = await this.#holdRefused(this.#copy, outcome, refusal)
      if (waiting !== undefined) return waiting
    }
    this.#dropCopy()
    if (outcome === null) return error
    const { errors } = refusal.details
    const summary = new ErrorSummary(this.#catalog.type, itemsOf(refusal))
    if (errors !== undefined && !Array.isArray(errors)) {
      // They are made while they are sent, and can be counted then only.
      const whenMade = () => this.#note(outcome, refusal, summary)
      return new ApiError(refusal.code, refusal.message, {
        ...refusal.details,
        errors: summary.following(errors),
        whenMade,
      })
    }
    await this.#note(outcome, refusal, summary)
    return error
  }

  /** The refusal that names the file; undefined if the file cannot wait. */
  async #holdRefused(
    copy: BodyCopy,
    guard: 'shrink_guard' | 'emptied_guard',
    refusal: ApiError,
  ): Promise<ApiError | undefined> {
    const summary = new ErrorSummary(this.#catalog.type, itemsOf(refusal))
    try {
      const held = await this.#hold(copy, guard, refusal.message, summary)
      const errors = itemsOf(refusal).map((item) => (item.code === guard ? { ...item, ...held } : item))
      const message = `${refusal.message} The file waits until ${held.held_until} as upload ${held.upload_id}, and can be written without being sent again.`
      return new ApiError(refusal.code, message, { ...refusal.details, errors })
    } catch (error) {
      this.#warn('upload: the refused file is not kept', error)
      return undefined
    }
  }

  async #hold(copy: BodyCopy, heldFor: HeldFor, message: string, summary: ErrorSummary): Promise<Held> {
    const { db, scope } = this.#catalog
    const { confirm_shrink, max_shrink, max_emptied, allow_emptied, keep_missing } = this.#query
    const stored = await copy.store()
    const seconds = heldFor === 'dry_run' ? HELD_DRY_RUN_SECONDS : HELD_REFUSAL_SECONDS
    const body: HeldBody = {
      heldFor,
      heldUntil: this.#now + 1000 * seconds,
      confirmShrink: confirm_shrink ?? false,
      maxShrink: max_shrink ?? null,
      maxEmptied: max_emptied ?? null,
      allowEmptied: allow_emptied ?? null,
      keepMissing: keep_missing ?? false,
      contentType: this.#c.req.header('Content-Type') ?? '',
      storedBytes: stored.bytes,
      sha256: stored.sha256,
    }
    const upload = this.#upload('held', message, summary)
    this.#copy = undefined
    const [gone, , held] = await this.#insert(() => db.batch(holdStatements(scope, upload, body)), copy)
    const { upload_id } = firstOf(held)
    // The same file waits already.
    if (upload_id !== this.#id) this.#afterwards(copy.drop())
    const freed = gone.map((row) => row.upload_id)
    this.#afterwards(deleteHeld(this.#c.env.DOCUMENTS, freed))
    return { upload_id, held_until: new Date(body.heldUntil).toISOString() }
  }

  /** The row may be there after a fault. Then the copy is left to the scheduled run, which knows. */
  async #insert<T>(insert: () => Promise<T>, copy: BodyCopy): Promise<T> {
    try {
      return await withinQuota(() => this.#catalog.db.retrying(insert))
    } catch (error) {
      if (wasRolledBack(error)) this.#afterwards(copy.drop())
      throw error
    }
  }

  #upload(outcome: NewUpload['outcome'], message: string, summary: ErrorSummary): NewUpload {
    const { format = null, fileName = null, sizeBytes = null } = this.#received ?? {}
    return {
      uploadId: this.#id,
      createdAt: this.#now,
      createdBy: this.#c.var.caller.actor,
      byProgram: this.#byProgram,
      mode: this.#query.mode,
      format,
      fileName,
      sizeBytes,
      outcome,
      message,
      errorCount: summary.total,
      errors: summary.mostFrequent,
      requestId: this.#c.var.requestId,
    }
  }

  /** One trip, which the answer waits for, but not for long. */
  async #note(outcome: RefusedOutcome, refusal: ApiError, summary: ErrorSummary): Promise<void> {
    const { db, scope } = this.#catalog
    const upload = this.#upload(outcome, summary.keptMessage(refusal.message), summary)
    const noted = db
      .batchEnding(noteStatements(scope, upload))
      .catch((error: unknown) => this.#warn('upload: the refusal is not listed', error))
    this.#afterwards(noted)
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, NOTE_PATIENCE_MS)
    await Promise.race([noted, late])
    clearTimeout(timer)
  }

  #warn(warning: string, error: unknown): void {
    logLine({
      request_id: this.#c.var.requestId,
      warning,
      error: error instanceof Error ? error.name : 'unknown',
    })
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

const notHeld = (cause: unknown): ApiError =>
  new ApiError(
    'unavailable',
    'The store for files that wait is not available at the moment, so the file is not held. Nothing was written; try again, or without hold=true.',
    { reason: 'file not held', cause },
  )
