import { type SQL, sql } from 'drizzle-orm'

/** Records for the database: a JSON list of `writtenForm`s, in the order of the request. */
export interface Chunk {
  json: string
  lastPosition: number
}

/** The parsed `writtenForm` of the record at a position of the request. */
export type SentElement = { position: number; id: string; element: readonly unknown[] }

/** @param positions in ascending order */
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

/** The parts of one element of a chunk, as SQL. `data` is the text of the stored form as in the JSON. */
export const ELEMENT = {
  id: sql.raw('element.value ->> 0'),
  isActive: sql.raw('element.value ->> 1'),
  data: sql.raw('element.value ->> 3'),
  position: sql.raw('element.value ->> 5'),
  filled: sql.raw('element.value ->> 6'),
  digest: sql.raw('element.value ->> 7'),
}

/** The elements of JSON lists or objects. Uses `values`, because D1 accepts only five parts of a compound select. */
export const elementsOf = (texts: readonly string[]): SQL =>
  sql`(values ${sql.join(
    (texts.length > 0 ? texts : ['[]']).map((json) => sql`(${json})`),
    sql`, `,
  )}) as chunk, json_each(chunk.column1) as element`

/** The elements of chunks. With `limit -1` (all rows), an element's text is created once instead of for each part. */
export const elementsOfChunks = (chunks: readonly Chunk[]): SQL =>
  sql`(select element.value from ${elementsOf(chunks.map(({ json }) => json))} limit -1)`

/** Subquery for the IDs of a request, from their JSON lists. */
export const sentIds = (lists: readonly string[]): SQL => sql`select element.value from ${elementsOf(lists)}`

export interface SentRecords {
  /** Without records known to be stored as sent. */
  chunks: Chunk[]
  /** The IDs alone, in JSON lists; none for an upsert, where missing records do not matter. */
  idLists: string[]
  hasInactive: boolean
  /** Slots that have a value in any of the sent records, as bits. */
  usedSlots: number
  /** Number of records in the request. */
  total: number
}
