import type { FieldError } from '#shared/errors/errors'
import { MAX_PAGE_BYTES } from '#shared/limits'
import type { CheckedRecord, RecordCheck } from '#shared/records/record-check'
import type { RawRecord } from '#shared/records/record-type'
import { formValues, mergedForm } from '#shared/records/stored-form'
import { digestOf } from '#shared/text/digest'
import type { Catalog } from '#worker/catalog/catalog'
import { Steps } from '#worker/http/steps'
import { firstOf } from '#worker/storage/database'
import { LOOKED_UP_RECORDS, readStored } from './kept-fields'
import {
  askedElement,
  askedId,
  type CatalogFacts,
  type ComparedForm,
  type DifferingRow,
  differingRecords,
  type Question,
} from './sql/compare'
import { type CatalogState, type ExpectedState, requireState, stateStatement } from './sql/state'

/** If a larger share of the records differs, all are sent: omitting the others gains nothing. */
const MOST_DIFFERING = 1 / 3

/** With more records, which are very small, their IDs and positions use too much memory. */
const MOST_COMPARED = 100_000

/** Most characters of forms in memory: control characters need six each. */
const MAX_FORM_CHARACTERS = 10_000_000

/** Most characters of a question: of some ten thousand records, so that their stored forms fit into the answer. */
const MAX_QUESTION_CHARACTERS = 300_000

/** Most bytes of stored forms in the answers to all questions. Others are read when they are needed. */
const MAX_ANSWER_BYTES = 4 * MAX_PAGE_BYTES

/** Work (`Work`) on a row of an answer without a stored form. */
const ROW_UNITS = 10

/** The checked forms of some records, and the errors of the others, in their order. */
export type CheckedStep = { records: CheckedRecord[]; errors: FieldError[] }

/** The differing records by position, in one state of the catalog. */
interface Answer {
  state: CatalogState
  rows: DifferingRow[]
}

/**
 * Checked records that are compared with stored ones before anything is derived from them. The database compares
 * digests of their forms. Only records that differ are completed and sent. They stay in memory until they are written,
 * to be compared again if the catalog changes, unless there is no room.
 */
export class ComparedRecords {
  readonly #catalog: Catalog
  readonly #form: ComparedForm
  /** By position. */
  readonly #forms: string[] = []
  readonly #inactive = new Set<number>()
  #formCharacters = 0
  readonly #questions: Question[] = []
  #elements: string[] = []
  #elementCharacters = 0
  readonly #expected: ExpectedState
  /** The state in which the completed records were compared; undefined if all are completed, whatever the state. */
  state: CatalogState | undefined
  /** Whether differing records may have stored values to keep. */
  #needsStored: boolean
  readonly #storedRecords: number
  /** Some stored records by ID, as `askedElement`s. */
  readonly #sample: ReadonlyMap<string, string>
  /** Records of the request that are in the sample, and how many of them differ. */
  #inSample = 0
  #differing = 0
  #isWhole = true
  #staysInMemory = true

  /**
   * @param expected state of the catalog; any other state is rejected
   * @param facts show whether most records differ; undefined if all have to be compared, because they may have stored
   *   values to keep
   */
  constructor(catalog: Catalog, form: ComparedForm, expected: ExpectedState, facts: CatalogFacts | undefined) {
    this.#catalog = catalog
    this.#form = form
    this.#expected = expected
    this.#needsStored = facts === undefined
    const sample: string[] = facts === undefined ? [] : JSON.parse(facts.sample)
    this.#sample = new Map(sample.map((element) => [askedId(element), element]))
    this.#storedRecords = facts?.total_records ?? Number.POSITIVE_INFINITY
  }

  /** Whether it has all records of the request, so that it can compare them again. */
  get canRepeat(): boolean {
    return this.#staysInMemory
  }

  /** Most bytes in memory. */
  get keptBytes(): number {
    return this.#staysInMemory ? 2 * this.#formCharacters : 0
  }

  /** Makes room: drops records once they are completed, so that they cannot be compared again. */
  makeRoom(): void {
    this.#staysInMemory = false
  }

