import { ApiError, type FieldError, fieldError, sentenceOf } from '#shared/errors/errors'
import { MAX_SENT_BYTES } from '#shared/limits'
import { type CheckedRecord, RecordCheck } from '#shared/records/record-check'
import type { RecordSource, SourceRecord } from '#shared/records/source'
import type { Warning } from '#shared/records/warnings'
import { BACKSLASH, QUOTE } from '#shared/text/characters'
import type { Catalog } from '#worker/catalog/catalog'
import { Steps } from '#worker/http/sharing/steps'
import { KeptFields, LOOKED_UP_RECORDS } from './kept-fields'
import type { ExpectedState } from './sql/state'
import type { SentRecords } from './sql/write-records'

export interface CheckedRequest extends SentRecords {
  /** By position in the request: the number of the record for the caller. */
  indexes: Int32Array
  warnings: Warning[]
  /** The state of the catalog that a write must expect: that of the stored values, if the records keep some. */
  expected: ExpectedState
}

export interface CheckOptions extends ExpectedState {
  mode: 'upsert' | 'reconcile'
  /** Whether fields that are not sent keep their stored values. */
  keepsMissing: boolean
}

const TOO_LARGE = fieldError(
  null,
  null,
  'too_large',
  `the records take more than ${MAX_SENT_BYTES} bytes of memory, because they have very many control ` +
    'characters, quotes or backslashes, or long names and aliases; send fewer records at a time',
  null,
  { limit: MAX_SENT_BYTES },
)

/**
 * Checks all records and converts them into the form for the database. Drops the source: both do not fit into memory.
 *
 * @throws ApiError 400 with every error of every record, in lists that are made while they are sent; 409 if values
 *   are kept and the catalog is in another state than expected
 */
export async function checkRequest(
  catalog: Catalog,
  request: RecordSource,
  { mode, keepsMissing, expectedRevision, expectedEpoch }: CheckOptions,
): Promise<CheckedRequest> {
  const { type } = catalog
  const sentState = { expectedRevision, expectedEpoch }
  const keptFields = keepsMissing ? await KeptFields.begin(catalog, sentState) : undefined
  if (mode === 'reconcile' && request.partialError) throw partialCatalog(request.partialError)
  const source = keptFields?.withoutMissing(request) ?? { ...request }
  request.records = []
  const reader = new RecordCheck(type, source)
  const builder = new ChunkBuilder(mode === 'reconcile')
  const steps = checkInSteps(reader, source, keptFields, mode)
  refuseRecords(source.errors, steps)
  for (let step = await steps.next(); !step.done; step = await steps.next()) {
    refuseRecords(step.value.errors, steps)
    for (const record of step.value.records) builder.add(record)
    if (builder.isTooLarge) refuseRecords([TOO_LARGE], steps)
  }
  source.records = []
  const sent = builder.finish()
  if (builder.isTooLarge) refuseRecords([TOO_LARGE], steps)
  const indexes = Int32Array.from(reader.ids.values())
  const warnings = [...reader.warnings, ...(mode === 'upsert' ? cutOffWarnings(source) : [])]
  return { ...sent, indexes, warnings, expected: keptFields?.expected ?? sentState }
}

/** The checked forms of some records, and the errors of the others, in their order. */
type CheckedStep = { records: CheckedRecord[]; errors: FieldError[] }

/** Checks the records of a source, as many at a time as one step takes, with a pause after each step. */
async function* checkInSteps(
  reader: RecordCheck,
  source: RecordSource,
  keptFields: KeptFields | undefined,
  mode: 'upsert' | 'reconcile',
): AsyncGenerator<CheckedStep> {
  const steps = new Steps()
  const cutOff = mode === 'reconcile' ? (source.cutOffRow ?? null) : null
  let step: CheckedStep = { records: [], errors: [] }
  for (const group of groupsOf(source.records, keptFields === undefined ? GROUP_RECORDS : LOOKED_UP_RECORDS)) {
    await keptFields?.complete(group, source.columns)
    for (const row of group) {
      if (row.index === cutOff) {
        row.errors = [...row.errors, fieldError(row.index, null, 'cut_off', `the last row ${CUT_OFF}`)]
      }
      const { result, units } = reader.check(row)
      if ('json' in result) step.records.push(result)
      else step.errors.push(...result)
      if (!steps.isDue(units)) continue
      yield step
      step = { records: [], errors: [] }
      await steps.pause()
    }
    if (group.length === 0) await steps.pause()
  }
  steps.end()
  yield step
}

/** Records of a group when nothing is looked up. Few: what waits is copied each time that the engine frees memory. */
const GROUP_RECORDS = 50
/** Work on the rows of a group, blank ones too. */
const GROUP_UNITS = 150_000

/** Records in groups. A group without records stands for many blank rows. */
function* groupsOf(rows: RecordSource['records'], most: number): Generator<SourceRecord[]> {
  let group: SourceRecord[] = []
  let units = 0
  for (const row of rows) {
    units += row.units
    if (row.index !== null) group.push(row)
    if (group.length < most && units < GROUP_UNITS) continue
    yield group
    group = []
    units = 0
  }
  yield group
}

