import { type SQL, sql } from 'drizzle-orm'

/** Records for the database: a JSON list of what `writtenForm` makes of them. */
export interface Chunk {
  json: string
  /** Position in the request of the chunk's first record. */
  offset: number
}

/**
 * The members of one element of a chunk. Of the stored form, the text: `->>` gives that of a list as it stands in the
 * JSON.
 */
export const ELEMENT = {
  id: sql.raw('element.value ->> 0'),
  isActive: sql.raw('element.value ->> 1'),
  data: sql.raw('element.value ->> 3'),
}

/**
 * The chunks of a request as a table of their elements; `column2` is the offset. D1 allows only five parts in a
 * compound select, so this is a `values` list.
 */
export const elementsOf = (chunks: readonly Chunk[]): SQL =>
  sql`(values ${sql.join(
    (chunks.length > 0 ? chunks : [{ json: '[]', offset: 0 }]).map(
      // The offset is not bound: a statement takes a hundred bound values, and the chunks need them.
      ({ json, offset }) => sql`(${json}, ${sql.raw(String(offset))})`,
    ),
    sql`, `,
  )}) as chunk, json_each(chunk.column1) as element`

/**
 * The elements of the chunks with their positions in the request. With `limit -1` (all rows) the database makes the
 * text of an element once. Without it, it makes the text again for each position that names one of its members.
 */
export const elementsWithPositions = (chunks: readonly Chunk[]): SQL =>
  sql`(select chunk.column2 + element.key as position, element.value from ${elementsOf(chunks)} limit -1)`

/** The ids of a request as a subquery, from the JSON lists that hold them. */
export const sentIds = (lists: readonly string[]): SQL =>
  sql`select element.value from ${elementsOf(lists.map((json) => ({ json, offset: 0 })))}`
