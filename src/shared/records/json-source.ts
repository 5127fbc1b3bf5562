import { type ApiError, type FieldError, fieldError, invalidField } from '#shared/errors/errors'
import { decodedJson, decodedPart, invalidJson } from '#shared/json/error'
import { isJsonObject, isLargerThan, mayHoldInexactRefid, parseExactJson } from '#shared/json/exact-numbers'
import { findLists, type JsonList } from '#shared/json/shape'
import { MAX_JSON_RECORDS, MAX_RECORD_CHARACTERS, RECORDS_JSON_LIMITS } from '#shared/limits'
import { COMMA } from '#shared/text/characters'
import type { Work } from '#shared/work'
import { NO_ERRORS, type RecordSource, type SourceRecord } from './source'

const LIST_NAMES = ['records', 'items'] as const

/** Properties of the body that are read or occur in a page. */
const KNOWN_NAMES: readonly string[] = [...LIST_NAMES, 'count', 'total', 'limit', 'offset', 'has_more']

/**
 * The records of a JSON body (docs/contract.md#write-bodies), decoded and parsed in pieces, because 10 MB in one piece
 * block an isolate for up to 400 ms. The numbers in a `refid` keep their text.
 *
 * @throws ApiError 400 for invalid JSON, for JSON beyond `RECORDS_JSON_LIMITS`, and unless there is exactly one list
 *   that is not too long
 */
export function* jsonSource(bytes: Uint8Array): Work<RecordSource> {
  const [list, second] = yield* findLists(bytes, RECORDS_JSON_LIMITS, LIST_NAMES)
  if (second !== undefined) throw twoLists()
  const pieces: unknown[][] = []
  let length = 0
  let [from = 0, ...ends] = list ?? []
  for (const to of ends) {
    const piece = parsePiece(bytes, from, to, length)
    pieces.push(piece)
    length += piece.length
    yield to - from
    from = to
  }
  const rest = parseRest(bytes, list)
  if (isJsonObject(rest) && LIST_NAMES.every((name) => name in rest)) throw twoLists()
  if (list === undefined || (isJsonObject(rest) && !LIST_NAMES.some((name) => Array.isArray(rest[name])))) {
    const msg = 'The body must be a list of records, or an object with the list as `records` or `items`.'
    throw invalidField(null, 'wrong_type', msg, rest)
  }
  if (length > MAX_JSON_RECORDS) {
    const msg = `The list has more than ${MAX_JSON_RECORDS} elements; send them in several requests.`
    throw invalidField(null, 'too_many', msg, null, { limit: MAX_JSON_RECORDS })
  }
  return {
    format: 'json',
    warnings: [],
    errors: [],
    unreadFields: new Set(),
    records: elementsOf(pieces),
    partialError: partOf(rest),
    propertiesBeside: isJsonObject(rest) ? Object.entries(rest).filter(([name]) => !KNOWN_NAMES.includes(name)) : [],
  }
}

const twoLists = (): ApiError =>
  invalidField('items', 'conditional', 'must not be sent together with `records`; send one list')

/** The elements of a list between two of its positions, after the first `before`. @throws ApiError 400 */
function parsePiece(bytes: Uint8Array, from: number, to: number, before: number): unknown[] {
  // Nothing closes a list that ends with the text.
  const json = `[${decodedPart(bytes, from + 1, to)}${to < bytes.length ? ']' : ''}`
  let elements: unknown[]
  try {
    elements = JSON.parse(json)
  } catch (error) {
    throw invalidJson(error, before)
  }
  if (elements.length === 0 && bytes[from] === COMMA)
    throw invalidJson(new SyntaxError('nothing follows a comma'), before)
  const isExact = !mayHoldInexactRefid(json) || !elements.every(isExactlyParsed)
  return isExact ? elements : (parseExactJson(json) as unknown[])
}

/** Whether a record is small enough to be accepted, so that the text of its numbers matters. */
const isExactlyParsed = (record: unknown): boolean =>
  !isJsonObject(record) || !isLargerThan(MAX_RECORD_CHARACTERS, record.refid)

/** Parses the body without the elements of its list. @throws ApiError 400 */
function parseRest(bytes: Uint8Array, list: JsonList | undefined): unknown {
  const [start = 0, end = start] = list === undefined ? [] : [list[0], list.at(-1)]
  const rest =
    list === undefined ? decodedJson(bytes) : decodedPart(bytes, 0, start + 1) + decodedPart(bytes, end, bytes.length)
  try {
    return JSON.parse(rest)
  } catch (error) {
    throw invalidJson(error)
  }
}

/** The error for a body that declares itself one of several pages; otherwise null. */
function partOf(body: unknown): FieldError | null {
  if (!isJsonObject(body)) return null
  const { has_more: hasMore, count, total } = body
  if (hasMore === true) return partial('has_more', 'says that there are more records', hasMore)
  const isLess = typeof count === 'number' && typeof total === 'number' && count < total
  return isLess ? partial('count', 'is less than `total`', count) : null
}

function partial(field: string, what: string, value: unknown): FieldError {
  const why = 'a reconcile requires the whole catalog, because it deactivates records that are missing'
  return fieldError(null, field, 'not_allowed', `${what}, so this is only part of a catalog; ${why}`, value)
}

/** Releases each element after returning it. */
function* elementsOf(pieces: unknown[][]): Generator<SourceRecord> {
  let index = 0
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    for (let at = 0; at < piece.length; at++, index++) {
      const record = piece[at]
      piece[at] = undefined
      const sentValue = (field: string): unknown => (isJsonObject(record) ? record[field] : undefined)
      yield { index, record, sentValue, errors: NO_ERRORS, units: 0 }
    }
  }
}
