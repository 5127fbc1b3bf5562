import { asError } from '#errors/as-error'
import { type ChosenFile, isDecided } from '#import/chosen-file'
import type { Changes, FileReading, Findings } from '#import/file-work'
import type { CellEdit } from '#import/fix/table'
import type { Change } from '#records/change'
import type { RecordType } from '#records/record-type'
import { isStale } from '../../service/failures'
import { Delivery, fieldErrorsOf, NotWritten, type UploadClient } from './delivery'
import { FileAtDesk } from './file-at-desk'
import { compareWithCatalog, withBetterCatalog } from './known-ids'
import { type ColumnMemory, NO_MEMORY } from './remembered-columns'
import { type FileDesk, type RemoteWork, startFileDesk } from './remote-work'
import { isUnderWay, type Mode, type Progress, type Stage, type UploadState } from './stage'
import { type Show, Steps } from './steps'

/** Why a file is not written, or not all of it, and whether that is known. */
const failureOf = (error: unknown): { error: Error; isKnown: boolean } =>
  error instanceof NotWritten
    ? { error: error.cause, isKnown: error.isKnown }
    : { error: asError(error), isKnown: true }

/**
 * The way of one file into a catalog: it is read, checked in the page and by a dry run, and then written as it was checked.
 * Each step ends the one before it, whose answer is no longer shown. Knows nothing of React.
 */
export class UploadProcess extends Steps<UploadState> {
  readonly #client: UploadClient
  readonly #type: RecordType
  readonly #columns: ColumnMemory
  readonly #startDesk: () => FileDesk
  #desk: FileAtDesk | undefined
  /** The file as it is sent; undefined until its rows have been checked as they are now. */
  #delivery: Delivery | undefined
  /** What was changed of the rows, when they were checked last. */
  #changes: Changes = { count: 0, leftOut: 0 }
  /** Changes of cells that the worker does not have yet. */
  #edits: CellEdit[] = []
  /** Grows with every change of the rows. */
  #version = 0

  /**
   * @param columns where the person has sent the columns of earlier files
   * @param startDesk starts the work on a file
   */
  constructor(
    client: UploadClient,
    type: RecordType,
    columns: ColumnMemory = NO_MEMORY,
    startDesk: () => FileDesk = startFileDesk,
  ) {
    super({ stage: { is: 'empty' }, mode: 'upsert' })
    this.#client = client
    this.#type = type
    this.#columns = columns
    this.#startDesk = startDesk
  }

  /** The file that was chosen and is not written yet, as the browser gave it. */
  get file(): File | undefined {
    return this.#stage.is === 'written' ? undefined : this.#desk?.file
  }

