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

/** Counts of the values in a part of a JSON text: list elements and object properties. */
interface Values {
  values: number
  /** Object properties only, because the parser looks up each name. */
  members: number
}

/** Limits of a JSON text. Every parsed value uses memory, however short its text is. */
export interface JsonLimits {
  /** Nesting depth of lists and objects. */
  depth: number
  /** Lists and objects, including empty ones. Parsed, `[{},{},…]` uses twenty times its size. */
  containers: number
  values: number
  /** For one call of `JSON.parse`, which cannot pause: one record, or everything outside the list of records. */
  piece?: Values
}

const NO_LIMIT: Values = { values: Number.POSITIVE_INFINITY, members: Number.POSITIVE_INFINITY }

/**
 * A list in a JSON text that may contain records, as byte positions that cut it into pieces of similar size: its
 * opening bracket, some of the commas between its elements, and its closing bracket or the end of the text.
 */
export type JsonList = number[]

const STEP_BYTES = 256 * 1024

const LIST_PIECE_BYTES = 128 * 1024

/**
 * Rejects JSON that would use too much memory, stack or time, before it is parsed. Finds its lists of records: the text
 * itself, or properties with one of the names. Does not check whether the text is valid JSON.
 *
 * @throws ApiError 400 with one error, `too_deep` or `too_many`
 */
export function* findLists(bytes: Uint8Array, limits: JsonLimits, listNames: readonly string[]): Work<JsonList[]> {
  const scanner = new JsonScanner(bytes, limits, listNames)
  while (scanner.scan(STEP_BYTES)) yield STEP_BYTES / 8
  return scanner.lists
}

/** Rejects JSON that exceeds the limits. @throws ApiError 400 with one error, `too_deep` or `too_many` */
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
  /** The list being scanned, and the depth of its elements. */
  #list: JsonList | null = null
  #listDepth = 0
  /** Counts of the current record, or of everything outside the list. */
  #openCounts: Values = { values: 0, members: 0 }
  /** Counts of everything outside the list, while the list is being scanned. */
  #outerCounts: Values = this.#openCounts
  #isObject = false
  /** Where the last string in the outermost object starts: a property name, if a list follows. */
  #lastString = 0

  constructor(bytes: Uint8Array, limits: JsonLimits, listNames: readonly string[]) {
    this.#bytes = bytes
    this.#limits = limits
    this.#piece = limits.piece ?? NO_LIMIT
    this.#listNames = listNames
  }

  /** Scans this many bytes, and on to the end of an open string. @returns whether bytes are left */
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

  /** Whether a list is the whole text, or a property with one of the names. */
  #mayHoldRecords(at: number): boolean {
    if (!this.#isObject) return this.#depth === 1 && this.lists.length === 0
    if (this.#depth !== 2) return false
    try {
      const member = strictUtf8.decode(this.#bytes.subarray(this.#lastString, at))
      return this.#listNames.includes(JSON.parse(member.slice(0, member.lastIndexOf(':'))))
    } catch {
      // Then the text is not JSON, and parsing rejects it.
      return false
    }
  }

  /** Counts a value. A container that is not empty has one more value than commas. */
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

/** The position of the closing quote of a string, or the end of the text. */
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
