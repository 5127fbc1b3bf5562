import { ApiError, type FieldError, fieldError, invalidField } from '#shared/errors/errors'
import { isJsonObject, isLargerThan, mayHoldInexactRefid, parseExactJson } from '#shared/json/exact-numbers'
import { membersOf, repeatedMember } from '#shared/json/members'
import { type ParsedList, type Piece, parseInPieces } from '#shared/json/pieces'
import { endOfValue } from '#shared/json/scanner'
import type { Steps } from '#shared/json/steps'
import { MAX_JSON_RECORDS, MAX_RECORD_CHARACTERS } from '#shared/limits'
import { textBetween, utf8Encoder } from '#shared/text/utf8'
import { NO_ERRORS, type RecordSource, type SourceRecord } from './source'

/** Some records of a request. */
interface RecordsPiece {
  elements: unknown[]
  /** Names of members that a record has twice, by the place of the record. */
  repeated: ReadonlyMap<number, string>
  /** See `RecordSource`. */
  isWellFormed: boolean
}

const LIST_NAMES = ['records', 'items'] as const

/**
 * The records of a JSON body (docs/contract.md#write-bodies). The numbers in a `refid` keep their text.
 *
 * @param bytes UTF-8, with or without a byte order mark
 * @throws ApiError 400 for what is not JSON, when there is no list or more than one, or when it is too long to be valid
 */
export function* jsonSource(bytes: Uint8Array): Steps<RecordSource> {
  const { rest, restText, lists } = yield* parseInPieces(bytes, takeRecords)
  const { length, pieces } = recordListOf(rest, restText, lists)
  if (length > MAX_JSON_RECORDS) {
    throw invalidField(
      null,
      'too_many',
      `The list has more than ${MAX_JSON_RECORDS} elements; send them in several requests.`,
      null,
      { limit: MAX_JSON_RECORDS },
    )
  }
  return {
    format: 'json',
    warnings: [],
    errors: [],
    unread: new Set(),
    isWellFormed: pieces.every((piece) => piece.isWellFormed),
    records: elements(pieces),
    partial: partOf(rest),
  }
}

function takeRecords({ text, bytes, elements }: Piece, members: readonly number[]): RecordsPiece {
  const isExact = !mayHoldInexactRefid(text)
  const repeated = new Map<number, string>()
  let at = 1
  let walked = 0
  for (const [place, record] of elements.entries()) {
    if (!isJsonObject(record)) continue
    const isRepeated = countMembers(record) !== members[place]
    const isInexact = !isExact && mayHoldNumbers(record.refid)
    if (!isRepeated && !isInexact) continue
    for (; walked < place; walked++) at = endOfValue(bytes, at) + 1
    const own = bytes.subarray(at, endOfValue(bytes, at))
    const name = isRepeated ? repeatedMember(own) : undefined
    if (name !== undefined) repeated.set(place, name)
    // Validation refuses a larger one.
    if (isInexact && !isLargerThan(MAX_RECORD_CHARACTERS, record.refid)) record.refid = exactRefid(own)
  }
  // Only an escape makes U+0000, or half of a surrogate pair, of bytes that are valid.
  return { elements, repeated, isWellFormed: !text.includes('\\u') }
}

function countMembers(record: Record<string, unknown>): number {
  let count = 0
  for (const _ in record) count++
  return count
}

const mayHoldNumbers = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'object' && value !== null)

/** The value of the last member with this name, as in `JSON.parse`. */
function exactRefid(record: Uint8Array): unknown {
  let value: unknown
  for (const { name, start, end } of membersOf(record)) {
    if (name === 'refid') value = parseExactJson(textBetween(record, start, end))
  }
  return value
}

/** @throws ApiError 400 unless there is exactly one list of records */
function recordListOf(
  rest: unknown,
  restText: string,
  lists: readonly ParsedList<RecordsPiece>[],
): ParsedList<RecordsPiece> {
  if (isJsonObject(rest)) {
    const repeated = repeatedMember(utf8Encoder.encode(restText))
    if (repeated !== undefined)
      throw invalidField(repeated, 'malformed', 'occurs twice in the body; send it once')
    if (LIST_NAMES.every((name) => name in rest)) {
      throw invalidField('items', 'conditional', 'must not be sent beside `records`; send one list')
    }
  }
  const list = lists.find(({ name }) => name === null || LIST_NAMES.some((known) => known === name))
  if (list === undefined) {
    throw new ApiError(
      'invalid_request',
      'The body must be a list of records, or an object with the list as `records` or `items`.',
    )
  }
  return list
}

/** The error of a body that says of itself that it is one page of several; null if it does not. */
function partOf(body: unknown): FieldError | null {
  if (!isJsonObject(body)) return null
  const { has_more: hasMore, count, total } = body
  if (hasMore === true) return partial('has_more', 'says that there are more records', hasMore)
  const isLess = typeof count === 'number' && typeof total === 'number' && count < total
  return isLess ? partial('count', 'is less than `total`', count) : null
}

const partial = (field: string, what: string, value: unknown): FieldError =>
  fieldError(
    null,
    field,
    'not_allowed',
    `${what}, so this is a part of a catalog; a reconcile takes the whole, because it deactivates what is left out`,
    value,
  )

function* elements(pieces: RecordsPiece[]): Generator<SourceRecord> {
  let index = 0
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    const { elements, repeated } = piece
    for (let place = 0; place < elements.length; place++, index++) {
      const record = elements[place]
      elements[place] = undefined
      const sent = (field: string): unknown => (isJsonObject(record) ? record[field] : undefined)
      yield { index, record, sent, errors: repeatedError(index, repeated.get(place), sent) }
    }
  }
}

function repeatedError(
  index: number,
  name: string | undefined,
  sent: (field: string) => unknown,
): readonly FieldError[] {
  if (name === undefined) return NO_ERRORS
  return [fieldError(index, name, 'malformed', 'occurs twice in the record; send it once', sent(name))]
}
