import { type SQL, sql } from 'drizzle-orm'
import { placesOf, wordsOf } from '#records/search-text'
import type { RecordRow } from '#records/stored-form'
import { type CatalogScope, catalogIdOf, withinCatalog } from '#storage/catalog-scope'
import { type Database, int } from '#storage/database'
import { containing, FEW_CANDIDATES } from './candidates'
import { trigramQuery } from './trigrams'

/** How well a record matches, best first (decisions, section 7). */
interface Tier {
  name: string
  /** Texts of which the trigram index can find the candidates. */
  texts: readonly string[]
  /** What `search_text` must fulfil; begins with `and`. */
  condition: SQL
}

const contains = (text: string): SQL => sql` and instr(search_text, ${text}) > 0`
const lacks = (text: string): SQL => sql` and instr(search_text, ${text}) = 0`

/** A line that equals the query, one that starts with it, a word that starts with it, any other match. */
function tiersOf(words: readonly string[]): Tier[] {
  const { line, lineStart, wordStart } = placesOf(words)
  return [
    { name: 'equal', texts: [line], condition: contains(line) },
    { name: 'line_start', texts: [lineStart], condition: sql`${contains(lineStart)}${lacks(line)}` },
    { name: 'word_start', texts: [wordStart], condition: sql`${contains(wordStart)}${lacks(lineStart)}` },
    {
      name: 'other',
      texts: words,
      condition: sql`${containing(words)}${lacks(lineStart)}${lacks(wordStart)}`,
    },
  ]
}

/**
 * The best records of one tier that earlier tiers leave room for, shortest name first. A few candidates are looked up
 * and sorted; where there are more, so that enough of them come soon, the catalog is read by length of name.
 */
function tierTables({ name, texts, condition }: Tier, scope: CatalogScope, rank: number, room: SQL): SQL {
  const table = sql.raw(name)
  const candidates = sql.raw(`${name}_candidates`)
  const trigrams = trigramQuery(texts)
  const few = trigrams === null ? sql`0` : sql`(select count(*) from ${candidates}) <= ${int(FEW_CANDIDATES)}`
  const catalog = sql`iif(${few} or ${room} <= 0, -1, ${catalogIdOf(scope)})`
  const read = sql`select * from (select row_id, ${sql.raw(String(rank))} as tier, name_length from records indexed by records_scan
    where catalog_id = ${catalog} and is_active = 1${condition} order by name_length limit ${room})`
  if (trigrams === null) return sql`${table} as materialized (${read})`
  return sql`${candidates} as materialized (select rowid as row_id from records_search
      where records_search match ${trigrams} and ${withinCatalog(sql`rowid`, scope)}
      limit iif(${room} > 0, ${int(FEW_CANDIDATES + 1)}, 0)),
    ${table} as materialized (
      select * from (select row_id, ${sql.raw(String(rank))} as tier, name_length from records
        where row_id in (select row_id from ${candidates} where ${few}) and +is_active = 1${condition}
        order by name_length limit ${room})
      union all ${read})`
}

/** Records in order of `found`. */
export function searchStatement(scope: CatalogScope, words: readonly string[], limit: number): SQL {
  const tables: SQL[] = []
  const names: string[] = []
  tiersOf(words).forEach((tier, rank) => {
    const taken = names.map((name) => `(select count(*) from ${name})`).join(' + ')
    const room = sql`(${int(limit)}${sql.raw(taken === '' ? '' : ` - (${taken})`)})`
    tables.push(tierTables(tier, scope, rank, room))
    names.push(tier.name)
  })
  return sql`with ${sql.join(tables, sql`, `)},
    found as (${sql.join(
      names.map((name) => sql.raw(`select * from ${name}`)),
      sql` union all `,
    )})
    select record_id, is_active, updated_at, data from found join records using (row_id)
    order by tier, found.name_length, row_id limit ${int(limit)}`
}

/**
 * The best matches among the active records of a catalog, for the words that somebody is typing.
 *
 * @param limit 1 to 50
 */
export async function searchCatalog(
  db: Database,
  scope: CatalogScope,
  query: string,
  limit: number,
): Promise<RecordRow[]> {
  const words = wordsOf(query)
  return words.length === 0 ? [] : db.all<RecordRow>(searchStatement(scope, words, limit))
}
