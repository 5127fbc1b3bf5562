import type { FieldError } from '#shared/errors/errors'
import type { CheckedRecord, RecordCheck } from '#shared/records/record-check'
import type { RawRecord } from '#shared/records/record-type'
import { formValues, mergedForm } from '#shared/records/stored-form'
import { digestOf } from '#shared/text/digest'
import type { Catalog } from '#worker/catalog/catalog'
import { pause, Steps } from '#worker/http/steps'
import { firstOf } from '#worker/storage/database'
import { MAX_CHUNK_CHARACTERS } from './chunk-builder'
import { LOOKED_UP_RECORDS, readStored } from './kept-fields'
import { askedElement, type ComparedForm, type DifferingRow, differingRecords } from './sql/compare'
import { type CatalogState, type ExpectedState, requireState, stateStatement } from './sql/state'

/** If a larger share of the records differs, all are sent: omitting the others gains nothing. */
const MOST_DIFFERING = 1 / 3

/** Records of the first question. Few, so that its answer arrives early. */
const SAMPLE_RECORDS = 1500

/** With more records, which are very small, their IDs and positions use too much memory. */
const MOST_COMPARED = 100_000

/** Most characters of forms in memory: control characters need six each. */
const MAX_FORM_CHARACTERS = 10_000_000

/** Characters of forms that may always stay in memory, whatever else is sent. */
const SMALL_CHARACTERS = 5_000_000

/** Rows of an answer processed between two pauses. */
const ROWS_PER_STEP = 250

/** The checked forms of some records, and the errors of the others, in their order. */
export type CheckedStep = { records: CheckedRecord[]; errors: FieldError[] }

/** The differing records by position, in one state of the catalog. */
interface Answer {
  state: CatalogState
  rows: DifferingRow[]
}

interface Question {
  /** A JSON list of `askedElement`s. */
  elements: string
  /** Position of the first one. */
  first: number
  /** Undefined if it failed. */
  answer: Promise<Answer | undefined>
}

