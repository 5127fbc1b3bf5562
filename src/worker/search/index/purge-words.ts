import { type SQL, sql } from 'drizzle-orm'
import { type Database, int } from '#worker/storage/database'
import { ensureUpkeep, fromAnywhere, inRounds } from '#worker/storage/rounds'
import { LIST_BYTES, quoted } from './word-index'

/**
 * Lists of words that one step looks at, with up to some fifty words each: some ten milliseconds, during which the
 * database answers nothing else.
 */
const LISTS_PER_STEP = 40

/** Milliseconds between two times that the words of a catalog are looked up. */
const SWEEP_INTERVAL_MS = 24 * 3600 * 1000

interface Sweep {
  catalog_id: number
  /** The step begins after this list. */
  after: number
}

/** Some catalogs whose words were not all looked up, or that have changed since that began a day ago or earlier. */
const unswept = (now: number): SQL<Sweep> =>
  sql`select catalog_id, coalesce(swept_list, 0) as after
    from (select c.catalog_id, changed_at, swept_list, coalesce(swept_at, 0) as swept_at
      from catalogs c left join catalog_upkeep u on u.catalog_id = c.catalog_id) as c
    where swept_list > 0 or (changed_at > swept_at and swept_at <= ${int(now - SWEEP_INTERVAL_MS)})
    ${fromAnywhere(sql`c.catalog_id`)}`

/** The lists of a step, as a query for these columns. */
const listsOf = ({ catalog_id, after }: Sweep, columns: SQL): SQL =>
  sql`select ${columns} from search_word_lists where catalog_id = ${int(catalog_id)} and number > ${int(after)}
    order by number limit ${int(LISTS_PER_STEP)}`

/**
 * Condition on a row of `search_words`: no record holds the word, active or not. The index, whose tables are of an
 * older Unicode, takes U+180E for white space, so it cannot be asked for a word with that letter.
 */
const isUnused = sql`iif(instr(word, char(6158)), 0, not exists (
  select 1 from records_search where records_search match ${quoted(sql`catalog_id || place || word`)}))`

/** Deletes those words of the lists that no record holds. In the transaction in which the lists are written again. */
const deleteUnused = (sweep: Sweep): SQL =>
  sql`delete from search_words where catalog_id = ${int(sweep.catalog_id)} and ${isUnused} and (word, place) in
    (select substr(value, 2), lower(substr(value, 1, 1))
      from (${listsOf(sweep, sql`words`)}) cross join json_each(words))`

/**
 * Writes the remaining words of the lists again, packed into the last of them; the others become empty. A write adds
 * lists after the last one, and remembered results of searches rely on its number, so it always stays.
 */
const packLists = (sweep: Sweep): SQL =>
  sql`with lists as materialized (select number, words, row_number() over (order by number desc) - 1 as nth
      from (${listsOf(sweep, sql`number, words`)})),
    held as materialized (select value, sum(octet_length(value) + 3) over (rows unbounded preceding) / ${int(LIST_BYTES)} as nth
      from lists cross join json_each(words)
      where exists (select 1 from search_words where catalog_id = ${int(sweep.catalog_id)}
        and word = substr(value, 2) and place = lower(substr(value, 1, 1)))),
    packed as materialized (select min(nth, (select max(nth) from lists)) as nth, json_group_array(value) as words
      from held group by 1)
    update search_word_lists set words = coalesce(now.words, '[]')
    from (select lists.number, packed.words from lists left join packed on packed.nth = lists.nth) as now
    where catalog_id = ${int(sweep.catalog_id)} and search_word_lists.number = now.number
      and search_word_lists.words <> coalesce(now.words, '[]')`

const deleteEmpty = ({ catalog_id, after }: Sweep, until: number): SQL =>
  sql`delete from search_word_lists where catalog_id = ${int(catalog_id)} and number > ${int(after)} and number <= ${int(until)}
    and words = '[]' and number < (select max(number) from search_word_lists where catalog_id = ${int(catalog_id)})`

/** Where the sweep is now. Its first step also notes when it began. */
const sweepOn = ({ catalog_id, after }: Sweep, next: number, now: number): SQL =>
  sql`update catalog_upkeep set swept_list = ${int(next)}, swept_at = ${after === 0 ? int(now) : sql`swept_at`}
    where catalog_id = ${int(catalog_id)}`

/** @returns whether there are more lists */
async function sweepStep(db: Database, sweep: Sweep, now: number): Promise<boolean> {
  const { n, until } = await db.one<{ n: number; until: number | null }>(
    sql`select count(*) as n, max(number) as until from (${listsOf(sweep, sql`number`)})`,
  )
  const hasMore = n === LISTS_PER_STEP
  const next = hasMore && until !== null ? until : 0
  const work = until === null ? [] : [deleteUnused(sweep), packLists(sweep), deleteEmpty(sweep, until)]
  await db.batch([ensureUpkeep(sweep.catalog_id), ...work, sweepOn(sweep, next, now)])
  if (hasMore) sweep.after = next
  return hasMore
}

/**
 * Purges the words that no record holds any more, and joins short lists of words, such as those of writes of single
 * records. A write that brings a word back lists it again: the words of a list and of `search_words` are always the
 * same.
 *
 * @returns number of steps
 */
export async function purgeWords(db: Database, now: number): Promise<number> {
  const sweeps = await db.all(unswept(now))
  return inRounds(sweeps, (sweep) => sweepStep(db, sweep, now))
}
