import { isStale } from '#client/service-error'
import { type ChosenFile, isDecided, keepsInUse, missingColumns } from '#files/chosen-file'
import type { Changes, FileReading, FileWork, Findings } from '#files/file-work'
import type { CellEdit } from '#files/fix/table'
import { asError } from '#shared/errors/errors'
import type { Change } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import type { WorkerHandle } from '../../worker-handle'
import { findBetterCatalog } from './better-catalog'
import { Delivery, fieldErrorsOf } from './delivery'
import type { UploadClient } from './held-file'
import { type ColumnMemory, NO_MEMORY } from './remembered-columns'
import { type Check, isUnderWay, type Mode, type Progress, type Stage, type UploadState, type Writing } from './stage'
import { type RemoteFileWork, startFileWorker, UploadFile } from './upload-file'

/** One step of an upload. Another step ends it, and what it shows then is not shown any more. */
interface Step {
  show: (stage: Stage, more?: Partial<UploadState>) => void
  isLast: () => boolean
  signal: AbortSignal
}

/**
 * The way of one file into a catalog: it is read, checked in the page and by a dry run, and then written as it was
 * checked. Each step ends the one before it. Knows nothing of React.
 */
export class UploadProcess {
  readonly #client: UploadClient
  readonly #type: RecordType
  readonly #columns: ColumnMemory
  readonly #startWorker: () => WorkerHandle<FileWork>
  #state: UploadState = { stage: { is: 'empty' }, mode: 'upsert', keepsMissing: true }
  readonly #listeners = new Set<() => void>()
  #running = new AbortController()
  #file: UploadFile | undefined
  /** The file as it is sent; undefined until its rows have been checked as they are now. */
  #delivery: Delivery | undefined
  /** Changes of cells that the worker does not have yet. */
  #edits: CellEdit[] = []
  /** Ids that may tell which catalog is meant. */
  #ids: readonly string[] = []
  /** What was changed of the rows, when they were checked last. */
  #changes: Changes = { count: 0, leftOut: 0 }
  /** Grows with every change of the rows. */
  #version = 0

  /**
   * @param columns where the person has sent the columns of earlier files
   * @param startWorker starts the work on a file
   */
  constructor(
    client: UploadClient,
    type: RecordType,
    columns: ColumnMemory = NO_MEMORY,
    startWorker: () => WorkerHandle<FileWork> = startFileWorker,
  ) {
    this.#client = client
    this.#type = type
    this.#columns = columns
    this.#startWorker = startWorker
  }

  /** Another object after every change. */
  readonly state = (): UploadState => this.#state

  /** @returns ends the subscription */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The file that was chosen and is not written yet, as the browser gave it. */
  get file(): File | undefined {
    return this.#stage.is === 'written' ? undefined : this.#file?.file
  }

