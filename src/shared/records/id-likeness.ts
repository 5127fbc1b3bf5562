import { PAUSE, StepCounter, type Steps } from '#shared/json/steps'

/**
 * When an id looks like another one: the two differ only by zeros at the beginning of a run of digits, case, white
 * space, characters that cannot be seen, or separators (docs/contract.md#similar-ids). Then a program or a person has
 * probably changed the ids of a file, and a write would make second records of the same things.
 */

const span = (first: number, last: number): string =>
  String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, n) => first + n))

/** Characters that cannot be seen: soft hyphen, byte order mark, joiners, marks of direction and of variants. */
const INVISIBLE = `\u00ad\u061c\u180e${span(0x200b, 0x200f)}${span(0x202a, 0x202e)}\u2060${span(0x2066, 0x2069)}\ufe0e\ufe0f\ufeff`

/** White space, hyphens and dashes, and what else people put between the parts of an id. */
const ID_SEPARATORS = `-_./ \t\n\v\f\r\u00a0${span(0x2000, 0x200a)}\u2028\u2029\u202f\u205f\u3000${span(0x2010, 0x2015)}\u2212\ufe58\ufe63\uff0d`

/** All of them. The database leaves them out too (`sql/similar-ids.ts`). */
export const IGNORED_IN_IDS: readonly string[] = [...ID_SEPARATORS, ...INVISIBLE]

/** What a character of an id is, by its code. */
enum Kind {
  other = 0,
  digit = 1,
  separator = 2,
  invisible = 3,
}

const CHARACTER_KINDS = new Uint8Array(0x10000)
const setKind = (characters: string, kind: Kind): void => {
  for (const character of characters) CHARACTER_KINDS[character.charCodeAt(0)] = kind
}
setKind('0123456789', Kind.digit)
setKind(ID_SEPARATORS, Kind.separator)
setKind(INVISIBLE, Kind.invisible)

const ZERO = 0x30

/** Stands for the separators between two digits. No id has it. */
const BOUNDARY = 0

/**
 * Hashes a text, without the zeros at the beginning of its runs of digits. 53 bits: two different texts of one catalog
 * practically never share one. Its members are not private (`#`), because that takes half as long again.
 */
class Hash {
  high = 0
  low = 0
  /** The run of digits that has begun: 0 if none has, 1 if it has only zeros so far. */
  run = 0

  begin(): void {
    this.high = 0x811c9dc5 | 0
    this.low = 0x9747b28c | 0
    this.run = 0
  }

  add(code: number): void {
    this.high = Math.imul(this.high ^ code, 0x01000193)
    this.low = (Math.imul((this.low << 13) | (this.low >>> 19), 5) + Math.imul(code + 1, 0x85ebca6b)) | 0
  }

  digit(code: number): void {
    this.run = code === ZERO && this.run < 2 ? 1 : 2
    if (this.run === 2) this.add(code)
  }

  other(code: number): void {
    // A run of nothing but zeros counts as one zero.
    if (this.run === 1) this.add(ZERO)
    this.run = 0
    this.add(code)
  }

  end(): number {
    if (this.run === 1) this.add(ZERO)
    const high = Math.imul(this.high ^ (this.high >>> 15), 0x2c1b3c6d) >>> 0
    const low = Math.imul(this.low ^ (this.low >>> 16), 0x297a2d39) >>> 11
    return high * 2 ** 21 + low
  }
}

/**
 * The keys of an id: two ids look alike if they have one in common. The first leaves out separators and then the zeros
 * in front of numbers: `12-05` and `1205` have it in common. The second keeps digits apart that a separator keeps
 * apart: `12-05` and `12-5` have it in common. Without such a separator they are the same.
 */
class IdKeys {
  readonly #joined = new Hash()
  readonly #apart = new Hash()
  joined = 0
  apart = 0
  /** Whether a number in the id begins with a zero: `00123`, `A-001`. */
  hasZeros = false

  read(id: string): void {
    const text = id.toLowerCase()
    const joined = this.#joined
    const apart = this.#apart
    joined.begin()
    apart.begin()
    let isAfterDigit = false
    let isSeparated = false
    let hasZeros = false
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      const kind = CHARACTER_KINDS[code]
      if (kind === Kind.digit) {
        if (isAfterDigit && isSeparated) apart.other(BOUNDARY)
        if (apart.run === 1) hasZeros = true
        joined.digit(code)
        apart.digit(code)
        isAfterDigit = true
        isSeparated = false
      } else if (kind === Kind.other) {
        joined.other(code)
        apart.other(code)
        isAfterDigit = false
      } else if (kind === Kind.separator) isSeparated = true
    }
    this.joined = joined.end()
    this.apart = apart.end()
    this.hasZeros = hasZeros
  }
}

