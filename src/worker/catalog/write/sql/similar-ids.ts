import { type SQL, sql } from 'drizzle-orm'
import { IGNORED_IN_IDS } from '#shared/records/id-likeness'
import { NAME_SLOT } from '#shared/records/record-type'
import { DASH } from '#shared/text/characters'
import { utf8Encoder } from '#shared/text/utf8'
import { storedValue } from '#worker/catalog/read/sql/stored-values'
import type { CatalogKey } from '#worker/storage/catalog-scope'

/**
 * The SQL that finds ids of the catalog that may look like new ids of a request. It finds too many, and the Worker
 * compares them exactly. It finds all, but for the case of letters beyond ASCII, which SQLite does not fold.
 */

/** What a write knows of the ids that it sends. */
export interface ComparedIds {
  /** Places of the ids that look like another one of the request, as a JSON list. */
  places: string
  /** Whether the names of the records are needed too. */
  withNames: boolean
}

/** The answer, as JSON. */
export interface FoundIds {
  /** New ids that look like another one of the request, or may look like one of `known`. */
  fresh: [place: number, id: string][]
  /** Ids of the catalog that may look like a new one. The name is empty unless it is needed. */
  known: [id: string, name: string][]
  /** 1 if there are more. */
  cut: 0 | 1
}

/**
 * Ids that are found at most, and bytes of each list: D1 takes 2 MB for one value, and JSON makes six bytes of some.
 */
const MOST_FOUND = 50_000
const MOST_BYTES = 300_000

/** Steps of all walks through the index at most. */
const MOST_WALK_STEPS = 50_000

/** With more records than this for each new id, walks take less time than reading all ids. */
const RECORDS_PER_WALK = 1000

/** A number in the text of a statement: it takes a hundred bound values, and the chunks of a request need them. */
const literal = (value: number): SQL => sql.raw(String(value))

/** From the table `this_catalog`. */
const THIS_CATALOG = sql.raw('(select catalog_id from this_catalog)')
const IS_FEW = sql`(select count(*) * ${literal(RECORDS_PER_WALK)} <= (select total_records from this_catalog) from folded_ids)`

/** Characters as a JSON list in the text of a statement. */
const jsonTextList = (characters: readonly string[]): SQL =>
  sql.raw(
    `'[${characters.map((character) => `"\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}"`)}]'`,
  )

/** What is left out of every id. */
const COMMON = ['-', '_', '.', '/', '0', ' ']

/** Other characters that are ignored. Hardly any id has one. */
const RARE = IGNORED_IN_IDS.filter((character) => !COMMON.includes(character)).toSorted()

/** Bytes of a pattern: D1 takes 50. */
const MOST_PATTERN_BYTES = 40

/**
 * Patterns of `glob` that find texts with one of the characters, as SQL. The characters are numbers, because one
 * character beyond Latin-1 in a statement doubles all text that goes to the database beside it.
 */
function patternsFor(characters: readonly string[]): SQL[] {
  const ranges: [first: number, last: number][] = []
  for (const code of characters.map((character) => character.charCodeAt(0))) {
    const last = ranges.at(-1)
    if (last !== undefined && code === last[1] + 1) last[1] = code
    else ranges.push([code, code])
  }
  const classes: number[][] = []
  let codes: number[] = []
  for (const [first, last] of ranges) {
    const range = first === last ? [first] : [first, DASH, last]
    const longer = [...codes, ...range]
    if (utf8Encoder.encode(String.fromCharCode(...longer)).byteLength > MOST_PATTERN_BYTES) {
      classes.push(codes)
      codes = range
    } else codes = longer
  }
  classes.push(codes)
  // A subquery is worked out once, an expression for every row.
  return classes.map((each) => sql.raw(`(select '*[' || char(${each.join(', ')}) || ']*')`))
}

const hasRare = (id: SQL): SQL => {
  const found = patternsFor(RARE).map((pattern) => sql`${id} glob ${pattern}`)
  return sql`(${id} glob '*[^ -~]*' and (${sql.join(found, sql` or `)}))`
}

/** The characters are literals: inside `iif`, SQLite would call a function such as `char` again for each row. */
const withoutCommon = (id: SQL): SQL =>
  COMMON.reduce(
    (rest, character) => sql`replace(${rest}, ${sql.raw(`'${character}'`)}, '')`,
    sql`lower(${id})`,
  )

/** One character after the other: D1 takes no expression with so many functions inside each other. */
const withoutRare = (text: SQL): SQL =>
  sql`(with recursive part (n, text) as (
      select 0, ${text} union all
      select n + 1, replace(text, ${jsonTextList(RARE)} ->> n, '') from part where n < ${literal(RARE.length)})
    select text from part where n = ${literal(RARE.length)})`

/** An id without zeros and what is ignored, in lower case. Ids that look alike have the same. */
const foldedId = (id: SQL): SQL =>
  sql`iif(${hasRare(id)}, ${withoutRare(withoutCommon(id))}, ${withoutCommon(id)})`

