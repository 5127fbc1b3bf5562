import { sql } from 'drizzle-orm'
import { LruMap } from '#shared/lru-map'
import type { Catalog } from '#worker/catalog/catalog'
import { catalogRows, storedValue } from '#worker/catalog/read/sql/stored-values'
import { int } from '#worker/storage/database'
import { tagOf, tagStatement } from './entity-tag'

/**
 * Lists of different values that one isolate remembers, and characters of one of them: the form names of a large
 * catalog take some 3,000.
 */
const REMEMBERED_VALUE_LISTS = 100
const REMEMBERED_VALUE_CHARACTERS = 20_000

interface ValuesWanted {
  /** Of the field in the stored form. */
  slot: number
  /** Whether only texts with letters beyond ASCII count. */
  foreign: boolean
  /** How many at the most; one more is read, so that the caller sees that there are more. */
  most: number
}

interface DifferentValue {
  value: string
}

/**
 * The values, by catalog and entity tag: after a write nobody asks for them again. Each isolate has its own.
 */
const rememberedValues = new LruMap<string, readonly string[]>(REMEMBERED_VALUE_LISTS)

/** The different texts in one field. `tag` is the entity tag of the catalog as it was just read. */
export async function differentValues(
  { db, scope }: Catalog,
  tag: string,
  { slot, foreign, most }: ValuesWanted,
): Promise<readonly string[]> {
  const keyAt = (at: string) => JSON.stringify([scope.workspaceId, scope.type, slot, foreign, at])
  const known = rememberedValues.get(keyAt(tag))
  if (known !== undefined) return known
  // The length of a text in bytes and in characters is known faster than its values.
  const condition = foreign ? sql` and octet_length(data) <> length(data)` : sql.empty()
  const [[tagRow], rows] = await db.batch([
    tagStatement(scope),
    sql<DifferentValue>`select distinct value
      from (select ${storedValue(slot)} as value from ${catalogRows(scope)}${condition})
      where typeof(value) = 'text'${foreign ? sql` and octet_length(value) <> length(value)` : sql.empty()}
      limit ${int(most + 1)}`,
  ])
  const values = rows.map(({ value }) => value)
  const characters = values.reduce((sum, value) => sum + value.length, 0)
  if (characters <= REMEMBERED_VALUE_CHARACTERS) rememberedValues.set(keyAt(tagOf(tagRow)), values)
  return values
}
