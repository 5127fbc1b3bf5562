import { isStale } from '#client/service-error'
import type { ErrorChoice } from '#files/check/error-choice'
import { type FileSummary, isDecided } from '#files/file-summary'
import type { FileReading, FileWork, Findings } from '#files/file-work'
import type { CellEdit } from '#files/fix/table'
import { asError } from '#shared/errors/errors'
import type { Change } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import type { WorkerHandle } from '../../worker-handle'
import { type ColumnMemory, NO_MEMORY } from './column-memory'
import { FileCheck } from './file-check'
import type { UploadClient } from './held-file'
import { isUnderWay, type Mode, type Progress, type Stage, type Writing } from './stage'
import { type RemoteFileWork, startFileWorker, UploadFile } from './upload-file'
import { type Step, UploadStore } from './upload-store'

/**
 * The way of one file into a catalog: it is read, checked in the page and by a dry run, and then written as it was
 * checked. Each step ends the one before it. Knows nothing of React.
 */
export class UploadProcess {
  readonly #type: RecordType
  readonly #columns: ColumnMemory
  readonly #startWorker: () => WorkerHandle<FileWork>
  readonly #store = new UploadStore()
  #file: UploadFile | undefined
  /** Changes of cells that the worker does not have yet. */
  #edits: CellEdit[] = []
  /** Whether the worker is changing cells. */
  #isEditing = false
  readonly #check: FileCheck

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
    this.#type = type
    this.#columns = columns
    this.#startWorker = startWorker
    const rows = { work: () => this.work, takeEdits: () => this.#edits.splice(0) }
    this.#check = new FileCheck(client, type, this.#store, rows)
  }

  /** Another object after every change. */
  readonly state = this.#store.state
  readonly subscribe = this.#store.subscribe

  /** The file that was chosen and is not written yet, as the browser gave it. */
  get file(): File | undefined {
    return this.#store.stage.is === 'written' ? undefined : this.#file?.file
  }

