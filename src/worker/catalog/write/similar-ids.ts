import { likenessKeys, type SentIds } from '#shared/records/id-likeness'
import type { RecordType } from '#shared/records/record-type'
import { writtenName } from '#shared/records/stored-form'
import { counted, namedValues, type Warning, type WarningExample } from '#shared/records/warnings'
import type { Chunk } from '#worker/catalog/write/sql/elements'
import type { ComparedIds, FoundIds } from '#worker/catalog/write/sql/similar-ids'
import type { CheckedRequest } from './check'

/** The ids of a request, in the form in which the database compares them. */
export const comparedIds = ({ groups, needsSameName }: SentIds): ComparedIds => ({
  places: JSON.stringify([...new Set(groups.flatMap((group) => group.map(({ place }) => place)))]),
  withNames: needsSameName,
})

interface Named {
  id: string
  name: string
}

/** Reads the names of records from the form for the database. Only few requests need them, and of few records. */
class SentNames {
  readonly #chunks: readonly Chunk[]
  readonly #read = new Map<Chunk, unknown[]>()

  constructor(chunks: readonly Chunk[]) {
    this.#chunks = chunks
  }

  at(place: number): string {
    const chunk = this.#chunks.findLast(({ offset }) => offset <= place)
    if (chunk === undefined) throw new Error('a record without a chunk')
    const elements: unknown[] = this.#read.get(chunk) ?? JSON.parse(chunk.json)
    this.#read.set(chunk, elements)
    return writtenName(elements[place - chunk.offset])
  }
}

const areSame = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** Says which id a new id looks like: of the catalog, or of the request if that is stored already or comes earlier. */
class Likenesses {
  readonly #sent: SentIds
  readonly #names: SentNames
  readonly #fresh: ReadonlySet<number>
  readonly #known = new Map<number, Named[]>()
  readonly #groups = new Map<number, SentIds['groups'][number][]>()

  constructor(sent: SentIds, names: SentNames, { fresh, known }: FoundIds) {
    this.#sent = sent
    this.#names = names
    this.#fresh = new Set(fresh.map(([place]) => place))
    for (const [id, name] of known) {
      for (const key of likenessKeys(id)) add(this.#known, key, { id, name })
    }
    for (const group of sent.groups) for (const { place } of group) add(this.#groups, place, group)
  }

  similarTo(place: number, id: string): string | undefined {
    for (const key of likenessKeys(id)) {
      const known = this.#known.get(key)?.find(({ name }) => this.#isTold(place, () => name))
      if (known !== undefined) return known.id
    }
    for (const group of this.#groups.get(place) ?? []) {
      const other = group.find(
        (one) =>
          (one.place < place || !this.#fresh.has(one.place)) &&
          this.#isTold(place, () => this.#names.at(one.place)),
      )
      if (other !== undefined) return other.id
    }
    return undefined
  }

  #isTold(place: number, otherName: () => string): boolean {
    return !this.#sent.needsSameName || areSame(this.#names.at(place), otherName())
  }
}

function add<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/**
 * The warning of new ids that look like other ones (docs/contract.md#similar-ids); none if there are none.
 *
 * @param found the answer of the database, as JSON; null if there is nothing to compare
 * @param most examples that are listed
 */
export function similarIdWarnings(
  type: RecordType,
  { ids: sent, chunks }: Pick<CheckedRequest, 'ids' | 'chunks'>,
  found: string | null,
  most: number,
): Warning[] {
  if (found === null) return []
  const ids: FoundIds = JSON.parse(found)
  const likenesses = new Likenesses(sent, new SentNames(chunks), ids)
  const examples: WarningExample[] = []
  let count = 0
  for (const [place, id] of ids.fresh.toSorted(([a], [b]) => a - b)) {
    const similarTo = likenesses.similarTo(place, id)
    if (similarTo === undefined) continue
    count++
    if (examples.length < most)
      examples.push({ index: sent.indexes[place]!, value: id, similar_to: similarTo })
  }
  if (count === 0) return []
  const number = `${ids.cut === 1 ? 'at least ' : ''}${counted(count, 'new id')}`
  const what = 'that another id resembles but for zeros, case, white space or separators'
  return [
    {
      field: type.idField,
      msg: `${number} ${what}, perhaps a second record of the same thing: ${namedValues(examples, count)}`,
      code: 'similar_id',
      count,
      examples,
    },
  ]
}