/** Condition: an id of the catalog begins with a text and goes on with a character of a range. */
const begins = (text: SQL, from = "''", to = 'char(1114111)'): SQL =>
  sql`exists (select 1 from records where catalog_id = ${THIS_CATALOG}
    and record_id >= ${text} || ${sql.raw(from)} and record_id < ${text} || ${sql.raw(to)})`

const PREFIX = sql.raw('walk.prefix')

/** The next character of a folded id. */
const NEXT = sql.raw('substr(walk.folded, walk.length + 1, 1)')

/**
 * Walks from the beginning of each folded id through the ids of the catalog, character by character: to the next one in
 * both cases, and past what is ignored. It takes a hundred look-ups for an id, however large the catalog is.
 */
const WALK = sql`walk (folded, length, prefix) as (
      select distinct folded, 0, '' from folded_ids where ${IS_FEW}
      union all
      select walk.folded, walk.length + (lower(next.value) = ${NEXT}), walk.prefix || next.value
      from walk, json_each(json_insert(
          iif(${begins(PREFIX, 'char(9)', 'char(32)')} or ${begins(PREFIX, 'char(128)')},
            ${jsonTextList([...COMMON, ...RARE])}, ${jsonTextList(COMMON)}),
          '$[#]', ${NEXT}, '$[#]', iif(upper(${NEXT}) <> ${NEXT}, upper(${NEXT}), ''))) as next
      where next.value <> '' and ${begins(sql.raw('walk.prefix || next.value'))}
      limit ${literal(MOST_WALK_STEPS)})`

/** The rows of a list, each with whether it is beyond what is returned. */
const sized = (columns: SQL, list: SQL, size: SQL): SQL =>
  sql`select ${columns}, sum(${size}) over (rows unbounded preceding) > ${literal(MOST_BYTES)} as is_cut from (${list})`

/** The rows of a list made by `sized`, as one row. SQLite compiles a table once more for each place that reads it. */
const summed = (list: SQL, columns: SQL): SQL =>
  sql`select count(*) as total, coalesce(max(is_cut), 0) as is_cut,
      json_group_array(json_array(${columns})) filter (where is_cut = 0) as list from ${list}`

/**
 * `FoundIds` as a column of a statement; null if there is nothing to compare.
 *
 * @param fresh the places and ids of the records that are new to the catalog, as a select
 * @param sent how many ids of the catalog the request sends. If it sends them all, they are compared already.
 * @param isOther condition on `records`: at least that the record is not new
 */
export function foundIds(
  { workspaceId, type }: CatalogKey,
  { places, withNames }: ComparedIds,
  fresh: SQL,
  sent: SQL,
  isOther: SQL,
): SQL {
  const name = withNames ? storedValue(NAME_SLOT) : sql.raw("''")
  // The first table decides once whether the second one is read at all.
  const known = sql`select record_id as id, ${name} as name
      from (select 1 where ${IS_FEW} = 0 and exists (select 1 from folded_ids)) cross join records
      where catalog_id = ${THIS_CATALOG} and ${isOther} and ${foldedId(sql.raw('record_id'))} in (select folded from folded_ids)
    union all
    select record_id, ${name} from walk join records on catalog_id = ${THIS_CATALOG} and record_id = prefix
      where walk.length = length(folded) and ${isOther}
    limit ${literal(MOST_FOUND)}`
  const asked = sql`select place, id from fresh where place in (select value from json_each(${places}))
    union select place, id from folded_ids where folded in (select ${foldedId(sql.raw('id'))} from known)`
  const hasPlaces = literal(places === '[]' ? 0 : 1)
  return sql`(with recursive this_catalog as materialized (
        select catalog_id, total_records from catalogs where workspace_id = ${workspaceId} and type = ${type}),
      fresh (place, id) as materialized (
        select place, id from (${fresh})
        where ${sent} < (select total_records from this_catalog) or ${hasPlaces}),
      folded_ids (place, id, folded) as materialized (
        select place, id, ${foldedId(sql.raw('id'))} from fresh where ${sent} < (select total_records from this_catalog)),
      ${WALK},
      known as materialized (${sized(sql.raw('id, name'), known, sql.raw('octet_length(id) + octet_length(name) + 20'))}),
      asked as materialized (${sized(sql.raw('place, id'), asked, sql.raw('octet_length(id) + 20'))})
    select iif(asked.total > 0, json_object('fresh', json(asked.list), 'known', json(known.list),
      'cut', asked.is_cut or known.is_cut or known.total = ${literal(MOST_FOUND)}
        or (select count(*) from walk) = ${literal(MOST_WALK_STEPS)}), null)
    from (${summed(sql.raw('asked'), sql.raw('place, id'))}) as asked, (${summed(sql.raw('known'), sql.raw('id, name'))}) as known)`
}
