import { type FileSummary, keepsInUse, missingColumns } from '#files/file-summary'
import type { Changes, Findings } from '#files/findings'
import type { CellEdit } from '#files/fix/table'
import { asError } from '#shared/errors/errors'
import type { RecordType } from '#shared/records/record-type'
import { findBetterCatalog } from './better-catalog'
import type { RemoteFileWork } from './chosen-file'
import { FileSender, fieldErrorsOf } from './file-sender'
import type { UploadClient } from './held-file'
import { findLostZeros } from './lost-zeros'
import type { Check, Progress, Stage } from './stage'
import type { Step, UploadStore } from './upload-store'

/** A check's warning with the given code. */
export const warningOf = ({ warnings }: Check, code: string) => warnings.find((warning) => warning.code === code)

interface RowAccess {
  work: () => RemoteFileWork
  /** Cell edits that are not yet in the worker, which receives them with the next request. */
  takeEdits: () => CellEdit[]
}

/** Checks a file: in the page by the service's rules and, at the same time, by a dry run of the service. */
export class FileCheck {
  /** The file, ready to be sent; undefined until its current rows have been checked. */
  sender: FileSender | undefined
  ids: readonly string[] = []
  readonly #client: UploadClient
  readonly #type: RecordType
  readonly #store: UploadStore
  readonly #rows: RowAccess
  #changes: Changes = { count: 0, leftOut: 0 }
  #version = 0

  constructor(client: UploadClient, type: RecordType, store: UploadStore, rows: RowAccess) {
    this.#client = client
    this.#type = type
    this.#store = store
    this.#rows = rows
  }

  /** Discards the sender, because something else will be written. */
  discardSender(): void {
    this.sender?.discard()
    this.sender = undefined
  }

  /**
   * Checks a file, and shows what it would change.
   *
   * @param isChangedByOthers whether someone else has changed the catalog since a check
   */
  async run(file: FileSummary, { isChangedByOthers } = { isChangedByOthers: false }): Promise<void> {
    const step = this.#store.begin()
    try {
      const check = await this.#tryFile(step, file)
      if (check === 'outdated') await this.run(file, { isChangedByOthers: true })
      else if (check !== 'ended') await this.#showCheck(step, file, check, isChangedByOthers)
    } catch (error) {
      await this.#refuse(step, file, error)
    }
  }

