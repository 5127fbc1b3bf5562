import { ApiError, type FieldError, fieldError, sentenceOf } from '#shared/errors/errors'
import { LARGE_BODY_BYTES, MAX_SENT_BYTES } from '#shared/limits'
import { RecordCheck } from '#shared/records/record-check'
import type { RecordSource, SourceRecord } from '#shared/records/source'
import type { Warning } from '#shared/records/warnings'
import type { Catalog } from '#worker/catalog/catalog'
import { Steps } from '#worker/http/steps'
import { ChunkBuilder, MAX_CHUNKS, RequestIds, SentTexts } from './chunk-builder'
import { type CheckedStep, ComparedRecords } from './compared-records'
import { fillFromStored, LOOKED_UP_RECORDS, storedUseOf, withoutMissing } from './kept-fields'
import { type CatalogFacts, catalogFacts } from './sql/compare'
import type { Chunk, SentRecords } from './sql/sent-records'
import {
  asExpectedState,
  changedMeanwhile,
  type ExpectedState,
  isStaleState,
  requireState,
  stateStatement,
} from './sql/state'

export interface CheckedRequest extends SentRecords {
  format: RecordSource['format']
  /** The caller's number of each record, by position in the request. */
  indexes: Int32Array
  warnings: Warning[]
  /** Whether the record at a position is explicitly active. */
  saysActive: (position: number) => boolean
  /** The catalog state that the write must expect: the one with which the records were compared, if any. */
  expected: ExpectedState
  /** Whether the caller itself expects a state. */
  isConditional: boolean
  /** Compares again after the catalog has changed; undefined if nothing was compared. @throws as `checkRequest` */
  again: (() => Promise<CheckedRequest>) | undefined
}

