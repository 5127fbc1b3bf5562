import { isStale } from '#client/service-error'
import type { ErrorChoice } from '#files/check/error-choice'
import { type FileSummary, isDecided } from '#files/file-summary'
import type { FileWork } from '#files/file-work'
import type { FileReading, Findings } from '#files/findings'
import type { OutputFile } from '#files/fix/errors-file'
import type { CellEdit } from '#files/fix/table'
import { savedAnswers } from '#files/saved-answers'
import { asError } from '#shared/errors/errors'
import type { ChangeKind } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import type { WorkerHandle } from '../../worker-handle'
import type { AnswerMemory } from './answer-memory'
import { ChosenFile, type RemoteFileWork, startFileWorker } from './chosen-file'
import { FileCheck } from './file-check'
import type { UploadClient } from './held-file'
import { isBeingWritten, type Mode, type Progress, type Stage, type Writing } from './stage'
import { type Step, UploadStore } from './upload-store'

/**
 * Takes one file from selection to write: reads it, checks it in the page and by a dry run, and writes exactly the
 * checked content. A new step aborts the previous step. Independent of React.
 */
export class UploadProcess {
  readonly #type: RecordType
  readonly #memory: AnswerMemory
  readonly #startWorker: () => WorkerHandle<FileWork>
  readonly #store = new UploadStore()
  #file: ChosenFile | undefined
  /** Cell edits that are not yet in the worker. */
  #edits: CellEdit[] = []
  #isEditing = false
  readonly #check: FileCheck

