import { type ApiError, invalidField } from '#shared/errors/errors'
import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from '#shared/text/characters'
import { strictUtf8 } from '#shared/text/utf8'
import { atOnce, type Work } from '#shared/work'

/** How many values a part of a JSON text has: elements of lists and members of objects. */
interface Values {
  values: number
  /** Members of objects alone, because each name is looked up. */
  members: number
}

/** Limits of a JSON text. Each value that `JSON.parse` makes takes memory, even if its text is short. */
export interface JsonLimits {
  /** Lists and objects within one another. */
  depth: number
  /** Lists and objects, empty ones too. `[{},{},…]` takes twenty times its size when it is parsed. */
  containers: number
  values: number
  /** The most in one call of `JSON.parse`, which cannot pause: an element of the list of records, or all beside it. */
  piece?: Values
}

const NO_LIMIT: Values = { values: Number.POSITIVE_INFINITY, members: Number.POSITIVE_INFINITY }

/**
 * A list in a JSON text that may hold records. Positions, in bytes, of its opening bracket, of some of the commas
 * between its elements, and of what closes it, or the end of the text: pieces of similar size.
 */
export type JsonList = number[]

const STEP_BYTES = 256 * 1024

const LIST_PIECE_BYTES = 128 * 1024

/**
 * Refuses JSON that would take too much memory, stack or time, before it is parsed, and finds its lists of records: the
 * text itself, or members with one of the names. Does not check whether the text is JSON.
 *
 * @throws ApiError 400 with one error, `too_deep` or `too_many`
 */
export function* findLists(bytes: Uint8Array, limits: JsonLimits, listNames: readonly string[]): Work<JsonList[]> {
  const scanner = new JsonScanner(bytes, limits, listNames)
  while (scanner.scan(STEP_BYTES)) yield STEP_BYTES / 8
  return scanner.lists
}

/** Refuses JSON beyond the limits. @throws ApiError 400 with one error, `too_deep` or `too_many` */
export const requireLimits = (bytes: Uint8Array, limits: JsonLimits): void => {
  atOnce(findLists(bytes, limits, []))
}

class JsonScanner {
  readonly lists: JsonList[] = []
  readonly #bytes: Uint8Array
  readonly #limits: JsonLimits
  readonly #piece: Values
  readonly #listNames: readonly string[]
  #at = 0
  #depth = 0
  #containers = 0
  #values = 0
  /** The list that is open, and the depth of its elements. */
  #list: JsonList | null = null
  #listDepth = 0
  /** What has come of the element that is open, or of all beside the list. */
  #openCounts: Values = { values: 0, members: 0 }
  /** The latter while the list is open. */
  #outerCounts: Values = this.#openCounts
  #isObject = false
  /** Where the last string in the outermost object begins: the name of a member, if a list follows. */
  #lastString = 0

  constructor(bytes: Uint8Array, limits: JsonLimits, listNames: readonly string[]) {
    this.#bytes = bytes
    this.#limits = limits
    this.#piece = limits.piece ?? NO_LIMIT
    this.#listNames = listNames
  }

  /** Scans so many bytes, and to the end of a string there. @returns whether there are more */
  scan(count: number): boolean {
    const bytes = this.#bytes
    const to = Math.min(this.#at + count, bytes.length)
    let at = this.#at
    for (; at < to; at++) {
      switch (bytes[at]) {
        case QUOTE:
          if (this.#depth === 1) this.#lastString = at
          at = endOfString(bytes, at)
          break
        case COLON:
          if (++this.#openCounts.members > this.#piece.members) throw this.#tooManyInPiece('members')
          break
        case COMMA:
          this.#count()
          if (this.#list !== null && this.#depth === this.#listDepth) this.#endElement(this.#list, at)
          break
        case OPENING_BRACKET:
        case OPENING_BRACE:
          this.#open(at)
          break
        case CLOSING_BRACKET:
        case CLOSING_BRACE:
          if (this.#list !== null && this.#depth === this.#listDepth) this.#endList(this.#list, at)
          this.#depth--
          break
      }
    }
    this.#at = at
    if (at < bytes.length) return true
    if (this.#list !== null) this.#endList(this.#list, bytes.length)
    return false
  }

  #open(at: number): void {
    const { depth, containers } = this.#limits
    if (++this.#depth > depth) throw tooDeep(depth)
    if (++this.#containers > containers) throw tooManyValues(containers, 'lists and objects')
    this.#count()
    const isList = this.#bytes[at] === OPENING_BRACKET
    if (this.#containers === 1) this.#isObject = !isList
    if (!isList || this.#list !== null || !this.#mayHoldRecords(at)) return
    this.#list = [at]
    this.lists.push(this.#list)
    this.#listDepth = this.#depth
    this.#outerCounts = this.#openCounts
    this.#openCounts = { values: 0, members: 0 }
  }

  /** Whether a list is the whole text, or a member with one of the names. */
  #mayHoldRecords(at: number): boolean {
    if (!this.#isObject) return this.#depth === 1 && this.lists.length === 0
    if (this.#depth !== 2) return false
    try {
      const member = strictUtf8.decode(this.#bytes.subarray(this.#lastString, at))
      return this.#listNames.includes(JSON.parse(member.slice(0, member.lastIndexOf(':'))))
    } catch {
      // The text is not JSON then, and is refused.
      return false
    }
  }

  /** Counts a value. A container with values has one value more than commas. */
  #count(): void {
    if (++this.#values > this.#limits.values) throw tooManyValues(this.#limits.values, 'values')
    if (++this.#openCounts.values > this.#piece.values) throw this.#tooManyInPiece('values')
  }

  #endElement(list: JsonList, at: number): void {
    this.#openCounts = { values: 0, members: 0 }
    if (at - list.at(-1)! >= LIST_PIECE_BYTES) list.push(at)
  }

  #endList(list: JsonList, at: number): void {
    list.push(at)
    this.#list = null
    this.#openCounts = this.#outerCounts
  }

  #tooManyInPiece(what: keyof Values): ApiError {
    const where = this.#list === null ? 'outside the list of records' : 'in one record'
    return tooManyValues(this.#piece[what], `${what} ${where}`)
  }
}

/** The position of the quote that closes a string; the end of the text if nothing does. */
function endOfString(bytes: Uint8Array, open: number): number {
  for (let at = open + 1; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) at++
  }
  return bytes.length
}

function tooDeep(limit: number): ApiError {
  const msg = `The JSON is nested too deeply; it must have at most ${limit} levels.`
  return invalidField(null, 'too_deep', msg, null, { limit })
}

function tooManyValues(limit: number, what: string): ApiError {
  const msg = `The JSON has more than ${limit} ${what}; send the records in several requests.`
  return invalidField(null, 'too_many', msg, null, { limit })
}