  /**
   * Checks the rows in the page and, at the same time, by a dry run of the service.
   *
   * @returns `outdated` if someone else has written in the meantime; `ended` if this step shows something else instead
   */
  async #tryFile(step: Step, file: FileSummary): Promise<Check | 'outdated' | 'ended'> {
    const onProgress = (progress: Progress) => step.show({ is: 'checking', file, progress })
    const watch = { signal: step.signal, onProgress }
    const sender = this.sender ?? (await this.#prepare(step, file))
    if (!step.isLast()) return 'ended'
    const { mode, keepsMissing } = this.#store.state()
    const missing = missingColumns(file, this.#type)
    // If a required field has no column, only existing records can be written. They stay active or inactive.
    const keepMissing =
      !keepsMissing && missing.length > 0 ? false : missing.some(({ required }) => required) || undefined
    const choice = { mode, keepMissing }
    const isWhole = sender.parts.length === 1
    const dryRun = isWhole ? sender.check(choice, watch) : undefined
    // `await dryRun` below reports a failure, unless the rows have errors.
    dryRun?.catch(() => undefined)
    if (this.sender === undefined && !(await this.#validate(step, file, keepMissing !== false))) return 'ended'
    if (!isWhole && mode === 'reconcile') {
      step.show({ is: 'tooLarge', file })
      return 'ended'
    }
    this.sender = sender
    const check = await (dryRun ?? sender.check(choice, watch))
    if (check === undefined) return 'outdated'
    const isAsked = (await this.#asksCatalog(step, file, check)) || (await this.#asksZeros(step, file, check))
    return isAsked ? 'ended' : check
  }

  async #showCheck(step: Step, file: FileSummary, check: Check, isChangedByOthers: boolean): Promise<void> {
    const sender = this.sender
    if (!step.isLast() || sender === undefined) return
    const impliedReactivations =
      check.reactivated === 0 ? [] : await this.#rows.work().impliedReactivationsIn(await sender.reactivatedIds(check))
    if (!step.isLast()) return
    if (impliedReactivations.length > 0 && keepsInUse(file)) {
      this.discardSender()
      await this.#rows.work().leaveInactive(impliedReactivations)
      if (step.isLast()) await this.run(file, { isChangedByOthers })
      return
    }
    const similarExamples = warningOf(check, 'similar_id')?.examples ?? []
    const similar = similarExamples.length === 0 ? [] : await this.#rows.work().similarIds(similarExamples)
    const renamedExamples = warningOf(check, 'renamed')?.examples ?? []
    const renamed = renamedExamples.length === 0 ? [] : await this.#rows.work().renamedIds(renamedExamples)
    const missing = missingColumns(file, this.#type).map(({ name }) => name)
    const { remainder, isHeld } = sender
    const changes = this.#changes
    step.show({
      is: 'checked',
      file,
      check,
      isChangedByOthers,
      similar,
      renamed,
      impliedReactivations,
      missing,
      changes,
      remainder,
      isHeld,
    })
  }

  /** Prepares the file for sending: its current rows, compressed. */
  async #prepare(step: Step, file: FileSummary): Promise<FileSender> {
    step.show({ is: 'preparing', file })
    const parts = await this.#rows.work().parts(this.#rows.takeEdits())
    return new FileSender(this.#client, this.#type.name, file.name, parts)
  }

  /** Checks the rows without the service. @returns whether the file can, and should still, be sent */
  async #validate(step: Step, file: FileSummary, keepsMissing: boolean): Promise<boolean> {
    const findings = await this.#rows.work().check(keepsMissing)
    if (!step.isLast()) return false
    this.#changes = findings.changes
    if (findings.errorCount === 0) return true
    if (await this.#asksCatalog(step, file, undefined)) return false
    // A new step aborts this step's dry run.
    this.showErrors(this.#store.begin(), file, findings)
    return false
  }

  /** Asks the user which catalog is meant, if another one contains the IDs. @returns whether this step ends here */
  async #asksCatalog(step: Step, file: FileSummary, check: Check | undefined): Promise<boolean> {
    if (this.ids.length === 0) return false
    const better = await findBetterCatalog(this.#client, this.#type.name, this.ids, check, step.signal)
    if (!step.isLast()) return true
    if (better === undefined) return false
    this.discardSender()
    // A new step aborts this step's dry run.
    this.#store.begin().show({ is: 'asking', file: { ...file, better } })
    return true
  }

  /**
   * Asks whether the IDs have lost zeros, if the catalog contains them with zeros.
   *
   * @returns whether this step ends here
   */
  async #asksZeros(step: Step, file: FileSummary, check: Check): Promise<boolean> {
    if (file.answers.idDigits !== undefined) return false
    const numbers = await this.#rows.work().numericIds()
    const lostZeros = await findLostZeros(this.#client, this.#type.name, numbers, check, step.signal)
    if (!step.isLast()) return true
    if (lostZeros === undefined) return false
    this.discardSender()
    step.show({ is: 'asking', file: { ...file, lostZeros } })
    return true
  }

  showErrors(step: Step, file: FileSummary, { changes, ...errors }: Findings): void {
    this.#version++
    step.show({ is: 'faulty', file, errors, changes, version: this.#version })
  }

  /** Shows that rows could not be changed, and makes the page reload its rows. */
  showFailure(step: Step, stage: Stage & { is: 'faulty' }, error: unknown): void {
    this.#version++
    step.show({ ...stage, failure: asError(error), version: this.#version })
  }

  /** Shows why a check failed: errors of rows, or another reason. */
  async #refuse(step: Step, file: FileSummary, error: unknown): Promise<void> {
    if (!step.isLast()) return
    const errors = fieldErrorsOf(error)
    if (errors.length === 0) return step.show({ is: 'notChecked', file, error: asError(error) })
    try {
      this.showErrors(step, file, await this.#rows.work().takeErrors(errors, this.sender?.offset ?? 0))
    } catch (failure) {
      step.show({ is: 'notChecked', file, error: asError(failure) })
    }
  }
}
