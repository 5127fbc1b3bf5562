import type { FieldError } from '#shared/errors/errors'
import { MAX_SENT_BYTES } from '#shared/limits'
import type { CheckedRecord, RecordCheck } from '#shared/records/record-check'
import type { RawRecord } from '#shared/records/record-type'
import { mergedRecord } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import { Steps } from '#worker/http/steps'
import { firstOf } from '#worker/storage/database'
import { MAX_CHUNK_CHARACTERS, SentTexts } from './chunk-builder'
import { LOOKED_UP_RECORDS, readStored } from './kept-fields'
import { type ComparedForm, type DifferingRow, differingRecords } from './sql/compare'
import { type CatalogState, type ExpectedState, requireState, stateStatement } from './sql/state'

/** If more of the records differ, they are all sent: nothing is gained by leaving out the others. */
const MOST_DIFFERING = 1 / 3

/** The first records, which are compared while the others are checked. */
const SAMPLE_RECORDS = 1500

/** Of more records, which are very small ones, the ids and places take too much memory. */
const MOST_COMPARED = 100_000

/** Pieces that stay in memory whatever else is sent: some ten megabytes. */
const SMALL_PIECES = 8

/** The checked forms of some records, and the errors of the others, in their order. */
export type CheckedStep = { records: CheckedRecord[]; errors: FieldError[] }

/** A JSON object, from the ids of records to their lists (`ComparedForm`). */
interface Piece {
  json: string
  /** Where each record begins. */
  starts: number[]
  /** Position of the first one. */
  first: number
}

/** Characters of `[1,` before the values of a list. */
const ACTIVITY_CHARACTERS = 3

const listOf = ({ isActive, json }: CheckedRecord): string => {
  const values = json.slice(1)
  return `[${isActive ? 1 : 0}${values === ']' ? '' : ','}${values}`
}

/**
 * Checked records that are compared with the stored ones before anything is derived from them. Only those that differ
 * are completed, and sent. Stays in memory until they are written, to compare once more if the catalog has changed,
 * unless so many differ that there is no room.
 */
export class ComparedRecords {
  readonly #catalog: Catalog
  readonly #form: ComparedForm
  readonly #pieces: Piece[] = []
  readonly #texts = new SentTexts(MAX_SENT_BYTES / 2)
  #members: string[] = []
  #starts: number[] = []
  #characters = 0
  #count = 0
  readonly #expected: ExpectedState
  /** In which the records were compared that are completed; undefined if all of them are, in any state. */
  state: CatalogState | undefined
  #isWhole = true
  #mostDiffer = false
  #staysInMemory = true

  /** @param expected state of the catalog; any other is refused */
  constructor(catalog: Catalog, form: ComparedForm, expected: ExpectedState) {
    this.#catalog = catalog
    this.#form = form
    this.#expected = expected
  }

  /** Whether it has all records of the request, so that it can compare them once more. */
  get canRepeat(): boolean {
    return this.#isWhole && this.#staysInMemory
  }

  /** The texts that stay in memory. */
  get texts(): SentTexts | undefined {
    return this.#staysInMemory ? this.#texts : undefined
  }

  /** Whether further records are not to come here: they do not fit into memory, or nothing is gained. */
  get isClosed(): boolean {
    return this.#mostDiffer || this.#count >= MOST_COMPARED || this.#texts.isTooLarge()
  }