  /** The work on the rows of the file. @throws Error if no file is chosen */
  get work(): RemoteFileWork {
    if (this.#file === undefined) throw new Error('no file is chosen')
    return this.#file.work
  }

  async choose(file: File): Promise<void> {
    const step = this.#store.begin()
    this.#forget()
    const uploadFile = new UploadFile(file, this.#type.name, this.#columns)
    this.#file = uploadFile
    step.show({ is: 'reading', name: file.name }, { sheets: undefined })
    // To start a worker is a long task too: what was shown is painted first.
    await new Promise((resolve) => setTimeout(resolve))
    if (step.isLast()) await this.#take(step, uploadFile, () => uploadFile.open(this.#startWorker))
  }

  /** Takes what the person says of the file, reads it so once more, and checks it. */
  async answer(change: (file: UploadFile) => void): Promise<void> {
    const file = this.#file
    if (file === undefined || isUnderWay(this.#store.stage)) return
    change(file)
    await this.#take(this.#store.begin(), file, () => file.read())
  }

  /** Takes an answer about the file, as `answer` does. */
  say(answers: Parameters<UploadFile['say']>[0]): Promise<void> {
    return this.answer((file) => file.say(answers))
  }

  /** Goes on with the columns as they are shown. */
  async confirmColumns(): Promise<void> {
    const stage = this.#store.stage
    if (stage.is !== 'asking') return
    this.#file?.confirmColumns()
    this.#store.set({ stage: { is: 'asking', file: { ...stage.file, hasRightColumns: true } } })
    await this.check()
  }

  /** Asks the service, once more, what the file would change. */
  async check(): Promise<void> {
    const stage = this.#store.stage
    if ('file' in stage && isDecided(stage.file, this.#type)) await this.#check.run(stage.file)
  }

  /** A file that was checked is checked again. */
  async changeMode(mode: Mode): Promise<void> {
    const stage = this.#store.stage
    // What is being written is what was confirmed.
    if (isUnderWay(stage)) return
    this.#store.set({ mode })
    // A part of a file may be added, and is no whole catalog; a row that is left out would be deactivated.
    this.#check.forgetDelivery()
    if (mode === 'reconcile' && 'file' in stage) await this.work.takeBackRows()
    await this.check()
  }

  /** Whether fields that the file has no column for keep their values. A file that was checked is checked again. */
  async changeKeeping(keepsMissing: boolean): Promise<void> {
    if (isUnderWay(this.#store.stage)) return
    this.#store.set({ keepsMissing })
    await this.check()
  }

  /** Changes rows of a file with errors. It is sent when the person goes on. */
  async fix(change: (work: RemoteFileWork) => Promise<Findings>): Promise<void> {
    const stage = this.#store.stage
    if (stage.is !== 'faulty') return
    const step = this.#store.begin()
    this.#check.forgetDelivery()
    try {
      this.#check.showErrors(step, stage.file, await change(this.work))
    } catch (error) {
      this.#check.showFailure(step, stage, error)
    }
  }

  /** Changes cells of a file with errors. Those that are typed while others are checked are checked together. */
  async edit(edits: readonly CellEdit[]): Promise<void> {
    this.#edits.push(...edits)
    if (this.#isEditing) return
    this.#isEditing = true
    while (this.#edits.length > 0 && this.#store.stage.is === 'faulty') {
      const next = this.#edits.splice(0)
      await this.fix((work) => work.edit(next))
    }
    this.#isEditing = false
  }

  /** Leaves out rows that have errors. Of a whole catalog none is left out: its record would be deactivated. */
  async leaveOut(choice: ErrorChoice): Promise<void> {
    if (this.#store.state().mode === 'upsert') await this.fix((work) => work.leaveOut(choice))
  }

  /** Leaves out all rows that have errors, and checks the others. */
  async leaveOutFailing(): Promise<void> {
    await this.leaveOut({})
    const stage = this.#store.stage
    if (stage.is === 'faulty' && stage.failure === undefined) await this.check()
  }

  /** Changes rows of a file that was checked, and checks it again. */
  async changeChecked(change: (work: RemoteFileWork) => Promise<Findings>): Promise<void> {
    const stage = this.#store.stage
    if (stage.is !== 'checked') return
    const { file } = stage
    const step = this.#store.begin()
    this.#check.forgetDelivery()
    step.show({ is: 'validating', file })
    try {
      await change(this.work)
      if (step.isLast()) await this.#check.run(file)
    } catch (error) {
      step.show({ is: 'refused', file, error: asError(error) })
    }
  }

  /** Writes what was checked, on the catalog as it was then. */
  async commit(confirmShrink: boolean): Promise<void> {
    const stage = this.#store.stage
    if (stage.is !== 'checked') return
    const { file, check, changes } = stage
    await this.#write(file, { check, confirmShrink, changes })
  }

  /** Sends what was not written, or not answered, once more. What was written is not written again. */
  async writeAgain(): Promise<void> {
    const stage = this.#store.stage
    if (stage.is === 'interrupted') await this.#write(stage.file, stage.again)
  }

  async #write(file: FileSummary, writing: Writing): Promise<void> {
    const delivery = this.#check.delivery
    if (delivery === undefined) return
    const { check, confirmShrink, changes } = writing
    const step = this.#store.begin()
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
      if (isStale(error) && step.isLast()) return await this.#check.run(file, true)
      const { remainder } = delivery
      step.show({ is: 'interrupted', file, error: asError(error), remainder, again: writing })
    }
  }

  /**
   * The full list of what changes, or of one kind of change, as CSV. @throws ServiceError, also when the catalog has
   * moved on
   */
  listOf(change: Change | undefined): Promise<Blob> {
    const stage = this.#store.stage
    if (stage.is !== 'checked' || this.#check.delivery === undefined) throw new Error('nothing is checked')
    return this.#check.delivery.listOf(change, stage.check)
  }

  reset(): void {
    this.#store.begin().show({ is: 'empty' }, { sheets: undefined })
    this.#forget()
  }

  /** Ends what is under way. */
  end(): void {
    this.#store.abort()
    this.#file?.end()
  }

  #forget(): void {
    this.#file?.end()
    this.#file = undefined
    this.#check.forgetDelivery()
    this.#edits = []
    this.#isEditing = false
  }

  /** Takes what is read of the file, and checks it. */
  async #take(step: Step, uploadFile: UploadFile, read: () => Promise<FileReading>): Promise<void> {
    this.#check.forgetDelivery()
    try {
      const { file, ids } = await read()
      if (step.isLast()) this.#check.ids = ids
      step.show({ is: 'asking', file }, { sheets: uploadFile.sheets })
    } catch (error) {
      const stage: Stage = { is: 'unreadable', name: uploadFile.file.name, error: asError(error) }
      step.show(stage, { sheets: uploadFile.sheets })
    }
    if (step.isLast()) await this.check()
  }
}
