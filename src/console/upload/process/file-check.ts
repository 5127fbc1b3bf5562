import { type FileSummary, keepsInUse, missingColumns } from '#files/file-summary'
import type { Changes, Findings } from '#files/file-work'
import type { CellEdit } from '#files/fix/table'
import { asError } from '#shared/errors/errors'
import type { RecordType } from '#shared/records/record-type'
import { findBetterCatalog } from './better-catalog'
import { Delivery, fieldErrorsOf } from './delivery'
import type { UploadClient } from './held-file'
import type { Check, Progress, Stage } from './stage'
import type { RemoteFileWork } from './upload-file'
import type { Step, UploadStore } from './upload-store'

/** The rows of the file that is chosen. */
interface FileRows {
  work: () => RemoteFileWork
  /** Changes of cells that the worker does not have yet; it gets them with the next request. */
  takeEdits: () => CellEdit[]
}

/** The check of a file: by the rules of the service in the page, and at the same time by a dry run of the service. */
export class FileCheck {
  /** The file as it is sent; undefined until its rows have been checked as they are now. */
  delivery: Delivery | undefined
  /** Ids that may tell which catalog is meant. */
  ids: readonly string[] = []
  readonly #client: UploadClient
  readonly #type: RecordType
  readonly #store: UploadStore
  readonly #rows: FileRows
  /** What was changed of the rows, when they were checked last. */
  #changes: Changes = { count: 0, leftOut: 0 }
  /** Grows with every change of the rows. */
  #version = 0

  constructor(client: UploadClient, type: RecordType, store: UploadStore, rows: FileRows) {
    this.#client = client
    this.#type = type
    this.#store = store
    this.#rows = rows
  }

  /** The file as it was sent is not the one that is written. */
  forgetDelivery(): void {
    this.delivery?.discard()
    this.delivery = undefined
  }

  /** Checks a file, and shows what it would change. @param moved whether somebody else has changed the catalog */
  async run(file: FileSummary, moved = false): Promise<void> {
    const step = this.#store.begin()
    try {
      const check = await this.#tryFile(step, file)
      if (check === 'moved') await this.run(file, true)
      else if (check !== 'ended') await this.#showCheck(step, file, check, moved)
    } catch (error) {
      await this.#refuse(step, file, error)
    }
  }

  /** Checks the rows in the page while the service looks at them. */
  async #tryFile(step: Step, file: FileSummary): Promise<Check | 'moved' | 'ended'> {
    const onProgress = (progress: Progress) => step.show({ is: 'checking', file, progress })
    const watch = { signal: step.signal, onProgress }
    const delivery = this.delivery ?? (await this.#prepare(step, file))
    if (!step.isLast()) return 'ended'
    const { mode, keepsMissing } = this.#store.state()
    const choice = { mode, keepsMissing: keepsMissing && missingColumns(file, this.#type).length > 0 }
    const isWhole = delivery.parts.length === 1
    const early = isWhole ? delivery.check(choice, watch) : undefined
    early?.catch(() => undefined)
    if (this.delivery === undefined && !(await this.#validate(step, file, choice.keepsMissing))) return 'ended'
    if (!isWhole && mode === 'reconcile') {
      step.show({ is: 'tooLarge', file })
      return 'ended'
    }
    this.delivery = delivery
    const check = await (early ?? delivery.check(choice, watch))
    if (check === undefined) return 'moved'
    return (await this.#asksCatalog(step, file, check)) ? 'ended' : check
  }

  async #showCheck(step: Step, file: FileSummary, check: Check, moved: boolean): Promise<void> {
    const delivery = this.delivery
    if (!step.isLast() || delivery === undefined) return
    const impliedReactivations =
      check.reactivated === 0
        ? []
        : await this.#rows.work().impliedReactivationsIn(await delivery.reactivatedIds(check))
    if (!step.isLast()) return
    if (impliedReactivations.length > 0 && keepsInUse(file)) {
      this.forgetDelivery()
      await this.#rows.work().leaveInactive(impliedReactivations)
      if (step.isLast()) await this.run(file, moved)
      return
    }
    const { examples = [] } = check.warnings.find(({ code }) => code === 'similar_id') ?? {}
    const similar = examples.length === 0 ? [] : await this.#rows.work().similarIds(examples)
    const missing = missingColumns(file, this.#type).map(({ name }) => name)
    const { remainder, waits } = delivery
    const changes = this.#changes
    step.show({ is: 'checked', file, check, moved, similar, impliedReactivations, missing, changes, remainder, waits })
  }

  /** The file as it is sent. */
  async #prepare(step: Step, file: FileSummary): Promise<Delivery> {
    step.show({ is: 'validating', file })
    const parts = await this.#rows.work().parts(this.#rows.takeEdits())
    return new Delivery(this.#client, this.#type.name, file.name, parts)
  }

  /** Checks the rows without the service. @returns whether the file can be sent, and is still to be */
  async #validate(step: Step, file: FileSummary, keepsMissing: boolean): Promise<boolean> {
    const findings = await this.#rows.work().check(keepsMissing)
    if (!step.isLast()) return false
    this.#changes = findings.changes
    if (findings.errors === 0) return true
    if (await this.#asksCatalog(step, file, undefined)) return false
    // A new step, which ends what has been sent.
    this.showErrors(this.#store.begin(), file, findings)
    return false
  }

  /**
   * Asks the person which catalog is meant, if another one knows the ids.
   *
   * @param check what the file would change; undefined if it has errors
   * @returns whether this step ends here
   */
  async #asksCatalog(step: Step, file: FileSummary, check: Check | undefined): Promise<boolean> {
    if (this.ids.length === 0) return false
    const better = await findBetterCatalog(this.#client, this.#type.name, this.ids, check, step.signal)
    if (!step.isLast()) return true
    if (better === undefined) return false
    this.forgetDelivery()
    // A new step, which ends what has been sent.
    this.#store.begin().show({ is: 'asking', file: { ...file, better } })
    return true
  }

  showErrors(step: Step, file: FileSummary, { changes, ...errors }: Findings): void {
    this.#version++
    step.show({ is: 'faulty', file, errors, changes, version: this.#version })
  }

  /** Shows that a change of rows was not made, and has the page read its rows again. */
  showFailure(step: Step, stage: Stage & { is: 'faulty' }, error: unknown): void {
    this.#version++
    step.show({ ...stage, failure: asError(error), version: this.#version })
  }

  /** Shows what the service says against a file. */
  async #refuse(step: Step, file: FileSummary, error: unknown): Promise<void> {
    if (!step.isLast()) return
    const errors = fieldErrorsOf(error)
    if (errors.length === 0) return step.show({ is: 'refused', file, error: asError(error) })
    try {
      this.showErrors(step, file, await this.#rows.work().takeErrors(errors, this.delivery?.offset ?? 0))
    } catch (failure) {
      step.show({ is: 'refused', file, error: asError(failure) })
    }
  }
}