const CUT_OFF =
  'has fewer cells than the other rows, and no line end follows: the file looks cut off; send all of it, ' +
  'with a line end'

const cutOffWarnings = ({ cutOffRow }: RecordSource): Warning[] =>
  cutOffRow === null || cutOffRow === undefined
    ? []
    : [{ field: 'file', msg: `row ${cutOffRow}, the last one, ${CUT_OFF}`, code: 'cut_off' }]

const partialCatalog = (error: FieldError): ApiError =>
  new ApiError('invalid_request', `${sentenceOf(error)}. Nothing was written.`, { errors: [error] })

/** @throws ApiError 400 if there are errors. The rest of the request is checked while the answer is sent */
function refuseRecords(errors: readonly FieldError[], rest: AsyncGenerator<CheckedStep>): void {
  const [first] = errors
  if (first === undefined) return
  const lists = async function* (): AsyncGenerator<readonly FieldError[]> {
    yield errors
    for await (const step of rest) yield step.errors
  }
  const where = first.index === null ? 'The file is not valid' : `The record at index ${first.index} is not valid`
  const message = `${where}: ${sentenceOf(first)}. Nothing was written; \`errors\` lists every error.`
  throw new ApiError('invalid_request', message, { errors: lists(), logEntry: first })
}

/** Characters of a chunk. D1 takes 2,000,000 bytes for a value; a character takes three at most, escaped too. */
export const MAX_CHUNK_CHARACTERS = 600_000

/**
 * D1 binds at most 100 values to a statement, which has some of its own. 10 MB without escapes make fewer chunks,
 * because two neighbours have more than `MAX_CHUNK_CHARACTERS`.
 */
export const MAX_CHUNKS = 75

const LATIN_1_END = 0x100

/** Collects the records of a write in JSON lists below D1's limit for one bound value. */
export class ChunkBuilder {
  readonly #sent: SentRecords = { chunks: [], idLists: [], hasInactive: false, total: 0 }
  readonly #keepsIds: boolean
  readonly #maxBytes: number
  #records: string[] = []
  #ids: string[] = []
  #characters = 0
  #unmeasured: string[] = []
  #sentCharacters = 0
  #textBytes = 0
  #jsonCharacters = 0
  #isWide = false

  /** @param keepsIds whether to collect the ids by themselves too */
  constructor(keepsIds: boolean, maxBytes = MAX_SENT_BYTES) {
    this.#keepsIds = keepsIds
    this.#maxBytes = maxBytes
  }

  add({ id, isActive, json }: CheckedRecord): void {
    this.#sent.hasInactive ||= !isActive
    if (this.#characters + json.length > MAX_CHUNK_CHARACTERS) this.#flush()
    this.#records.push(json)
    if (this.#keepsIds) this.#ids.push(id)
    this.#characters += json.length + 1
    this.#sent.total++
  }

  /** Whether the records so far take too much memory when they are sent, or more than `MAX_CHUNKS`. */
  get isTooLarge(): boolean {
    const batchBytes = (this.#isWide ? 2 : 1) * this.#jsonCharacters
    return this.#textBytes + batchBytes > this.#maxBytes || this.#sent.chunks.length > MAX_CHUNKS
  }

  finish(): SentRecords {
    this.#flush()
    return this.#sent
  }

  #flush(): void {
    if (this.#records.length === 0) return
    const { chunks, idLists, total } = this.#sent
    chunks.push({ json: this.#measured(jsonList(this.#records)), offset: total - this.#records.length })
    if (this.#keepsIds) idLists.push(this.#measured(JSON.stringify(this.#ids)))
    this.#records = []
    this.#ids = []
    this.#characters = 0
  }

  /**
   * Adds the memory of a text: its own, two bytes a character if one of them is not Latin-1, and that of the batch, a
   * JSON text in which quotes and backslashes are escaped. No text is read before they could be too large.
   */
  #measured(text: string): string {
    this.#unmeasured.push(text)
    this.#sentCharacters += text.length
    // A character takes at most six bytes: two in the text, and four in the JSON if it is escaped there.
    if (this.#sentCharacters <= this.#maxBytes / 6) return text
    for (const unmeasured of this.#unmeasured.splice(0)) this.#measure(unmeasured)
    return text
  }

  #measure(text: string): void {
    let isWide = false
    let escapes = 0
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === QUOTE || code === BACKSLASH) escapes++
      else if (code >= LATIN_1_END) isWide = true
    }
    this.#isWide ||= isWide
    this.#textBytes += isWide ? 2 * text.length : text.length
    this.#jsonCharacters += text.length + escapes
  }
}

/**
 * A JSON list of elements that are JSON. The brackets go into the first and the last: added to the joined text, they
 * would make the engine copy it once more.
 */
function jsonList(elements: string[]): string {
  elements[0] = `[${elements[0]}`
  elements.push(`${elements.pop()}]`)
  return elements.join(',')
}