  /** Whether to accept no further records, because they do not fit into memory or comparing them gains nothing. */
  get isClosed(): boolean {
    const { length } = this.#forms
    const isFull = length >= MOST_COMPARED || this.#formCharacters > MAX_FORM_CHARACTERS
    const areNew = length - this.#storedRecords > length * MOST_DIFFERING
    const hasSeenHalf = 2 * this.#inSample > this.#sample.size
    return isFull || areNew || (hasSeenHalf && this.#differing > this.#inSample * MOST_DIFFERING)
  }

  add({ id, isActive, json: form }: CheckedRecord): void {
    const element = askedElement(id, isActive, digestOf(form))
    const json = JSON.stringify(element)
    if (this.#elementCharacters + json.length > MAX_QUESTION_CHARACTERS) this.#endQuestion()
    if (!isActive) this.#inactive.add(this.#forms.length)
    this.#forms.push(form)
    this.#formCharacters += form.length
    this.#elements.push(json)
    this.#elementCharacters += json.length + 1
    const stored = this.#sample.get(id)
    if (stored === undefined) return
    this.#inSample++
    if (stored !== element) this.#differing++
  }

  #endQuestion(): void {
    const count = this.#elements.length
    if (count === 0) return
    this.#questions.push({ elements: `[${this.#elements.join(',')}]`, first: this.#forms.length - count })
    this.#elements = []
    this.#elementCharacters = 0
  }

  /** The differing records. @throws ApiError 409 for an unexpected state */
  async #ask(): Promise<Answer> {
    this.#endQuestion()
    const { db, catalogKey } = this.#catalog
    const maxBytes = Math.min(MAX_PAGE_BYTES, MAX_ANSWER_BYTES / this.#questions.length)
    const [states, ...lists] = await db.batch([
      stateStatement(catalogKey),
      ...this.#questions.map((question) => differingRecords(catalogKey, question, this.#form, maxBytes)),
    ])
    const state = firstOf(states)
    requireState(state, this.#expected)
    const rows: DifferingRow[] = []
    const pacing = new Steps()
    for (const row of lists.flat()) {
      // Another request may have been the first to use a slot.
      if (row.is_unknown === 1) this.#needsStored = true
      if (!this.#isStored(row)) rows.push(row)
      if (pacing.isDue(row.data?.length ?? ROW_UNITS)) await pacing.pause()
    }
    pacing.end()
    return { state, rows }
  }

  /** Whether a record is stored as sent, if its digest does not show it. */
  #isStored({ position, is_active, data }: DifferingRow): boolean {
    const { keptSlots, comparesActivity } = this.#form
    if (data === null || (comparesActivity && (is_active === 0) !== this.#inactive.has(position))) return false
    return mergedForm(this.#catalog.type, this.#forms[position]!, keptSlots, data) === data
  }

  /** Ends the comparison before the end of the request. Further records are not compared. */
  async *close(reader: RecordCheck): AsyncGenerator<CheckedStep> {
    this.#isWhole = false
    yield* this.#completed(reader, this.#needsStored ? await this.#ask() : null)
    reader.comparison = undefined
  }

  /** Completes the records that differ, in the order of the request, with pauses. @throws ApiError 409 as `again` */
  async *complete(reader: RecordCheck): AsyncGenerator<CheckedStep> {
    yield* this.#completed(reader, await this.#ask())
  }

  /**
   * Compares all records again, and completes them as `complete` does.
   *
   * @param all whether to complete all records without comparing, unless stored values are needed
   * @throws ApiError 409 for an unexpected state
   */
  async *again(reader: RecordCheck, all: boolean): AsyncGenerator<CheckedStep> {
    yield* this.#completed(reader, all && !this.#needsStored ? null : await this.#ask())
  }

  /** @param reader the reader that checked the records @param answer null to complete all of them */
  async *#completed(reader: RecordCheck, answer: Answer | null): AsyncGenerator<CheckedStep> {
    reader.beginCompleting()
    const mostDiffer = (answer?.rows.length ?? 0) > this.#forms.length * MOST_DIFFERING
    const rows = answer === null || (mostDiffer && !this.#needsStored) ? null : answer.rows
    this.state = rows === null ? undefined : answer?.state
    this.#staysInMemory = rows !== null && this.#isWhole
    const rowAt = rows && new Map(rows.map((row) => [row.position, row]))
    const ids = [...reader.ids.keys()]
    const stored = new Set<DifferingRow>()
    const pacing = new Steps()
    let step: CheckedStep = { records: [], errors: [] }
    let position = -1
    let dropped = 0
    for (const [id, index] of reader.ids) {
      if (++position === this.#forms.length) break
      while (!this.#staysInMemory && dropped < position) this.#forms[dropped++] = ''
      const row = rowAt?.get(position)
      if (rowAt !== null && row === undefined) continue
      for (const read of row === undefined ? [] : await this.#readStored(row, rows ?? [], ids)) {
        if (this.#isStored(read)) stored.add(read)
      }
      if (row !== undefined && stored.has(row)) continue
      const record = this.#merged(id, position, row)
      const { result, units } = reader.complete({ record, index, position }, this.#needsStored)
      if (row !== undefined) row.data = null
      if ('json' in result) step.records.push(result)
      else step.errors.push(...result)
      if (!pacing.isDue(units)) continue
      yield step
      step = { records: [], errors: [] }
      await pacing.pause()
    }
    pacing.end()
    yield step
  }

  /**
   * Reads a stored record and the next ones, unless the database has already returned them.
   *
   * @returns the records that it has read
   */
  async #readStored(
    row: DifferingRow,
    rows: readonly DifferingRow[],
    ids: readonly string[],
  ): Promise<readonly DifferingRow[]> {
    const isUnread = ({ is_unknown, data }: DifferingRow) => is_unknown === 1 && data === null
    if (!isUnread(row)) return []
    const portion = rows.slice(rows.indexOf(row)).filter(isUnread).slice(0, LOOKED_UP_RECORDS)
    const asked = portion.map(({ position }) => ids[position]!)
    const { rows: stored, covered } = await readStored(this.#catalog, asked, { slots: [], keepsActivity: false })
    for (const { position, data } of stored) portion[position]!.data = data
    // Do not look again for a record that has disappeared in the meantime.
    for (const read of portion.slice(0, covered)) read.is_unknown = 0
    return portion.slice(0, covered)
  }

  /** The stored record with the sent values in place of its own. */
  #merged(id: string, position: number, row: DifferingRow | undefined): RawRecord {
    const { type } = this.#catalog
    const { keptSlots, comparesActivity } = this.#form
    const form = this.#forms[position]!
    const record = formValues(type, row?.data == null ? form : mergedForm(type, form, keptSlots, row.data))
    record[type.idField] = id
    record.is_active = comparesActivity ? !this.#inactive.has(position) : row?.is_active !== 0
    return record
  }
}