  /** The work on the rows of the file. @throws Error if no file is chosen */
  get work(): RemoteWork {
    if (this.#desk === undefined) throw new Error('no file is chosen')
    return this.#desk.work
  }

  async choose(file: File): Promise<void> {
    const show = this.begin()
    this.#forget()
    const desk = new FileAtDesk(file, this.#type.name, this.#columns)
    this.#desk = desk
    show({ stage: { is: 'reading', name: file.name }, mode: this.state().mode })
    await this.#take(show, desk, () => desk.open(this.#startDesk))
  }

  /** Takes what the person says of the file, reads it so once more, and checks it. */
  async answer(say: (desk: FileAtDesk) => void): Promise<void> {
    const desk = this.#desk
    if (desk === undefined || isUnderWay(this.#stage)) return
    say(desk)
    await this.#take(this.begin(), desk, () => desk.read())
  }

  /** Goes on with the columns as they are shown. */
  async confirmColumns(): Promise<void> {
    const stage = this.#stage
    if (stage.is !== 'asking') return
    this.#desk?.confirmColumns()
    const file = { ...stage.file, hasRightColumns: true }
    this.set({ ...this.state(), stage: { is: 'asking', file } })
    await this.check()
  }

  /** A file that was checked is checked again. */
  async changeMode(mode: Mode): Promise<void> {
    const stage = this.#stage
    // What is being written is what was confirmed.
    if (isUnderWay(stage)) return
    this.set({ ...this.state(), mode })
    // A part of a file may be added, and is no whole catalog; a row that is left out would be deactivated.
    this.#delivery = undefined
    if (mode === 'reconcile' && 'file' in stage) await this.work.takeBackRows()
    await this.check()
  }

  /** Asks the service, once more, what the file would change. */
  async check(): Promise<void> {
    const stage = this.#stage
    if ('file' in stage && isDecided(stage.file, this.#type)) await this.#check(stage.file)
  }

  /** Changes rows of a file with errors. It is sent when the person goes on. */
  async fix(change: (work: RemoteWork) => Promise<Findings>): Promise<void> {
    const stage = this.#stage
    if (stage.is !== 'faulty') return
    const show = this.begin()
    this.#delivery = undefined
    try {
      this.#showErrors(show, stage.file, await change(this.work))
    } catch (error) {
      this.#show(show, { ...stage, failure: asError(error) })
    }
  }

  /** Changes cells of a file with errors. Those that are typed while others are checked are checked together. */
  async edit(edits: readonly CellEdit[]): Promise<void> {
    this.#edits.push(...edits)
    if (this.#edits.length > edits.length) return
    while (this.#edits.length > 0 && this.#stage.is === 'faulty') {
      const batch = this.#edits.slice()
      await this.fix(async (work) => {
        const errors = await work.edit(batch)
        this.#edits.splice(0, batch.length)
        return errors
      })
    }
  }

  /** Leaves out the rows that have errors, and checks the others. */
  async leaveOutFailing(): Promise<void> {
    await this.fix((work) => work.leaveOut({}))
    await this.check()
  }

  /** Writes what was checked, on the catalog as it was then. */
  async commit(confirmShrink: boolean): Promise<void> {
    const stage = this.#stage
    const delivery = this.#delivery
    if (stage.is !== 'checked' || delivery === undefined) return
    const { file, check, changes } = stage
    const show = this.begin()
    let isFound = false
    const watch = {
      signal: show.signal,
      onProgress: (progress: Progress) => this.#show(show, { is: 'writing', file, check, progress }),
      onLost: () => {
        isFound = true
        this.#show(show, { is: 'looking', file })
      },
    }
    try {
      // While the rows are at hand.
      const failing = changes.leftOut === 0 ? {} : { failing: await this.work.errorsFile(true) }
      const result = await delivery.write(check, confirmShrink, watch)
      this.#desk?.rememberColumns(file)
      this.#show(show, { is: 'written', result, leftOut: changes.leftOut, isFound, ...failing })
    } catch (error) {
      if (isStale(error) && show.isLast()) return await this.#check(file, true)
      const { remainder } = delivery
      this.#show(show, { is: 'interrupted', file, remainder, ...failureOf(error) })
    }
  }

  /** The full list of one kind of change, as CSV. @throws ServiceError, also when the catalog has moved on */
  listOf(change: Change): Promise<Blob> {
    const stage = this.#stage
    if (stage.is !== 'checked' || this.#delivery === undefined) throw new Error('nothing is checked')
    return this.#delivery.listOf(change, stage.check)
  }

  reset(): void {
    this.begin()({ stage: { is: 'empty' }, mode: this.state().mode })
    this.#forget()
  }

  override end(): void {
    super.end()
    this.#desk?.end()
  }

  get #stage(): Stage {
    return this.state().stage
  }

  #show(show: Show<UploadState>, stage: Stage): void {
    show({ ...this.state(), stage })
  }

  #forget(): void {
    this.#desk?.end()
    this.#desk = undefined
    this.#delivery = undefined
    this.#edits = []
  }

  /** Takes what is read of the file, and checks it. */
  async #take(show: Show<UploadState>, desk: FileAtDesk, read: () => Promise<FileReading>): Promise<void> {
    this.#delivery = undefined
    const showStage = (stage: Stage) =>
      show({ stage, mode: this.state().mode, ...(desk.sheets && { sheets: desk.sheets }) })
    try {
      const reading = await read()
      const file = await withBetterCatalog(this.#client, this.#type.name, reading, show.signal)
      showStage({ is: 'asking', file })
    } catch (error) {
      showStage({ is: 'unreadable', name: desk.file.name, error: asError(error) })
    }
    if (show.isLast()) await this.check()
  }

  async #check(file: ChosenFile, moved = false): Promise<void> {
    const show = this.begin()
    const onProgress = (progress: Progress) => this.#show(show, { is: 'checking', file, progress })
    const watch = { signal: show.signal, onProgress }
    try {
      const delivery = this.#delivery ?? (await this.#prepare(show, file))
      if (!show.isLast()) return
      const { mode } = this.state()
      const isWhole = delivery.parts.length === 1
      // While the service looks at the rows, they are checked here.
      const early = isWhole ? delivery.check(mode, watch) : undefined
      early?.catch(() => undefined)
      if (this.#delivery === undefined && !(await this.#test(show, file))) return
      if (!isWhole && mode === 'reconcile') return this.#show(show, { is: 'tooLarge', file })
      this.#delivery = delivery
      const check = await (early ?? delivery.check(mode, watch))
      if (check === undefined) return await this.#check(file, true)
      const { remainder } = delivery
      const checked = { is: 'checked', file, check, moved, changes: this.#changes, remainder } as const
      this.#show(show, { ...checked, similar: 'comparing' })
      const similar = await compareWithCatalog(this.#client, this.#type.name, this.work, check, show.signal)
      this.#show(show, { ...checked, similar })
    } catch (error) {
      await this.#refuse(show, file, error)
    }
  }

  /** The file as it is sent. */
  async #prepare(show: Show<UploadState>, file: ChosenFile): Promise<Delivery> {
    this.#show(show, { is: 'testing', file })
    const parts = await this.work.parts(this.#edits.splice(0))
    return new Delivery(this.#client, this.#type.name, file.name, parts)
  }

  /** Checks the rows without the service. @returns whether the file can be sent, and is still to be */
  async #test(show: Show<UploadState>, file: ChosenFile): Promise<boolean> {
    const findings = await this.work.check()
    if (!show.isLast()) return false
    this.#changes = findings.changes
    if (findings.errors === 0) return true
    // A new step, which ends what has been sent.
    this.#showErrors(this.begin(), file, findings)
    return false
  }

  #showErrors(show: Show<UploadState>, file: ChosenFile, { changes, ...errors }: Findings): void {
    this.#version++
    this.#show(show, { is: 'faulty', file, errors, changes, version: this.#version })
  }

  /** Shows what the service says against a file. */
  async #refuse(show: Show<UploadState>, file: ChosenFile, error: unknown): Promise<void> {
    if (!show.isLast()) return
    const found = fieldErrorsOf(error)
    if (found.length === 0) return this.#show(show, { is: 'refused', file, error: asError(error) })
    this.#showErrors(show, file, await this.work.takeErrors(found, this.#delivery?.offset ?? 0))
  }
}
