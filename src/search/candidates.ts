import { type SQL, sql } from 'drizzle-orm'
import { type CatalogScope, catalogIdOf, withinCatalog } from '#storage/catalog-scope'
import { int } from '#storage/database'
import { trigramQuery } from './trigrams'

/**
 * Up to this many candidates are looked up one by one. More of them are too many to sort, and so frequent that a page
 * of them is found sooner by reading the catalog in the order that is wanted.
 */
export const FEW_CANDIDATES = 1500

/** Words that are compared one by one; the rest of a longer query is one more value: D1 binds a hundred at most. */
const SINGLE_WORDS = 6

/** Condition on `search_text`: every word occurs in it. Begins with `and`; empty without words. */
export function containing(words: readonly string[]): SQL {
  const longestFirst = [...new Set(words)].sort((a, b) => b.length - a.length)
  const single = longestFirst.slice(0, SINGLE_WORDS).map((word) => sql` and instr(search_text, ${word}) > 0`)
  const rest = longestFirst.slice(SINGLE_WORDS)
  if (rest.length === 0) return sql.join(single)
  const all = sql` and not exists (select 1 from json_each(${JSON.stringify(rest)}) where instr(search_text, value) = 0)`
  return sql.join([...single, all])
}

/**
 * Common table expressions that end with `candidates`: `row_id` of the records that may match, one more than
 * `FEW_CANDIDATES` at the most. Where a text has three letters they come from the trigram index, which names too many
 * (wrong ones, and inactive ones), else, or where it names more than a few, from reading the texts of the catalog.
 *
 * @param texts folded; all of them must occur
 */
export function candidatesFor(scope: CatalogScope, texts: readonly string[], inactiveToo: boolean): SQL {
  const most = int(FEW_CANDIDATES + 1)
  const read = (
    catalog: SQL,
  ) => sql`select row_id from records indexed by records_scan where catalog_id = ${catalog}
    and is_active in (${sql.raw(inactiveToo ? '0, 1' : '1')})${containing(texts)}`
  const trigrams = trigramQuery(texts)
  if (trigrams === null) return sql`candidates as materialized (${read(catalogIdOf(scope))} limit ${most})`
  const few = fewIn('hits')
  return sql`hits as materialized (select rowid as row_id from records_search
      where records_search match ${trigrams} and ${withinCatalog(sql`rowid`, scope)} limit ${most}),
    candidates as materialized (select row_id from hits where ${few}
      union all ${read(noCatalogWhere(few, scope))} limit ${most})`
}

const fewIn = (table: 'hits' | 'candidates'): SQL =>
  sql`(select count(*) from ${sql.raw(table)}) <= ${int(FEW_CANDIDATES)}`

/** Whether the `candidates` of the statement are all that there are. */
export const areFew = fewIn('candidates')

/**
 * The catalog's id, or one that no catalog has where a condition on the whole statement holds. As a condition of its own
 * it would be asked of every row.
 */
export const noCatalogWhere = (condition: SQL, scope: CatalogScope): SQL =>
  sql`iif(${condition}, -1, ${catalogIdOf(scope)})`