export interface CheckOptions extends ExpectedState {
  mode: 'upsert' | 'reconcile'
  /** Whether missing fields keep their stored values. By default, fields without a CSV column do. */
  keepsMissing: boolean | undefined
  /** The facts of the catalog, if they were read for this request. */
  facts?: CatalogFacts | undefined
  /** Bytes of the request. Records of a large request are compared with stored ones before they are sent. */
  sizeBytes: number
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
 * Checks all records and converts them into the form for the database. Drops the source, because both do not fit into
 * memory. Records of a large request, and records that keep stored values, are first compared with stored ones.
 *
 * @throws ApiError 400 with every error of every record, in lists that are created while they are sent; 409 if records
 *   are compared and the catalog is not in the expected state
 */
export async function checkRequest(
  catalog: Catalog,
  request: RecordSource,
  options: CheckOptions,
): Promise<CheckedRequest> {
  const { type, db, catalogKey } = catalog
  const { mode, keepsMissing, sizeBytes, expectedRevision, expectedEpoch } = options
  if (mode === 'reconcile' && request.partialError) throw partialCatalog(request.partialError)
  const source = keepsMissing ? withoutMissing(request, type) : { ...request }
  request.records = []
  const isLarge = sizeBytes > LARGE_BODY_BYTES
  const facts = options.facts ?? (isLarge ? await db.one(catalogFacts(catalogKey)) : undefined)
  const { needsStored, keepsActivity, form, keptFields, unusedSlots } = storedUseOf(type, source, options, facts)
  const state = facts ?? (form === null ? await db.one(stateStatement(catalogKey)) : undefined)
  const sentState = { expectedRevision, expectedEpoch }
  if (state && needsStored) requireState(state, sentState)
  const hasRecords = state?.revision !== 0
  const compares = form !== null && hasRecords && (isLarge || needsStored) && source.errors.length === 0
  const compared = compares ? new ComparedRecords(catalog, form, sentState, needsStored ? undefined : facts) : undefined
  const reader = new RecordCheck(type, source, compares ? { keptFields } : undefined)
  const texts = new SentTexts(MAX_SENT_BYTES)
  const ids = new RequestIds(mode, texts)
  const looksUp = needsStored && hasRecords
  const kept = { slots: form?.keptSlots ?? [], keepsActivity }
  const steps = checkInSteps(source, mode, {
    reader,
    ids,
    compared,
    lookUp: looksUp ? (group) => fillFromStored(catalog, group, source.columns, kept) : undefined,
  })
  refuseRecords(source.errors, steps)
  const firstChunks = await chunksOf(steps, texts, compared)
  source.records = []
  ids.finish()
  const checked = {
    format: source.format,
    idLists: ids.idLists,
    total: ids.total,
    hasInactive: ids.hasInactive,
    indexes: Int32Array.from(reader.ids.values()),
    isConditional: expectedRevision !== null || expectedEpoch !== null,
    warnings: [...reader.warnings, ...(mode === 'upsert' ? cutOffWarnings(source) : [])],
    saysActive: reader.saysActive,
  }
  const expectedState = () => {
    const seen = compared?.state ?? (needsStored ? state : undefined)
    return seen ? asExpectedState(seen) : { ...sentState, unusedSlots }
  }
  const completed = (chunks: Chunk[], attempt: number): CheckedRequest => ({
    ...checked,
    chunks,
    usedSlots: reader.usedSlots,
    expected: expectedState(),
    again:
      compared?.canRepeat && attempt < MOST_COMPARISONS
        ? async () => {
            const rest = compared.again(reader, attempt > 1)
            return completed(await chunksOf(rest, new SentTexts(MAX_SENT_BYTES), compared), attempt + 1)
          }
        : undefined,
  })
  return completed(firstChunks, 1)
}

/**
 * Runs a change that expects the compared state, and compares again if the catalog has changed since.
 *
 * @throws ApiError 409 if it keeps changing
 */
export async function inComparedState<T>(
  checked: CheckedRequest,
  run: (checked: CheckedRequest) => Promise<T>,
): Promise<T> {
  for (let current = checked; ; ) {
    try {
      return await run(current)
    } catch (error) {
      if (!isStaleState(error)) throw error
      if (current.again === undefined) throw current.isConditional ? error : changedMeanwhile(error)
      current = await current.again()
    }
  }
}

/** Attempts to compare records if others write the catalog in the meantime. */
const MOST_COMPARISONS = 4

/** The records of some steps, in chunks. @throws ApiError 400 for their errors, and if they need too much memory */
async function chunksOf(
  steps: AsyncGenerator<CheckedStep>,
  texts: SentTexts,
  compared: ComparedRecords | undefined,
): Promise<Chunk[]> {
  const builder = new ChunkBuilder(texts)
  const requireRoom = () => {
    if (texts.isTooLarge(compared?.keptBytes)) compared?.makeRoom()
    if (texts.isTooLarge(compared?.keptBytes) || builder.chunks.length > MAX_CHUNKS) refuseRecords([TOO_LARGE], steps)
  }
  for (let step = await steps.next(); !step.done; step = await steps.next()) {
    refuseRecords(step.value.errors, steps)
    for (const record of step.value.records) builder.add(record)
    requireRoom()
  }
  builder.finish()
  requireRoom()
  return builder.chunks
}

const NOT_CHECKED = { result: [], units: 0 }

interface CheckContext {
  reader: RecordCheck
  ids: RequestIds
  /** Receives records that are compared before they are completed. */
  compared: ComparedRecords | undefined
  /** Fills in the stored values that records keep, if they are not compared. */
  lookUp: ((group: SourceRecord[]) => Promise<void>) | undefined
}

/**
 * Checks the records of a source, as many at a time as one step takes, with a pause after each step. With the first
 * error, comparing ends: the records before it are completed, and the others are looked up if they keep values, so that
 * all errors come in the order of the records.
 */
async function* checkInSteps(
  source: RecordSource,
  mode: 'upsert' | 'reconcile',
  { reader, ids, compared, lookUp }: CheckContext,
): AsyncGenerator<CheckedStep> {
  const pacing = new Steps()
  const cutOff = mode === 'reconcile' ? (source.cutOffRow ?? null) : null
  const check = (row: SourceRecord) => {
    if (row.index !== cutOff) return reader.check(row)
    const errors = [...row.errors, fieldError(row.index, null, 'cut_off', `the last row ${CUT_OFF}`)]
    return reader.check({ ...row, errors })
  }
  let step: CheckedStep = { records: [], errors: [] }
  const groupSize = () => (lookUp === undefined || reader.comparison ? GROUP_RECORDS : LOOKED_UP_RECORDS)
  for (const group of groupsOf(source.records, groupSize)) {
    let next = 0
    while (compared && reader.comparison && next < group.length) {
      const { result, units } = compared.isClosed ? NOT_CHECKED : check(group[next]!)
      if (Array.isArray(result)) {
        yield* compared.close(reader)
        break
      }
      compared.add(result)
      ids.add(result)
      next++
      if (pacing.isDue(units)) await pacing.pause()
    }
    const rest = next === 0 ? group : group.slice(next)
    await lookUp?.(reader.comparison ? [] : rest)
    for (const row of rest) {
      const { result, units } = check(row)
      if ('json' in result) {
        step.records.push(result)
        ids.add(result)
      } else step.errors.push(...result)
      if (!pacing.isDue(units)) continue
      yield step
      step = { records: [], errors: [] }
      await pacing.pause()
    }
    if (group.length === 0) await pacing.pause()
  }
  if (compared && reader.comparison) yield* compared.complete(reader)
  pacing.end()
  yield step
}

/** Records per group if nothing is looked up. Small, because each garbage collection copies waiting records. */
const GROUP_RECORDS = 50
/** Work on the rows of a group, including blank rows. */
const GROUP_UNITS = 150_000

/** Records in groups. A group without records means many blank rows. */
function* groupsOf(rows: RecordSource['records'], most: () => number): Generator<SourceRecord[]> {
  let group: SourceRecord[] = []
  let units = 0
  for (const row of rows) {
    units += row.units
    if (row.index !== null) group.push(row)
    if (group.length < most() && units < GROUP_UNITS) continue
    yield group
    group = []
    units = 0
  }
  yield group
}

const CUT_OFF =
  'has fewer cells than the other rows and no line break after it, so the file looks truncated; send the whole ' +
  'file, with a line break at the end'

const cutOffWarnings = ({ cutOffRow }: RecordSource): Warning[] =>
  cutOffRow === null || cutOffRow === undefined
    ? []
    : [{ field: 'file', msg: `row ${cutOffRow}, the last one, ${CUT_OFF}`, code: 'cut_off' }]

const partialCatalog = (error: FieldError): ApiError =>
  new ApiError('invalid_request', `${sentenceOf(error)}. Nothing was written.`, { errors: [error] })

/** @throws ApiError 400 if there are errors. The rest of the request is checked while the response is sent */
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
