import { invalidField } from '#shared/errors/errors'
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
import { atOnce, type Work } from '#shared/work'

/** Limits of a JSON text. Each value that `JSON.parse` makes takes memory, even if its text is short. */
export interface JsonLimits {
  /** Lists and objects within one another. */
  depth: number
  /** Lists and objects, empty ones too. `[{},{},…]` takes twenty times its size when it is parsed. */
  containers: number
  /** Elements of all lists and members of all objects. */
  values: number
  /**
   * The same of one element of the list of records, and of all that is not in it: `JSON.parse` does not pause in the
   * middle of it. Members are counted by themselves too, because each name is looked up.
   */
  piece?: { values: number; members: number }
}

/** A list in a JSON text that may hold records: the text itself, or a member of the object that it is. */
export interface JsonList {
  /** Position of its opening bracket. */
  start: number
  /** Position of what closes it; the end of the text if nothing does. */
  end: number
  /** Positions of some of the commas between elements. They divide the list into pieces of similar size. */
  cuts: number[]
}

/** Characters that are scanned at a time. */
const STEP_CHARACTERS = 256 * 1024

/** Characters of a piece of a list, at least. */
const LIST_PIECE_CHARACTERS = 128 * 1024

/**
 * Refuses JSON that would take too much memory, stack or time, before it is parsed, and finds its lists of records.
 * Does not check whether the text is JSON; `JSON.parse` does that.
 *
 * @param listNames names of the members that may be a list of records
 * @throws ApiError 400 with one error, `too_deep` or `too_many`
 */
export function* findLists(text: string, limits: JsonLimits, listNames: readonly string[]): Work<JsonList[]> {
  const shape = new JsonShape(text, limits, listNames)
  while (!shape.atEnd) {
    shape.scan(STEP_CHARACTERS)
    yield STEP_CHARACTERS / 8
  }
  return shape.end()
}

/** Refuses JSON beyond the limits. @throws ApiError 400 with one error, `too_deep` or `too_many` */
export const requireLimits = (text: string, limits: JsonLimits): void => {
  atOnce(findLists(text, limits, []))
}

class JsonShape {
  readonly #text: string
  readonly #limits: JsonLimits
  readonly #listNames: readonly string[]
  readonly #lists: JsonList[] = []
  #at = 0
  /** The list that is open, and the depth of its elements. */
  #list: JsonList | null = null
  #listDepth = 0
  #pieceStart = 0
  #depth = 0
  #isObject = false
  /** Where the last string in the outermost object begins: the name of a member, if a list follows. */
  #lastString = 0
  #containers = 0
  #values = 0
  #members = 0
  /** How many there were of both when the open element began, and how many are in elements that have ended. */
  #begun = { values: 0, members: 0 }
  readonly #ended = { values: 0, members: 0 }

  constructor(text: string, limits: JsonLimits, listNames: readonly string[]) {
    this.#text = text
    this.#limits = limits
    this.#listNames = listNames
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** Scans so many characters, and to the end of a string there. */
  scan(characters: number): void {
    const text = this.#text
    const to = Math.min(this.#at + characters, text.length)
    let at = this.#at
    for (; at < to; at++) {
      switch (text.charCodeAt(at)) {
        case QUOTE:
          if (this.#depth === 1) this.#lastString = at
          at = endOfString(text, at)
          break
        case COLON:
          this.#members++
          break
        case COMMA:
          this.#comma(at)
          break
        case OPENING_BRACKET:
        case OPENING_BRACE:
          this.#open(at)
          break
        case CLOSING_BRACKET:
        case CLOSING_BRACE:
          this.#close(at)
          break
      }
    }
    this.#at = at
  }

  /** @throws ApiError 400 beyond a limit */
  end(): JsonList[] {
    if (this.#list !== null) this.#endElement()
    const { values, members } = this.#ended
    this.#checkPiece(this.#values - values, this.#members - members, 'outside the list of records')
    return this.#lists
  }

  #comma(at: number): void {
    this.#count()
    const list = this.#list
    if (list === null || this.#depth !== this.#listDepth) return
    this.#endElement()
    if (at - this.#pieceStart < LIST_PIECE_CHARACTERS) return
    list.cuts.push(at)
    this.#pieceStart = at
  }

  #open(at: number): void {
    const { depth, containers } = this.#limits
    if (++this.#depth > depth) throw tooDeep(depth)
    if (++this.#containers > containers) throw tooManyValues(containers, 'lists and objects')
    this.#count()
    const isList = this.#text.charCodeAt(at) === OPENING_BRACKET
    if (this.#containers === 1) this.#isObject = !isList
    if (!isList || this.#list !== null || !this.#mayHoldRecords(at)) return
    this.#list = { start: at, end: this.#text.length, cuts: [] }
    this.#lists.push(this.#list)
    this.#listDepth = this.#depth
    this.#pieceStart = at
    this.#begun = { values: this.#values, members: this.#members }
  }

  /** Whether a list is the whole text, or a member with one of the names. */
  #mayHoldRecords(at: number): boolean {
    if (!this.#isObject) return this.#depth === 1 && this.#lists.length === 0
    if (this.#depth !== 2) return false
    const member = this.#text.slice(this.#lastString, at)
    try {
      return this.#listNames.includes(JSON.parse(member.slice(0, member.lastIndexOf(':'))))
    } catch {
      // The text is not JSON then, and is refused.
      return false
    }
  }

  #close(at: number): void {
    if (this.#list !== null && this.#depth === this.#listDepth) {
      this.#endElement()
      this.#list.end = at
      this.#list = null
    }
    this.#depth--
  }

  /** Counts a value. A container with values has one value more than commas. */
  #count(): void {
    if (++this.#values > this.#limits.values) throw tooManyValues(this.#limits.values, 'values')
  }

  #endElement(): void {
    const values = this.#values - this.#begun.values
    const members = this.#members - this.#begun.members
    this.#checkPiece(values, members, 'in one record')
    this.#ended.values += values
    this.#ended.members += members
    this.#begun = { values: this.#values, members: this.#members }
  }

  #checkPiece(values: number, members: number, where: string): void {
    const { piece } = this.#limits
    if (piece === undefined) return
    if (values > piece.values) throw tooManyValues(piece.values, `values ${where}`)
    if (members > piece.members) throw tooManyValues(piece.members, `members ${where}`)
  }
}

/** The position of the quote that closes a string; the end of the text if nothing does. */
function endOfString(text: string, open: number): number {
  let at = open + 1
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return text.length
}

const tooDeep = (limit: number) =>
  invalidField(null, 'too_deep', `The JSON is nested too deeply; it must have at most ${limit} levels.`, null, {
    limit,
  })

const tooManyValues = (limit: number, what: string) =>
  invalidField(
    null,
    'too_many',
    `The JSON has more than ${limit} ${what}; send the records in several requests.`,
    null,
    { limit },
  )
