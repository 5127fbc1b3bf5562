import { type ChosenFile, isDecided, missingColumns } from '#files/chosen-file'
import type { Changes, FileReading, Findings } from '#files/file-work'
import type { CellEdit } from '#files/fix/table'
import { asError } from '#shared/errors/as-error'
import type { RecordType } from '#shared/records/record-type'
import { findBetterCatalog } from './better-catalog'
import { Delivery, fieldErrorsOf } from './delivery'
import type { FileAtDesk } from './file-at-desk'
import type { UploadClient } from './held-file'
import type { RemoteWork } from './remote-work'
import type { Check, Progress, Stage, UploadState } from './stage'
import { type Show, StepState } from './step-state'

/** The checks of one file: in the page, and by a dry run. What the person does with it is in `UploadProcess`. */
export abstract class Checking extends StepState<UploadState> {
  protected readonly client: UploadClient
  protected readonly type: RecordType
  protected desk: FileAtDesk | undefined
  /** The file as it is sent; undefined until its rows have been checked as they are now. */
  protected delivery: Delivery | undefined
  /** Changes of cells that the worker does not have yet. */
  protected edits: CellEdit[] = []
  /** Ids that may tell which catalog is meant. */
  #ids: readonly string[] = []
  /** What was changed of the rows, when they were checked last. */
  #changes: Changes = { count: 0, leftOut: 0 }
  /** Grows with every change of the rows. */
  #version = 0

  constructor(client: UploadClient, type: RecordType) {
    super({ stage: { is: 'empty' }, mode: 'upsert', keepsMissing: true })
    this.client = client
    this.type = type
  }

  /** The work on the rows of the file. @throws Error if no file is chosen */
  get work(): RemoteWork {
    if (this.desk === undefined) throw new Error('no file is chosen')
    return this.desk.work
  }

  /** Asks the service, once more, what the file would change. */
  async check(): Promise<void> {
    const { stage } = this
    if ('file' in stage && isDecided(stage.file, this.type)) await this.checkFile(stage.file)
  }

  protected get stage(): Stage {
    return this.state().stage
  }

  /** What the person has chosen for this file and later ones. */
  protected get choice(): Pick<UploadState, 'mode' | 'keepsMissing'> {
    const { mode, keepsMissing } = this.state()
    return { mode, keepsMissing }
  }

  protected showStage(show: Show<UploadState>, stage: Stage): void {
    show({ ...this.state(), stage })
  }

  /** The file as it was sent is not the one that is written. */
  protected forgetDelivery(): void {
    this.delivery?.discard()
    this.delivery = undefined
  }

  /** Takes what is read of the file, and checks it. */
  protected async take(
    show: Show<UploadState>,
    desk: FileAtDesk,
    read: () => Promise<FileReading>,
  ): Promise<void> {
    this.forgetDelivery()
    const showStage = (stage: Stage) =>
      show({ ...this.choice, stage, ...(desk.sheets && { sheets: desk.sheets }) })
    try {
      const { file, ids } = await read()
      if (show.isLast()) this.#ids = ids
      showStage({ is: 'asking', file })
    } catch (error) {
      showStage({ is: 'unreadable', name: desk.file.name, error: asError(error) })
    }
    if (show.isLast()) await this.check()
  }

  /** @param moved whether somebody else has changed the catalog since an earlier check */
  protected async checkFile(file: ChosenFile, moved = false): Promise<void> {
    const show = this.begin()
    try {
      const found = await this.#tryFile(show, file)
      if (found === 'moved') await this.checkFile(file, true)
      else if (found !== 'ended') await this.#showCheck(show, file, found, moved)
    } catch (error) {
      await this.#refuse(show, file, error)
    }
  }

  /** Checks the rows in the page while the service looks at them. */
  async #tryFile(show: Show<UploadState>, file: ChosenFile): Promise<Check | 'moved' | 'ended'> {
    const onProgress = (progress: Progress) => this.showStage(show, { is: 'checking', file, progress })
    const watch = { signal: show.signal, onProgress }
    const delivery = this.delivery ?? (await this.#prepare(show, file))
    if (!show.isLast()) return 'ended'
    const { mode, keepsMissing } = this.state()
    const choice = { mode, keepsMissing: keepsMissing && missingColumns(file, this.type).length > 0 }
    const isWhole = delivery.parts.length === 1
    const early = isWhole ? delivery.check(choice, watch) : undefined
    early?.catch(() => undefined)
    if (this.delivery === undefined && !(await this.#test(show, file, choice.keepsMissing))) return 'ended'
    if (!isWhole && mode === 'reconcile') {
      this.showStage(show, { is: 'tooLarge', file })
      return 'ended'
    }
    this.delivery = delivery
    const check = await (early ?? delivery.check(choice, watch))
    if (check === undefined) return 'moved'
    return (await this.#asksCatalog(show, file, check)) ? 'ended' : check
  }

  async #showCheck(show: Show<UploadState>, file: ChosenFile, check: Check, moved: boolean): Promise<void> {
    const { delivery } = this
    if (!show.isLast() || delivery === undefined) return
    const { examples = [] } = check.warnings.find(({ code }) => code === 'similar_id') ?? {}
    const alike = examples.length === 0 ? [] : await this.work.alikeIds(examples)
    const missing = missingColumns(file, this.type).map(({ name }) => name)
    const { remainder, waits } = delivery
    const changes = this.#changes
    this.showStage(show, { is: 'checked', file, check, moved, alike, missing, changes, remainder, waits })
  }

  /** The file as it is sent. */
  async #prepare(show: Show<UploadState>, file: ChosenFile): Promise<Delivery> {
    this.showStage(show, { is: 'testing', file })
    const parts = await this.work.parts(this.edits.splice(0))
    return new Delivery(this.client, this.type.name, file.name, parts)
  }

  /** Checks the rows without the service. @returns whether the file can be sent, and is still to be */
  async #test(show: Show<UploadState>, file: ChosenFile, keepsMissing: boolean): Promise<boolean> {
    const findings = await this.work.check(keepsMissing)
    if (!show.isLast()) return false
    this.#changes = findings.changes
    if (findings.errors === 0) return true
    if (await this.#asksCatalog(show, file, undefined)) return false
    // A new step, which ends what has been sent.
    this.showErrors(this.begin(), file, findings)
    return false
  }

  /**
   * Asks the person which catalog is meant, if another one knows the ids.
   *
   * @param check what the file would change; undefined if it has errors
   * @returns whether this step ends here
   */
  async #asksCatalog(show: Show<UploadState>, file: ChosenFile, check: Check | undefined): Promise<boolean> {
    if (this.#ids.length === 0) return false
    const better = await findBetterCatalog(this.client, this.type.name, this.#ids, check, show.signal)
    if (!show.isLast()) return true
    if (better === undefined) return false
    this.forgetDelivery()
    // A new step, which ends what has been sent.
    this.showStage(this.begin(), { is: 'asking', file: { ...file, better } })
    return true
  }

  protected showErrors(show: Show<UploadState>, file: ChosenFile, { changes, ...errors }: Findings): void {
    this.#version++
    this.showStage(show, { is: 'faulty', file, errors, changes, version: this.#version })
  }

  /** Shows what the service says against a file. */
  async #refuse(show: Show<UploadState>, file: ChosenFile, error: unknown): Promise<void> {
    if (!show.isLast()) return
    const found = fieldErrorsOf(error)
    if (found.length === 0) return this.showStage(show, { is: 'refused', file, error: asError(error) })
    this.showErrors(show, file, await this.work.takeErrors(found, this.delivery?.offset ?? 0))
  }
}