/**
 * Checked records that are compared with stored ones before anything is derived from them. The database compares
 * digests of their forms while further records are checked. Only records that differ are completed and sent. They stay
 * in memory until they are written, to be compared again if the catalog changes, unless so many differ that there is
 * no room.
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
  #answered = 0
  #differing = 0
  #isWhole = true
  #staysInMemory = true

  /** @param expected state of the catalog; any other state is rejected */
  constructor(catalog: Catalog, form: ComparedForm, expected: ExpectedState) {
    this.#catalog = catalog
    this.#form = form
    this.#expected = expected
  }

  /** Whether it has all records of the request, so that it can compare them again. */
  get canRepeat(): boolean {
    return this.#staysInMemory
  }

  /** Most bytes in memory. */
  get keptBytes(): number {
    return this.#staysInMemory ? 2 * this.#formCharacters : 0
  }

  /** Whether to accept no further records, because they do not fit into memory or comparing them gains nothing. */
  get isClosed(): boolean {
    const isFull = this.#forms.length >= MOST_COMPARED || this.#formCharacters > MAX_FORM_CHARACTERS
    return isFull || this.#differing > this.#answered * MOST_DIFFERING
  }

  add({ id, isActive, json: form }: CheckedRecord): void {
    const element = askedElement(id, isActive, digestOf(form))
    if (this.#elementCharacters + element.length > MAX_CHUNK_CHARACTERS) this.#endQuestion()
    if (!isActive) this.#inactive.add(this.#forms.length)
    this.#forms.push(form)
    this.#formCharacters += form.length
    this.#elements.push(element)
    this.#elementCharacters += element.length + 1
    if (this.#forms.length === SAMPLE_RECORDS) this.#endQuestion()
  }

  /** Asks about the last records, without waiting for the answer. */
  #endQuestion(): void {
    const count = this.#elements.length
    if (count === 0) return
    const asked = { elements: `[${this.#elements.join(',')}]`, first: this.#forms.length - count }
    this.#elements = []
    this.#elementCharacters = 0
    const answer = this.#ask([asked]).catch(() => undefined)
    this.#questions.push({ ...asked, answer })
    void answer.then((given) => {
      if (given === undefined) return
      this.#answered += count
      this.#differing += given.rows.length
    })
  }

  /** The differing records of some questions. @throws ApiError 409 for an unexpected state */
  async #ask(questions: readonly Pick<Question, 'elements' | 'first'>[]): Promise<Answer> {
    const { db, catalogKey } = this.#catalog
    const [states, ...lists] = await db.batch([
      stateStatement(catalogKey),
      ...questions.map(({ elements, first }) => differingRecords(catalogKey, elements, first, this.#form)),
    ])
    const state = firstOf(states)
    requireState(state, this.#expected)
    const rows: DifferingRow[] = []
    for (const [n, row] of lists.flat().entries()) {
      if (!this.#isStored(row)) rows.push(row)
      if (n % ROWS_PER_STEP === ROWS_PER_STEP - 1) await pause()
    }
    return { state, rows }
  }

  /** Whether a record is stored as sent, if its digest does not show it. */
  #isStored({ position, is_active, data }: DifferingRow): boolean {
    const { keptSlots, comparesActivity } = this.#form
    if (data === null || (comparesActivity && (is_active === 0) !== this.#inactive.has(position))) return false
    return mergedForm(this.#catalog.type, this.#forms[position]!, keptSlots, data) === data
  }

  /** All differing records, in one state. @throws ApiError 409 for an unexpected state */
  async #answer(): Promise<Answer> {
    const answers = await Promise.all(this.#questions.map(({ answer }) => answer))
    const [first] = answers
    if (first === undefined || answers.some((answer) => answer?.state.epoch !== first.state.epoch)) {
      return this.#ask(this.#questions)
    }
    return { state: first.state, rows: answers.flatMap((answer) => answer?.rows ?? []) }
  }

  /** Whether a differing record needs stored values. */
  get #needsStored(): boolean {
    return this.#form.keptSlots.length > 0 || !this.#form.comparesActivity
  }

  /** Ends the comparison before the end of the request. Further records are not compared. */
  async *close(reader: RecordCheck): AsyncGenerator<CheckedStep> {
    this.#isWhole = false
    this.#endQuestion()
    yield* this.#completed(reader, this.#needsStored ? await this.#answer() : null)
    reader.comparison = undefined
  }

  /** Completes the records that differ, in the order of the request, with pauses. @throws ApiError 409 as `again` */
  async *complete(reader: RecordCheck): AsyncGenerator<CheckedStep> {
    this.#endQuestion()
    yield* this.#completed(reader, await this.#answer())
  }

  /**
   * Compares all records again, and completes them as `complete` does.
   *
   * @param all whether to complete all records without comparing, unless stored values are needed
   * @throws ApiError 409 for an unexpected state
   */
  async *again(reader: RecordCheck, all: boolean): AsyncGenerator<CheckedStep> {
    yield* this.#completed(reader, all && !this.#needsStored ? null : await this.#ask(this.#questions))
  }

  /** @param reader the reader that checked the records @param answer null to complete all of them */
  async *#completed(reader: RecordCheck, answer: Answer | null): AsyncGenerator<CheckedStep> {
    reader.beginCompleting()
    const mostDiffer = (answer?.rows.length ?? 0) > this.#forms.length * MOST_DIFFERING
    const rows = answer === null || (mostDiffer && !this.#needsStored) ? null : answer.rows
    this.state = rows === null ? undefined : answer?.state
    // Large records do not fit next to many records to send.
    const hasRoom = !mostDiffer || this.#formCharacters <= SMALL_CHARACTERS
    this.#staysInMemory = rows !== null && this.#isWhole && hasRoom
    const rowAt = rows && new Map(rows.map((row) => [row.position, row]))
    const ids = [...reader.ids.keys()]
    const stored = new Set<DifferingRow>()
    const pacing = new Steps()
    let step: CheckedStep = { records: [], errors: [] }
    let position = -1
    for (const [id, index] of reader.ids) {
      if (++position === this.#forms.length) break
      if (!this.#staysInMemory && position > 0) this.#forms[position - 1] = ''
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