export function likenessKeys(id: string): readonly number[] {
  const keys = new IdKeys()
  keys.read(id)
  return keys.joined === keys.apart ? [keys.joined] : [keys.joined, keys.apart]
}

/** So many ids with and without zeros in front in one request: there, zeros may tell ids apart. */
const MANY_IDS = 100

/** An id of a request, with its place in it. */
export interface SentId {
  place: number
  id: string
}

/** What is kept of the ids of a request while its records are on their way to the database. */
export interface SentIds {
  /** Groups of ids that look alike; an id can be in two of them. */
  groups: readonly (readonly SentId[])[]
  /** Whether ids that look alike are told only if the names of their records are the same. */
  needsSameName: boolean
  /** By place: the number of the record for the caller. */
  indexes: Int32Array
}

/** A set of keys that takes some bits for each and, in return, sometimes holds one that was not added. */
class KeyFilter {
  readonly #bits: Uint8Array
  readonly #mask: number

  constructor(keys: number) {
    const size = 2 ** Math.ceil(Math.log2(16 * keys + 8))
    this.#bits = new Uint8Array(size / 8)
    this.#mask = size - 1
  }

  has(key: number): boolean {
    const bit = key & this.#mask
    return (this.#bits[bit >>> 3]! & (1 << (bit & 7))) !== 0
  }

  /** @returns whether the set held it already */
  add(key: number): boolean {
    const held = this.has(key)
    const bit = key & this.#mask
    this.#bits[bit >>> 3]! |= 1 << (bit & 7)
    return held
  }
}

/** Work on one id besides that on its characters, in units of a step. */
const ID_UNITS = 50

/**
 * Compares the ids of a request with each other. Keeps the texts of those only that look alike, because a large request
 * leaves little memory.
 */
class IdComparison {
  readonly #ids = new IdKeys()
  readonly #seen: KeyFilter
  readonly #repeated: KeyFilter
  /** Both keys of each id. */
  readonly #keys: Float64Array
  readonly #groups = new Map<number, SentId[]>()
  #count = 0
  #withZeros = 0

  constructor(ids: number) {
    this.#seen = new KeyFilter(2 * ids)
    this.#repeated = new KeyFilter(2 * ids)
    this.#keys = new Float64Array(2 * ids)
  }

  /** Takes each id in the order of the request. */
  note(id: string): void {
    const ids = this.#ids
    ids.read(id)
    const { joined, apart } = ids
    if (ids.hasZeros) this.#withZeros++
    if (this.#seen.add(joined)) this.#repeated.add(joined)
    if (apart !== joined && this.#seen.add(apart)) this.#repeated.add(apart)
    const at = 2 * this.#count++
    this.#keys[at] = joined
    this.#keys[at + 1] = apart
  }

  /** Takes each id again after all have been noted. Its text is kept until `groups` is read. */
  group(id: string, place: number): void {
    const joined = this.#keys[2 * place]!
    const apart = this.#keys[2 * place + 1]!
    if (this.#repeated.has(joined)) this.#addTo(joined, id, place)
    if (apart !== joined && this.#repeated.has(apart)) this.#addTo(apart, id, place)
  }

  #addTo(key: number, id: string, place: number): void {
    const group = this.#groups.get(key)
    if (group === undefined) this.#groups.set(key, [{ place, id }])
    else group.push({ place, id })
  }

  get groups(): SentId[][] {
    const alike = [...this.#groups.values()].filter(({ length }) => length > 1)
    // Copies, because the text of a cell keeps the whole file in memory.
    return alike.map((group) => group.map(({ place, id }) => ({ place, id: [...id].join('') })))
  }

  get needsSameName(): boolean {
    return Math.min(this.#withZeros, this.#count - this.#withZeros) >= MANY_IDS
  }
}

/** @param ids in the order of the request, each with the number of its record */
export function* compareIds(ids: ReadonlyMap<string, number>): Steps<SentIds> {
  const step = new StepCounter()
  const comparison = new IdComparison(ids.size)
  for (const id of ids.keys()) {
    comparison.note(id)
    if (step.ends(ID_UNITS + id.length)) yield PAUSE
  }
  const indexes = new Int32Array(ids.size)
  let place = 0
  for (const [id, index] of ids) {
    comparison.group(id, place)
    indexes[place++] = index
    if (step.ends(ID_UNITS)) yield PAUSE
  }
  const { groups, needsSameName } = comparison
  return { groups, needsSameName, indexes }
}
