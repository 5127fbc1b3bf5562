import { isStale } from '#client/service-error'
import type { AlikeId } from '#files/check/alike-ids'
import type { Findings } from '#files/file-work'
import type { CellEdit } from '#files/fix/table'
import { asError } from '#shared/errors/as-error'
import type { Change } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import { Checking } from './checking'
import { NotWritten } from './delivery'
import { FileAtDesk } from './file-at-desk'
import type { UploadClient } from './held-file'
import { type ColumnMemory, NO_MEMORY } from './remembered-columns'
import { type FileDesk, type RemoteWork, startFileDesk } from './remote-work'
import { isUnderWay, type Mode, type Progress } from './stage'

/** Why a file is not written, or not all of it, and whether that is known. */
const failureOf = (error: unknown): { error: Error; isKnown: boolean } =>
  error instanceof NotWritten
    ? { error: error.cause, isKnown: error.isKnown }
    : { error: asError(error), isKnown: true }

/**
 * The way of one file into a catalog: it is read, checked in the page and by a dry run, and then written as it was
 * checked. Each step ends the one before it, whose answer is no longer shown. Knows nothing of React.
 */
export class UploadProcess extends Checking {
  readonly #columns: ColumnMemory
  readonly #startDesk: () => FileDesk

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
    super(client, type)
    this.#columns = columns
    this.#startDesk = startDesk
  }

  /** The file that was chosen and is not written yet, as the browser gave it. */
  get file(): File | undefined {
    return this.stage.is === 'written' ? undefined : this.desk?.file
  }

  async choose(file: File): Promise<void> {
    const show = this.begin()
    this.#forget()
    const desk = new FileAtDesk(file, this.type.name, this.#columns)
    this.desk = desk
    show({ ...this.choice, stage: { is: 'reading', name: file.name } })
    await this.take(show, desk, () => desk.open(this.#startDesk))
  }

  /** Takes what the person says of the file, reads it so once more, and checks it. */
  async answer(say: (desk: FileAtDesk) => void): Promise<void> {
    const { desk } = this
    if (desk === undefined || isUnderWay(this.stage)) return
    say(desk)
    await this.take(this.begin(), desk, () => desk.read())
  }

  /** Goes on with the columns as they are shown. */
  async confirmColumns(): Promise<void> {
    const { stage } = this
    if (stage.is !== 'asking') return
    this.desk?.confirmColumns()
    const file = { ...stage.file, hasRightColumns: true }
    this.set({ ...this.state(), stage: { is: 'asking', file } })
    await this.check()
  }

  /** A file that was checked is checked again. */
  async changeMode(mode: Mode): Promise<void> {
    const { stage } = this
    // What is being written is what was confirmed.
    if (isUnderWay(stage)) return
    this.set({ ...this.state(), mode })
    // A part of a file may be added, and is no whole catalog; a row that is left out would be deactivated.
    this.forgetDelivery()
    if (mode === 'reconcile' && 'file' in stage) await this.work.takeBackRows()
    await this.check()
  }

  /** Whether fields that the file has no column for keep their values. A file that was checked is checked again. */
  async changeKeeping(keepsMissing: boolean): Promise<void> {
    if (isUnderWay(this.stage)) return
    this.set({ ...this.state(), keepsMissing })
    await this.check()
  }

  /** Changes rows of a file with errors. It is sent when the person goes on. */
  async fix(change: (work: RemoteWork) => Promise<Findings>): Promise<void> {
    const { stage } = this
    if (stage.is !== 'faulty') return
    const show = this.begin()
    this.forgetDelivery()
    try {
      this.showErrors(show, stage.file, await change(this.work))
    } catch (error) {
      this.showStage(show, { ...stage, failure: asError(error) })
    }
  }

  /** Changes cells of a file with errors. Those that are typed while others are checked are checked together. */
  async edit(edits: readonly CellEdit[]): Promise<void> {
    this.edits.push(...edits)
    if (this.edits.length > edits.length) return
    while (this.edits.length > 0 && this.stage.is === 'faulty') {
      const batch = this.edits.slice()
      await this.fix(async (work) => {
        const errors = await work.edit(batch)
        this.edits.splice(0, batch.length)
        return errors
      })
    }
  }

  /** Leaves out the rows that have errors, and checks the others. */
  async leaveOutFailing(): Promise<void> {
    await this.fix((work) => work.leaveOut({}))
    await this.check()
  }

  /** Gives rows of a file that was checked the ids that theirs resemble, and checks it again. */
  correctIds(alike: readonly AlikeId[]): Promise<void> {
    return this.#changeChecked((work) => work.correctIds(alike))
  }

  /** Takes the last change of a file that was checked back, and checks it again. */
  undoChange(): Promise<void> {
    return this.#changeChecked((work) => work.undo())
  }

  async #changeChecked(change: (work: RemoteWork) => Promise<Findings>): Promise<void> {
    const { stage } = this
    if (stage.is !== 'checked') return
    const { file } = stage
    const show = this.begin()
    this.forgetDelivery()
    this.showStage(show, { is: 'testing', file })
    await change(this.work)
    if (show.isLast()) await this.checkFile(file)
  }

  /** Writes what was checked, on the catalog as it was then. */
  async commit(confirmShrink: boolean): Promise<void> {
    const { stage, delivery } = this
    if (stage.is !== 'checked' || delivery === undefined) return
    const { file, check, changes } = stage
    const show = this.begin()
    let isFound = false
    const watch = {
      signal: show.signal,
      onProgress: (progress: Progress) => this.showStage(show, { is: 'writing', file, check, progress }),
      onLost: () => {
        isFound = true
        this.showStage(show, { is: 'looking', file })
      },
    }
    try {
      // While the rows are at hand.
      const failing = changes.leftOut === 0 ? {} : { failing: await this.work.errorsFile(true) }
      const result = await delivery.write(check, confirmShrink, watch)
      this.desk?.rememberColumns(file)
      const isOneWrite = delivery.parts.length === 1
      const { leftOut } = changes
      this.showStage(show, { is: 'written', result, isOneWrite, leftOut, isFound, ...failing })
    } catch (error) {
      if (isStale(error) && show.isLast()) return await this.checkFile(file, true)
      const { remainder } = delivery
      this.showStage(show, { is: 'interrupted', file, remainder, ...failureOf(error) })
    }
  }

  /**
   * The full list of what changes, or of one kind of change, as CSV. @throws ServiceError, also when the catalog has
   * moved on
   */
  listOf(change: Change | undefined): Promise<Blob> {
    const { stage, delivery } = this
    if (stage.is !== 'checked' || delivery === undefined) throw new Error('nothing is checked')
    return delivery.listOf(change, stage.check)
  }

  reset(): void {
    this.begin()({ ...this.choice, stage: { is: 'empty' } })
    this.#forget()
  }

  override end(): void {
    super.end()
    this.desk?.end()
  }

  #forget(): void {
    this.desk?.end()
    this.desk = undefined
    this.forgetDelivery()
    this.edits = []
  }
}
