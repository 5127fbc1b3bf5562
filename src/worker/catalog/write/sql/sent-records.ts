import { type SQL, sql } from 'drizzle-orm'

/** Records for the database: a JSON list of what `writtenForm` makes of them, in the order of the request. */
export interface Chunk {
  json: string
  lastPosition: number
}

/** A record at a position of the request, as `writtenForm` makes it, parsed. */
export type SentElement = { position: number; id: string; element: readonly unknown[] }

/** @param positions ascending */
export function* elementsAt(chunks: readonly Chunk[], positions: readonly number[]): Generator<SentElement> {
  let next = 0
  for (const { json, lastPosition } of chunks) {
    if ((positions[next] ?? Number.POSITIVE_INFINITY) > lastPosition) continue
    const elements: (readonly unknown[])[] = JSON.parse(json)
    for (const element of elements) {
      const position = Number(element[5])
      if (position !== positions[next]) continue
      next++
      yield { position, id: String(element[0]), element }
    }
  }
}

/** The members of one element of a chunk, as SQL. `data` is the text of the stored form, as it stands in the JSON. */
export const ELEMENT = {
  id: sql.raw('element.value ->> 0'),
  isActive: sql.raw('element.value ->> 1'),
  data: sql.raw('element.value ->> 3'),
  position: sql.raw('element.value ->> 5'),
  filled: sql.raw('element.value ->> 6'),
  digest: sql.raw('element.value ->> 7'),
}

/** The elements of JSON lists or objects. D1 takes only five parts of a compound select, so `values`. */
export const elementsOf = (texts: readonly string[]): SQL =>
  sql`(values ${sql.join(
    (texts.length > 0 ? texts : ['[]']).map((json) => sql`(${json})`),
    sql`, `,
  )}) as chunk, json_each(chunk.column1) as element`

/** The elements of chunks. With `limit -1` (all rows) the text of one is made once, and not for each of its members. */
export const elementsOfChunks = (chunks: readonly Chunk[]): SQL =>
  sql`(select element.value from ${elementsOf(chunks.map(({ json }) => json))} limit -1)`

/** The ids of a request as a subquery, from the JSON lists that hold them. */
export const sentIds = (lists: readonly string[]): SQL => sql`select element.value from ${elementsOf(lists)}`

export interface SentRecords {
  /** Without records of which is known that they are stored as they were sent. */
  chunks: Chunk[]
  /** The ids by themselves, in JSON lists; none for an upsert, which does not ask what is left out. */
  idLists: string[]
  hasInactive: boolean
  /** Records of the request. */
  total: number
}
