import { RECORDS_JSON_LIMITS } from '#shared/limits'
import { strictUtf8, strictUtf8File } from '#shared/text/utf8'
import { emptyBody, invalidJson, invalidJsonAt, notUtf8 } from './error'
import { type JsonList, scanInSteps } from './shape'
import { PAUSE, StepCounter, type Steps } from './steps'

/** Some elements of a list in a JSON body. */
export interface Piece {
  /** A list, as JSON. */
  text: string
  /** Its bytes, without the closing bracket; they begin with the opening one, or with the comma before the elements. */
  bytes: Uint8Array
  elements: unknown[]
}

/** Makes a value of a piece that has been parsed. `members` are those of each element, in order. */
type TakePiece<T> = (piece: Piece, members: readonly number[]) => T

/** A list of a JSON body, in pieces. */
export interface ParsedList<T> {
  /** Null if it is the whole body. */
  name: string | null
  length: number
  pieces: T[]
}

interface ParsedBody<T> {
  /** The body with its lists empty. */
  rest: unknown
  /** The text of that. */
  restText: string
  lists: ParsedList<T>[]
}

/** A byte order mark is no white space within JSON. */

function decodedPart(bytes: Uint8Array, start: number, end: number): string {
  try {
    return (start === 0 ? strictUtf8File : strictUtf8).decode(bytes.subarray(start, end))
  } catch {
    throw notUtf8()
  }
}

/**
 * Parses a JSON body. Its lists are parsed in pieces, because `JSON.parse` does not pause: 10 MB take up to 100 ms.
 *
 * @param take gets each piece, and its text for the last time
 * @throws ApiError 400 for what is not JSON, naming line and column, and beyond `RECORDS_JSON_LIMITS`
 */
export function* parseInPieces<T>(bytes: Uint8Array, take: TakePiece<T>): Steps<ParsedBody<T>> {
  const found = yield* scanInSteps(bytes, RECORDS_JSON_LIMITS)
  const step = new StepCounter()
  if (step.ends(bytes.byteLength)) yield PAUSE
  const lists: ParsedList<T>[] = []
  const rest: Section[] = []
  let at = 0
  for (const list of found) {
    const pieces: T[] = []
    let first = 0
    for (const [start, end] of sectionsOf(list)) {
      const piece = parsePiece(bytes, list, { text: decodedPart(bytes, start + 1, end), start, end })
      const { length } = piece.elements
      pieces.push(take(piece, list.members.slice(first, first + length)))
      first += length
      if (step.ends(end - start)) yield PAUSE
    }
    const name = list.name === null ? null : listName(decodedPart(bytes, list.name, list.start))
    lists.push({ name, length: first, pieces })
    rest.push({ text: decodedPart(bytes, at, list.start + 1), start: at, end: list.start + 1 })
    at = list.end
  }
  rest.push({ text: decodedPart(bytes, at, bytes.length), start: at, end: bytes.length })
  const restText = rest.map(({ text }) => text).join('')
  if (step.ends(restText.length)) yield PAUSE
  return { rest: yield* parseRest(bytes, rest, restText), restText, lists }
}

/** A part of the body, from a byte to another one. */
interface Section {
  text: string
  start: number
  end: number
}

/** The places of a list's brackets and cuts, in pairs. */
function* sectionsOf({ start, end, cuts }: JsonList): Generator<[number, number]> {
  let from = start
  for (const to of [...cuts, end]) {
    yield [from, to]
    from = to
  }
}

/** @throws ApiError 400 */
function parsePiece(bytes: Uint8Array, list: JsonList, { text, start, end }: Section): Piece {
  // Nothing closes a list that ends with the body.
  const isClosed = end < bytes.length
  const json = `[${text}${isClosed ? ']' : ''}`
  let elements: unknown[]
  try {
    elements = JSON.parse(json)
  } catch (error) {
    const before = decodedPart(bytes, 0, start + 1).length - 1
    throw invalidJson(error, json, {
      text: decodedPart(bytes, 0, bytes.length),
      placeOf: (position) => before + position,
    })
  }
  // Nothing follows a comma.
  if (elements.length === 0 && start !== list.start)
    throw invalidJsonAt(decodedPart(bytes, 0, bytes.length), decodedPart(bytes, 0, end).length)
  return { text: json, bytes: bytes.subarray(start, end), elements }
}

const listName = (text: string): string | null => {
  try {
    return JSON.parse(text.slice(0, text.lastIndexOf(':')))
  } catch {
    // The whole is no JSON then, and is refused.
    return null
  }
}

/** @throws ApiError 400 */
function* parseRest(bytes: Uint8Array, sections: readonly Section[], text: string): Steps<unknown> {
  if (text.trim() === '') throw emptyBody()
  try {
    return JSON.parse(text)
  } catch (error) {
    yield PAUSE
    const whole = decodedPart(bytes, 0, bytes.length)
    throw invalidJson(error, text, {
      text: whole,
      placeOf: (position) => placeInBody(bytes, sections, position),
    })
  }
}

/** The place in the whole text of a place in the joined sections. */
function placeInBody(bytes: Uint8Array, sections: readonly Section[], position: number): number {
  let left = position
  for (const { text, start } of sections) {
    if (left < text.length) return decodedPart(bytes, 0, start).length + left
    left -= text.length
  }
  return decodedPart(bytes, 0, bytes.length).length
}
