import { invalidField } from '#shared/errors/errors'
import { OPENING_BRACKET } from '#shared/text/characters'
import { scan, type Walker } from './scanner'
import { atOnce, PAUSE, type Steps } from './steps'

/** Limits of a JSON text. Each value that `JSON.parse` makes takes memory, even if its text is short. */
export interface JsonLimits {
  /** Lists and objects within one another. */
  depth: number
  /** Lists and objects, empty ones too. `[{},{},…]` takes twenty times its size when it is parsed. */
  containers: number
  /** Elements of all lists and members of all objects. */
  values: number
  /**
   * The same of one element of a list of records, and of all that is in no such list: `JSON.parse` does not pause in
   * the middle of it. Members are counted by themselves too, because each name is looked up.
   */
  piece?: { values: number; members: number }
}

/** A list in the bytes of a JSON body that may hold records: the body itself, or a member of the object that it is. */
export interface JsonList {
  /** Position of the member's name; null if the list is the whole body. */
  name: number | null
  /** Position of its opening bracket. */
  start: number
  /** Position of what closes it; the end of the body if nothing does. */
  end: number
  /** Positions of some of the commas between elements. They divide the list into pieces of similar size. */
  cuts: number[]
  /** For each element, how many members it has if it is an object. */
  members: number[]
}

/**
 * Refuses JSON that would take too much memory, stack or time, before it is parsed, and finds its lists. Reads the
 * bytes once: about 3 ms for 1 MB, after which it may pause.
 *
 * Does not check whether the text is JSON; `JSON.parse` does that.
 *
 * @param bytes JSON in UTF-8
 * @throws ApiError 400 with one error, `too_deep` or `too_many`
 */
export function* scanInSteps(bytes: Uint8Array, limits: JsonLimits): Steps<JsonList[]> {
  const shape = new JsonShape(bytes, limits)
  const step = (from: number) => scan(shape, bytes, from, Math.min(from + STEP_BYTES, bytes.length))
  for (let at = step(0); at < bytes.length; at = step(at)) yield PAUSE
  return shape.end()
}

/** The same without pauses. */
export const scanJson = (bytes: Uint8Array, limits: JsonLimits): JsonList[] =>
  atOnce(scanInSteps(bytes, limits))

/** Bytes that are scanned at a time. */
const STEP_BYTES = 1024 * 1024

/** Bytes of a piece of a list, at least. */
const LIST_PIECE_BYTES = 128 * 1024

class JsonShape implements Walker {
  readonly #bytes: Uint8Array
  readonly #limits: JsonLimits
  readonly #lists: JsonList[] = []
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
  /** Members of the record that is open. */
  #members = 0
  #allMembers = 0
  /** How many there were of both when the open element began, and how many are in elements that have ended. */
  #begun = { values: 0, members: 0 }
  readonly #ended = { values: 0, members: 0 }

  constructor(bytes: Uint8Array, limits: JsonLimits) {
    this.#bytes = bytes
    this.#limits = limits
  }

  string(at: number): void {
    if (this.#depth === 1) this.#lastString = at
  }

  colon(): void {
    this.#allMembers++
    if (this.#depth === this.#listDepth + 1) this.#members++
  }

  comma(at: number): void {
    this.#count()
    const list = this.#list
    if (list === null || this.#depth !== this.#listDepth) return
    this.#endElement(list)
    if (at - this.#pieceStart < LIST_PIECE_BYTES) return
    list.cuts.push(at)
    this.#pieceStart = at
  }

  open(at: number): void {
    const { depth, containers } = this.#limits
    if (++this.#depth > depth) throw tooDeep(depth)
    if (++this.#containers > containers) throw tooManyValues(containers, 'lists and objects')
    this.#count()
    const isList = this.#bytes[at] === OPENING_BRACKET
    if (this.#containers === 1) this.#isObject = !isList
    if (!isList || this.#list !== null || this.#depth !== (this.#isObject ? 2 : 1)) return
    // Behind a list that was the whole body: the text is not JSON.
    if (!this.#isObject && this.#lists.length > 0) return
    const name = this.#isObject ? this.#lastString : null
    this.#list = { name, start: at, end: this.#bytes.length, cuts: [], members: [] }
    this.#lists.push(this.#list)
    this.#listDepth = this.#depth
    this.#pieceStart = at
    this.#begun = { values: this.#values, members: this.#allMembers }
  }

  close(at: number): void {
    const list = this.#list
    if (list !== null && this.#depth === this.#listDepth) {
      this.#endElement(list)
      list.end = at
      this.#list = null
    }
    this.#depth--
  }

  /** @throws ApiError 400 beyond a limit */
  end(): JsonList[] {
    if (this.#list !== null) this.#endElement(this.#list)
    const { values, members } = this.#ended
    this.#checkPiece(this.#values - values, this.#allMembers - members, 'outside the list of records')
    return this.#lists
  }

  /** Counts a value. A container with values has one value more than commas. */
  #count(): void {
    if (++this.#values > this.#limits.values) throw tooManyValues(this.#limits.values, 'values')
  }

  #endElement(list: JsonList): void {
    list.members.push(this.#members)
    this.#members = 0
    const values = this.#values - this.#begun.values
    const members = this.#allMembers - this.#begun.members
    this.#checkPiece(values, members, 'in one record')
    this.#ended.values += values
    this.#ended.members += members
    this.#begun = { values: this.#values, members: this.#allMembers }
  }

  #checkPiece(values: number, members: number, where: string): void {
    const { piece } = this.#limits
    if (piece === undefined) return
    if (values > piece.values) throw tooManyValues(piece.values, `values ${where}`)
    if (members > piece.members) throw tooManyValues(piece.members, `members ${where}`)
  }
}

const tooDeep = (limit: number) =>
  invalidField(
    null,
    'too_deep',
    `The JSON is nested too deeply; it must have at most ${limit} levels.`,
    null,
    { limit },
  )

const tooManyValues = (limit: number, what: string) =>
  invalidField(
    null,
    'too_many',
    `The JSON has more than ${limit} ${what}; send the records in several requests.`,
    null,
    { limit },
  )