  constructor(
    client: UploadClient,
    type: RecordType,
    memory: AnswerMemory,
    startWorker: () => WorkerHandle<FileWork> = startFileWorker,
  ) {
    this.#type = type
    this.#memory = memory
    this.#startWorker = startWorker
    const rowAccess = { work: () => this.work, takeEdits: () => this.#edits.splice(0) }
    this.#check = new FileCheck(client, type, this.#store, rowAccess)
  }

  /** The current state: a new object after every change. */
  readonly state = this.#store.state
  readonly subscribe = this.#store.subscribe

  /** The chosen file, unchanged, as long as it is not written. */
  get file(): File | undefined {
    return this.#store.stage.is === 'written' ? undefined : this.#file?.file
  }

  /** The file's rows in the worker. @throws Error if no file is chosen */
  get work(): RemoteFileWork {
    if (this.#file === undefined) throw new Error('no file is chosen')
    return this.#file.work
  }

  async choose(file: File): Promise<void> {
    const step = this.#store.begin()
    const { stage } = this.#store
    const earlier = 'file' in stage ? savedAnswers(stage.file) : undefined
    this.#forget()
    const chosenFile = new ChosenFile(file, this.#type.name, this.#memory, earlier)
    this.#file = chosenFile
    step.show({ is: 'reading', name: file.name }, { sheets: undefined })
    // Starting a worker is also a long task, so let the browser paint first.
    await new Promise((resolve) => setTimeout(resolve))
    if (step.isLast()) await this.#readAndCheck(step, chosenFile, () => chosenFile.open(this.#startWorker))
  }

  /** Applies the user's answer, then reads and checks the file again. */
  async changeReading(change: (file: ChosenFile) => void): Promise<void> {
    const file = this.#file
    if (file === undefined || isBeingWritten(this.#store.stage)) return
    change(file)
    await this.#readAndCheck(this.#store.begin(), file, () => file.read())
  }

  /** Like `changeReading`, for answers without their own method. */
  answer(answers: Parameters<ChosenFile['answer']>[0]): Promise<void> {
    return this.changeReading((file) => file.answer(answers))
  }

  /** Continues with the current column mapping. */
  async confirmColumns(): Promise<void> {
    const stage = this.#store.stage
    if (stage.is !== 'asking') return
    this.#file?.answer({ hasRightColumns: true })
    this.#store.set({ stage: { is: 'asking', file: { ...stage.file, hasRightColumns: true } } })
    await this.check()
  }

  /** Asks the service what the file would change. Does nothing while a question about the file is open. */
  async check(): Promise<void> {
    const stage = this.#store.stage
    if ('file' in stage && isDecided(stage.file)) await this.#check.run(stage.file)
  }

  /** Sets whether the file adds to the catalog or replaces it, and checks the file again. */
  async changeMode(mode: Mode): Promise<void> {
    const stage = this.#store.stage
    // Do not change a write that was already confirmed.
    if (isBeingWritten(stage)) return
    this.#store.set({ mode })
    this.#check.discardSender()
    // A reconcile would deactivate the records of excluded rows.
    if (mode === 'reconcile' && 'file' in stage) await this.work.takeBackRows()
    await this.check()
  }

  /** Sets whether fields without a column keep their values, and checks the file again. */
  async changeKeeping(keepsMissing: boolean): Promise<void> {
    if (isBeingWritten(this.#store.stage)) return
    this.#store.set({ keepsMissing })
    await this.check()
  }

  /** Changes rows of a file with errors. The file is only sent when the user continues. */
  async fix(change: (work: RemoteFileWork) => Promise<Findings>): Promise<void> {
    const stage = this.#store.stage
    if (stage.is !== 'faulty') return
    const step = this.#store.begin()
    this.#check.discardSender()
    try {
      this.#check.showErrors(step, stage.file, await change(this.work))
    } catch (error) {
      this.#check.showFailure(step, stage, error)
    }
  }

  /** Edits cells of a file with errors. Edits made while others are being checked are queued and applied together. */
  async edit(edits: readonly CellEdit[]): Promise<void> {
    this.#edits.push(...edits)
    // The loop below, already running, also applies these.
    if (this.#isEditing) return
    this.#isEditing = true
    while (this.#edits.length > 0 && this.#store.stage.is === 'faulty') {
      const next = this.#edits.splice(0)
      await this.fix((work) => work.edit(next))
    }
    this.#isEditing = false
  }

  /** Excludes rows with errors. Never for a whole catalog, because a reconcile would deactivate their records. */
  async leaveOut(choice: ErrorChoice): Promise<void> {
    if (this.#store.state().mode === 'upsert') await this.fix((work) => work.leaveOut(choice))
  }

  /** Excludes all rows with errors, and checks the others. */
  async leaveOutFailing(): Promise<void> {
    await this.leaveOut({})
    const stage = this.#store.stage
    if (stage.is === 'faulty' && stage.failure === undefined) await this.check()
  }

  /** Changes rows of a checked file, and checks it again. */
  async changeChecked(change: (work: RemoteFileWork) => Promise<Findings>): Promise<void> {
    const stage = this.#store.stage
    if (stage.is !== 'checked') return
    const { file } = stage
    const step = this.#store.begin()
    this.#check.discardSender()
    step.show({ is: 'preparing', file })
    try {
      await change(this.work)
      if (step.isLast()) await this.#check.run(file)
    } catch (error) {
      step.show({ is: 'notChecked', file, error: asError(error) })
    }
  }

  /** Writes the checked file. If the catalog has changed since, checks again. */
  async commit(confirmShrink: boolean): Promise<void> {
    const stage = this.#store.stage
    if (stage.is !== 'checked') return
    const { file, check, changes } = stage
    await this.#write(file, { check, confirmShrink, changes })
  }

  /** Sends the parts again that were not written or got no response. No part is written twice. */
  async retryWrite(): Promise<void> {
    const stage = this.#store.stage
    if (stage.is === 'interrupted') await this.#write(stage.file, stage.retry)
  }

  async #write(file: FileSummary, writing: Writing): Promise<void> {
    const sender = this.#check.sender
    if (sender === undefined) return
    const { check, confirmShrink, changes } = writing
    const step = this.#store.begin()
    const watch = {
      signal: step.signal,
      onProgress: (progress: Progress) => step.show({ is: 'writing', file, check, progress }),
    }
    try {
      // Created before the write, because the user may choose another file as soon as this one is written.
      const failing = changes.leftOut === 0 ? {} : { failing: await this.work.errorsFile({ onlyFailing: true }) }
      const result = await sender.write(check, confirmShrink, watch)
      await this.#file?.rememberAnswers(file)
      const isOneWrite = sender.parts.length === 1
      step.show({ is: 'written', result, isOneWrite, leftOut: changes.leftOut, ...failing })
    } catch (error) {
      if (isStale(error) && step.isLast()) return await this.#check.run(file, { isChangedByOthers: true })
      const { remainder } = sender
      step.show({ is: 'interrupted', file, error: asError(error), remainder, retry: writing })
    }
  }

  /** The file with its errors. Stores the answers, because the user may correct the file and choose it again. */
  async errorsFile(rows: { onlyFailing: boolean }): Promise<OutputFile> {
    const { stage } = this.#store
    if ('file' in stage) await this.#file?.rememberAnswers(stage.file)
    return this.work.errorsFile(rows)
  }

  /** The full list of changes, or those of one kind, as CSV. @throws ServiceError */
  changeList(change: ChangeKind | undefined): Promise<Blob> {
    const stage = this.#store.stage
    if (stage.is !== 'checked' || this.#check.sender === undefined) throw new Error('nothing is checked')
    return this.#check.sender.changeList(change, stage.check)
  }

  reset(): void {
    this.#store.begin().show({ is: 'empty' }, { sheets: undefined })
    this.#forget()
  }

  end(): void {
    this.#store.abort()
    this.#file?.end()
  }

  #forget(): void {
    this.#file?.end()
    this.#file = undefined
    this.#check.discardSender()
    this.#edits = []
    this.#isEditing = false
  }

  /** Reads the file, shows the result, and checks it. */
  async #readAndCheck(step: Step, chosenFile: ChosenFile, read: () => Promise<FileReading>): Promise<void> {
    this.#check.discardSender()
    try {
      const { file, ids } = await read()
      if (step.isLast()) this.#check.ids = ids
      step.show({ is: 'asking', file }, { sheets: chosenFile.sheets })
    } catch (error) {
      const stage: Stage = { is: 'unreadable', name: chosenFile.file.name, error: asError(error) }
      step.show(stage, { sheets: chosenFile.sheets })
    }
    if (step.isLast()) await this.check()
  }
}