  /** The work on the rows of the file. @throws Error if no file is chosen */
  get work(): RemoteFileWork {
    if (this.#file === undefined) throw new Error('no file is chosen')
    return this.#file.work
  }

  async choose(file: File): Promise<void> {
    const step = this.#begin()
    this.#forget()
    const chosen = new UploadFile(file, this.#type.name, this.#columns)
    this.#file = chosen
    step.show({ is: 'reading', name: file.name }, { sheets: undefined })
    // To start a worker is a long task too: what was shown is painted first.
    await new Promise((resolve) => setTimeout(resolve))
    if (step.isLast()) await this.#take(step, chosen, () => chosen.open(this.#startWorker))
  }

  /** Takes what the person says of the file, reads it so once more, and checks it. */
  async answer(say: (file: UploadFile) => void): Promise<void> {
    const file = this.#file
    if (file === undefined || isUnderWay(this.#stage)) return
    say(file)
    await this.#take(this.#begin(), file, () => file.read())
  }

  /** Goes on with the columns as they are shown. */
  async confirmColumns(): Promise<void> {
    const stage = this.#stage
    if (stage.is !== 'asking') return
    this.#file?.confirmColumns()
    this.#set({ stage: { is: 'asking', file: { ...stage.file, hasRightColumns: true } } })
    await this.check()
  }

  /** Asks the service, once more, what the file would change. */
  async check(): Promise<void> {
    const stage = this.#stage
    if ('file' in stage && isDecided(stage.file, this.#type)) await this.#checkFile(stage.file)
  }

  /** A file that was checked is checked again. */
  async changeMode(mode: Mode): Promise<void> {
    const stage = this.#stage
    // What is being written is what was confirmed.
    if (isUnderWay(stage)) return
    this.#set({ mode })
    // A part of a file may be added, and is no whole catalog; a row that is left out would be deactivated.
    this.#forgetDelivery()
    if (mode === 'reconcile' && 'file' in stage) await this.work.takeBackRows()
    await this.check()
  }

  /** Whether fields that the file has no column for keep their values. A file that was checked is checked again. */
  async changeKeeping(keepsMissing: boolean): Promise<void> {
    if (isUnderWay(this.#stage)) return
    this.#set({ keepsMissing })
    await this.check()
  }

  /** Changes rows of a file with errors. It is sent when the person goes on. */
  async fix(change: (work: RemoteFileWork) => Promise<Findings>): Promise<void> {
    const stage = this.#stage
    if (stage.is !== 'faulty') return
    const step = this.#begin()
    this.#forgetDelivery()
    try {
      this.#showErrors(step, stage.file, await change(this.work))
    } catch (error) {
      step.show({ ...stage, failure: asError(error) })
    }
  }

  /** Changes cells of a file with errors. Those that are typed while others are checked are checked together. */
  async edit(edits: readonly CellEdit[]): Promise<void> {
    this.#edits.push(...edits)
    if (this.#edits.length > edits.length) return
    while (this.#edits.length > 0 && this.#stage.is === 'faulty') {
      const next = this.#edits.slice()
      await this.fix(async (work) => {
        const errors = await work.edit(next)
        this.#edits.splice(0, next.length)
        return errors
      })
    }
  }

  /** Leaves out the rows that have errors, and checks the others. */
  async leaveOutFailing(): Promise<void> {
    await this.fix((work) => work.leaveOut({}))
    await this.check()
  }

  /** Changes rows of a file that was checked, and checks it again. */
  async changeChecked(change: (work: RemoteFileWork) => Promise<Findings>): Promise<void> {
    const stage = this.#stage
    if (stage.is !== 'checked') return
    const { file } = stage
    const step = this.#begin()
    this.#forgetDelivery()
    step.show({ is: 'validating', file })
    await change(this.work)
    if (step.isLast()) await this.#checkFile(file)
  }

  /** Writes what was checked, on the catalog as it was then. */
  async commit(confirmShrink: boolean): Promise<void> {
    const stage = this.#stage
    if (stage.is !== 'checked') return
    const { file, check, changes } = stage
    await this.#write(file, { check, confirmShrink, changes })
  }

  /** Sends what was not written, or not answered, once more. What was written is not written again. */
  async writeAgain(): Promise<void> {
    const stage = this.#stage
    if (stage.is === 'interrupted') await this.#write(stage.file, stage.again)
  }

  async #write(file: ChosenFile, writing: Writing): Promise<void> {
    const delivery = this.#delivery
    if (delivery === undefined) return
    const { check, confirmShrink, changes } = writing
    const step = this.#begin()
    const watch = {
      signal: step.signal,
      onProgress: (progress: Progress) => step.show({ is: 'writing', file, check, progress }),
    }
    try {
      // While the rows are at hand.
      const failing = changes.leftOut === 0 ? {} : { failing: await this.work.errorsFile(true) }
      const result = await delivery.write(check, confirmShrink, watch)
      this.#file?.rememberColumns(file)
      const isOneWrite = delivery.parts.length === 1
      step.show({ is: 'written', result, isOneWrite, leftOut: changes.leftOut, ...failing })
    } catch (error) {
      if (isStale(error) && step.isLast()) return await this.#checkFile(file, true)
      const { remainder } = delivery
      step.show({ is: 'interrupted', file, error: asError(error), remainder, again: writing })
    }
  }

  /**
   * The full list of what changes, or of one kind of change, as CSV. @throws ServiceError, also when the catalog has
   * moved on
   */
  listOf(change: Change | undefined): Promise<Blob> {
    const stage = this.#stage
    if (stage.is !== 'checked' || this.#delivery === undefined) throw new Error('nothing is checked')
    return this.#delivery.listOf(change, stage.check)
  }

  reset(): void {
    this.#begin().show({ is: 'empty' }, { sheets: undefined })
    this.#forget()
  }

  /** Ends what is under way. */
  end(): void {
    this.#running.abort()
    this.#file?.end()
  }

  get #stage(): Stage {
    return this.#state.stage
  }

  /** Ends the step before. */
  #begin(): Step {
    this.#running.abort()
    this.#running = new AbortController()
    const { signal } = this.#running
    return {
      show: (stage, more = {}) => {
        if (!signal.aborted) this.#set({ ...more, stage })
      },
      isLast: () => !signal.aborted,
      signal,
    }
  }

  #set(change: Partial<UploadState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  #forget(): void {
    this.#file?.end()
    this.#file = undefined
    this.#forgetDelivery()
    this.#edits = []
  }

  /** The file as it was sent is not the one that is written. */
  #forgetDelivery(): void {
    this.#delivery?.discard()
    this.#delivery = undefined
  }

  /** Takes what is read of the file, and checks it. */
  async #take(step: Step, chosen: UploadFile, read: () => Promise<FileReading>): Promise<void> {
    this.#forgetDelivery()
    try {
      const { file, ids } = await read()
      if (step.isLast()) this.#ids = ids
      step.show({ is: 'asking', file }, { sheets: chosen.sheets })
    } catch (error) {
      const stage: Stage = { is: 'unreadable', name: chosen.file.name, error: asError(error) }
      step.show(stage, { sheets: chosen.sheets })
    }
    if (step.isLast()) await this.check()
  }

  /** @param moved whether somebody else has changed the catalog since an earlier check */
  async #checkFile(file: ChosenFile, moved = false): Promise<void> {
    const step = this.#begin()
    try {
      const found = await this.#tryFile(step, file)
      if (found === 'moved') await this.#checkFile(file, true)
      else if (found !== 'ended') await this.#showCheck(step, file, found, moved)
    } catch (error) {
      await this.#refuse(step, file, error)
    }
  }

  /** Checks the rows in the page while the service looks at them. */
  async #tryFile(step: Step, file: ChosenFile): Promise<Check | 'moved' | 'ended'> {
    const onProgress = (progress: Progress) => step.show({ is: 'checking', file, progress })
    const watch = { signal: step.signal, onProgress }
    const delivery = this.#delivery ?? (await this.#prepare(step, file))
    if (!step.isLast()) return 'ended'
    const { mode, keepsMissing } = this.#state
    const choice = { mode, keepsMissing: keepsMissing && missingColumns(file, this.#type).length > 0 }
    const isWhole = delivery.parts.length === 1
    const early = isWhole ? delivery.check(choice, watch) : undefined
    early?.catch(() => undefined)
    if (this.#delivery === undefined && !(await this.#validate(step, file, choice.keepsMissing))) return 'ended'
    if (!isWhole && mode === 'reconcile') {
      step.show({ is: 'tooLarge', file })
      return 'ended'
    }
    this.#delivery = delivery
    const check = await (early ?? delivery.check(choice, watch))
    if (check === undefined) return 'moved'
    return (await this.#asksCatalog(step, file, check)) ? 'ended' : check
  }

  async #showCheck(step: Step, file: ChosenFile, check: Check, moved: boolean): Promise<void> {
    const delivery = this.#delivery
    if (!step.isLast() || delivery === undefined) return
    const unasked = check.reactivated === 0 ? [] : await this.work.unaskedIn(await delivery.reactivatedIds(check))
    if (!step.isLast()) return
    if (unasked.length > 0 && keepsInUse(file)) {
      this.#forgetDelivery()
      await this.work.leaveInactive(unasked)
      if (step.isLast()) await this.#checkFile(file, moved)
      return
    }
    const { examples = [] } = check.warnings.find(({ code }) => code === 'similar_id') ?? {}
    const similar = examples.length === 0 ? [] : await this.work.similarIds(examples)
    const missing = missingColumns(file, this.#type).map(({ name }) => name)
    const { remainder, waits } = delivery
    const changes = this.#changes
    step.show({ is: 'checked', file, check, moved, similar, unasked, missing, changes, remainder, waits })
  }

  /** The file as it is sent. */
  async #prepare(step: Step, file: ChosenFile): Promise<Delivery> {
    step.show({ is: 'validating', file })
    const parts = await this.work.parts(this.#edits.splice(0))
    return new Delivery(this.#client, this.#type.name, file.name, parts)
  }

  /** Checks the rows without the service. @returns whether the file can be sent, and is still to be */
  async #validate(step: Step, file: ChosenFile, keepsMissing: boolean): Promise<boolean> {
    const findings = await this.work.check(keepsMissing)
    if (!step.isLast()) return false
    this.#changes = findings.changes
    if (findings.errors === 0) return true
    if (await this.#asksCatalog(step, file, undefined)) return false
    // A new step, which ends what has been sent.
    this.#showErrors(this.#begin(), file, findings)
    return false
  }

  /**
   * Asks the person which catalog is meant, if another one knows the ids.
   *
   * @param check what the file would change; undefined if it has errors
   * @returns whether this step ends here
   */
  async #asksCatalog(step: Step, file: ChosenFile, check: Check | undefined): Promise<boolean> {
    if (this.#ids.length === 0) return false
    const better = await findBetterCatalog(this.#client, this.#type.name, this.#ids, check, step.signal)
    if (!step.isLast()) return true
    if (better === undefined) return false
    this.#forgetDelivery()
    // A new step, which ends what has been sent.
    this.#begin().show({ is: 'asking', file: { ...file, better } })
    return true
  }

  #showErrors(step: Step, file: ChosenFile, { changes, ...errors }: Findings): void {
    this.#version++
    step.show({ is: 'faulty', file, errors, changes, version: this.#version })
  }

  /** Shows what the service says against a file. */
  async #refuse(step: Step, file: ChosenFile, error: unknown): Promise<void> {
    if (!step.isLast()) return
    const found = fieldErrorsOf(error)
    if (found.length === 0) return step.show({ is: 'refused', file, error: asError(error) })
    this.#showErrors(step, file, await this.work.takeErrors(found, this.#delivery?.offset ?? 0))
  }
}
