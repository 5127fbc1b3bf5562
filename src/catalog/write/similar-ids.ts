import type { ComparedIds, FoundIds } from '#catalog/write/sql/similar-ids'
import { likenessKeys, nameKey, type SentIds } from '#records/id-likeness'
import type { RecordType } from '#records/record-type'
import { counted, MAX_EXAMPLES, namedValues, type Warning, type WarningExample } from '#records/warnings'

/** What the database has to know of the ids of a request to compare them. */
export const comparedIds = ({ groups, needsSameName }: SentIds): ComparedIds => ({
  places: JSON.stringify([...new Set(groups.flatMap((group) => group.map(({ place }) => place)))]),
  withNames: needsSameName,
})

/** Something with an id, and the key of its name. */
interface Named {
  id: string
  name: number
}

/** Says which id a new id looks like: of the catalog, or of the request if that is stored already or comes earlier. */
class Likenesses {
  readonly #sent: SentIds
  readonly #fresh: ReadonlySet<number>
  readonly #known = new Map<number, Named[]>()
  readonly #groups = new Map<number, SentIds['groups'][number][]>()

  constructor(sent: SentIds, { fresh, known }: FoundIds) {
    this.#sent = sent
    this.#fresh = new Set(fresh.map(([place]) => place))
    for (const [id, name] of known) {
      for (const key of likenessKeys(id)) add(this.#known, key, { id, name: nameKey(name) })
    }
    for (const group of sent.groups) for (const { place } of group) add(this.#groups, place, group)
  }

  similarTo(place: number, id: string): string | undefined {
    const isTold = ({ name }: Named): boolean => !this.#sent.needsSameName || name === this.#sent.names[place]
    for (const key of likenessKeys(id)) {
      const known = this.#known.get(key)?.find(isTold)
      if (known !== undefined) return known.id
    }
    for (const group of this.#groups.get(place) ?? []) {
      for (const other of group) {
        const isOther = other.place < place || !this.#fresh.has(other.place)
        if (isOther && isTold({ id: other.id, name: this.#sent.names[other.place]! })) return other.id
      }
    }
    return undefined
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
 */
export function similarIdWarnings(type: RecordType, sent: SentIds, found: string | null): Warning[] {
  if (found === null) return []
  const ids: FoundIds = JSON.parse(found)
  const likenesses = new Likenesses(sent, ids)
  const examples: WarningExample[] = []
  let count = 0
  for (const [place, id] of ids.fresh.toSorted(([a], [b]) => a - b)) {
    const similarTo = likenesses.similarTo(place, id)
    if (similarTo === undefined) continue
    count++
    if (examples.length < MAX_EXAMPLES)
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
