import { ApiError, type FieldError, fieldError, sentenceOf } from '#shared/errors/errors'
import { pause } from '#shared/json/pause'
import { PAUSE, type Pause } from '#shared/json/steps'
import { MAX_SENT_BYTES } from '#shared/limits'
import { RecordReader } from '#shared/records/reader'
import type { RecordType } from '#shared/records/record-type'
import type { RecordSource } from '#shared/records/source'
import type { Warning } from '#shared/records/warnings'
import type { Chunk } from '#worker/catalog/write/sql/elements'
import { ChunkBuilder } from './chunks'
import type { KeptFields } from './kept-fields'

/** The records of a request, all valid, in the form for the database. */
export interface CheckedRequest {
  chunks: Chunk[]
  /** The ids by themselves, in JSON lists; none for an upsert, which does not ask what is left out. */
  idLists: string[]
  /** By place in the request: the number of the record for the caller. */
  indexes: Int32Array
  total: number
  warnings: Warning[]
}

const TOO_LARGE = fieldError(
  null,
  null,
  'too_large',
  `the records take more than ${MAX_SENT_BYTES} bytes of memory, because they have very many control characters, quotes or backslashes, or long names and aliases; send fewer records at a time`,
  null,
  { limit: MAX_SENT_BYTES },
)

/** Errors that are collected while stored values are read. Later ones are made while the answer is sent. */
const MOST_COLLECTED_ERRORS = 10_000

/**
 * Checks all records and converts them into the form for the database. Then drops the source, because the text of a
 * large file and the converted records do not fit into memory together.
 *
 * @param kept gives the records what they do not send, if that is wanted
 * @throws ApiError 400 with every error of every record, as a sequence that is made while it is read
 */
export async function checkAll(
  type: RecordType,
  source: RecordSource,
  mode: 'upsert' | 'reconcile',
  kept: KeptFields | undefined,
): Promise<CheckedRequest> {
  if (mode === 'reconcile' && source.partial) throw partialCatalog(source.partial)
  const sent = kept?.completed(source) ?? source
  const reader = new RecordReader(type, sent)
  const builder = new ChunkBuilder(mode === 'reconcile')
  const records = reader.read()
  const failed: FieldError[] = []
  for (let next = records.next(); !next.done; next = records.next()) {
    if (next.value === PAUSE) {
      await (kept?.pause() ?? pause())
      continue
    }
    if (Array.isArray(next.value)) {
      failed.push(...next.value)
      if (kept === undefined || failed.length > MOST_COLLECTED_ERRORS) refuseRecords(failed, records)
      continue
    }
    if (failed.length > 0) continue
    builder.add(next.value)
    if (builder.isTooLarge) refuseRecords([TOO_LARGE], records)
  }
  refuseRecords(failed, [])
  source.records = []
  sent.records = []
  const { chunks, ids: idLists } = builder.finish()
  if (builder.isTooLarge) refuseRecords([TOO_LARGE], [])
  const indexes = Int32Array.from(reader.ids.values())
  return { chunks, idLists, indexes, total: builder.total, warnings: reader.warnings }
}

const partialCatalog = (error: FieldError): ApiError =>
  new ApiError('invalid_request', `${sentenceOf(error)}. Nothing was written.`, { errors: [error] })

/** The message of the refusal: the first error in words. */
function errorLine({ index, field, msg }: FieldError): string {
  const what = field === null ? msg : `${field} ${msg}`
  const where = index === null ? 'The file is not valid' : `The record at index ${index} is not valid`
  return `${where}: ${what}. Nothing was written; \`errors\` lists every error.`
}

/**
 * Refuses invalid records. The rest of the request is checked while the answer is sent.
 *
 * @throws ApiError 400 unless there are no errors
 */
function refuseRecords(found: readonly FieldError[], rest: ReturnType<RecordReader['read']> | []): void {
  const [noted] = found
  if (noted === undefined) return
  const errors = function* (): Generator<FieldError | Pause> {
    yield* found
    for (const checked of rest) {
      if (checked === PAUSE) yield PAUSE
      else if (Array.isArray(checked)) yield* checked
    }
  }
  throw new ApiError('invalid_request', errorLine(noted), { errors: errors(), noted })
}