  add(record: CheckedRecord): void {
    const member = `${JSON.stringify(record.id)}:${listOf(record)}`
    if (this.#characters + member.length > MAX_CHUNK_CHARACTERS) this.#flush()
    this.#starts.push(this.#characters + 1)
    this.#members.push(member)
    this.#characters += member.length + 1
    this.#count++
    if (this.#count === SAMPLE_RECORDS) void this.#askSample()
  }

  /** Finds out whether most of the first records differ. Nobody waits for it, and all are asked about later anyway. */
  async #askSample(): Promise<void> {
    this.#flush()
    const most = Math.floor(SAMPLE_RECORDS * MOST_DIFFERING)
    const { db, catalogKey } = this.#catalog
    const pieces = this.#pieces.map(({ json }) => json)
    const rows = await db.all(differingRecords(catalogKey, pieces, this.#form, most + 1)).catch(() => [])
    this.#mostDiffer = rows.length > most
  }

  #flush(): void {
    if (this.#members.length === 0) return
    const json = this.#texts.add(`{${this.#members.join(',')}}`)
    this.#pieces.push({ json, starts: this.#starts, first: this.#count - this.#starts.length })
    this.#members = []
    this.#starts = []
    this.#characters = 0
  }

  /** The records that differ; null if they are too many to be worth it. @throws ApiError 409 for another state */
  async #ask(): Promise<DifferingRow[] | null> {
    const { db, catalogKey } = this.#catalog
    const most = this.#needsStored ? null : Math.floor(this.#count * MOST_DIFFERING)
    const pieces = this.#pieces.map(({ json }) => json)
    const [states, rows] = await db.batch([
      stateStatement(catalogKey),
      differingRecords(catalogKey, pieces, this.#form, most === null ? null : most + 1),
    ])
    this.state = firstOf(states)
    requireState(this.state, this.#expected)
    return most !== null && rows.length > most ? null : rows
  }

  /** Whether stored values are needed of a record that differs. */
  get #needsStored(): boolean {
    return this.#form.keptSlots.length > 0 || !this.#form.comparesActivity
  }

  /** Ends the comparison before the end of the request: further records do not come here. */
  async *close(reader: RecordCheck): AsyncGenerator<CheckedStep> {
    this.#isWhole = false
    yield* this.complete(reader, !this.#needsStored)
    reader.comparison = undefined
  }

  /**
   * Asks which records differ, and completes them in the order of the request, with pauses.
   *
   * @param reader that has checked them
   * @param all completes all of them without asking
   * @throws ApiError 409 for another state than expected
   */
  async *complete(reader: RecordCheck, all = false): AsyncGenerator<CheckedStep> {
    reader.beginCompleting()
    this.#flush()
    const rows = all ? null : await this.#ask()
    if (rows === null) this.state = undefined
    // Beside many records to be sent, large ones do not fit.
    const isSmall = this.#pieces.length <= SMALL_PIECES || (rows?.length ?? 0) <= this.#count * MOST_DIFFERING
    this.#staysInMemory = rows !== null && isSmall
    const rowById = rows && new Map(rows.map((row) => [row.id, row]))
    const pacing = new Steps()
    let step: CheckedStep = { records: [], errors: [] }
    let found = 0
    let position = -1
    for (const [id, index] of reader.ids) {
      if (++position === this.#count || found === rowById?.size) break
      const row = rowById?.get(id)
      if (rowById !== null && row === undefined) continue
      found++
      await this.#readStored(row, rows ?? [])
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
    if (rowById !== null && found < rowById.size) throw new Error('catalog: the database compares ids of no record')
    pacing.end()
    yield step
  }

  /** Reads what is stored of a record and of the next ones, if the database has not said it yet. */
  async #readStored(row: DifferingRow | undefined, rows: readonly DifferingRow[]): Promise<void> {
    if (row === undefined || row.data !== null || row.keeps === 0) return
    const next = rows.slice(rows.indexOf(row)).filter(({ keeps }) => keeps === 1)
    const portion = next.slice(0, LOOKED_UP_RECORDS)
    const stored = await readStored(
      this.#catalog,
      portion.map(({ id }) => id),
      { slots: this.#form.keptSlots, keepsActivity: false },
    )
    for (const { position, data } of stored.rows) portion[position]!.data = data
  }

  /** The record that is stored when the values that were sent take the place of stored ones. */
  #merged(id: string, position: number, row: DifferingRow | undefined): RawRecord {
    const { type } = this.#catalog
    const list = this.#listAt(position, id)
    const form = `[${list.slice(ACTIVITY_CHARACTERS)}`
    const record = mergedRecord(type, form === '[' ? '[]' : form, this.#form.keptSlots, row?.data ?? null)
    record[type.idField] = id
    record.is_active = this.#form.comparesActivity ? list[1] === '1' : row?.is_active !== 0
    return record
  }

  #listAt(position: number, id: string): string {
    const n = this.#pieces.findLastIndex((piece) => piece.first <= position)
    const { json, starts, first } = this.#pieces[n]!
    if (!this.#staysInMemory) for (const piece of this.#pieces.slice(0, n)) piece.json = ''
    const place = position - first
    const end = (starts[place + 1] ?? json.length) - 1
    return json.slice(starts[place]! + JSON.stringify(id).length + 1, end)
  }
}
