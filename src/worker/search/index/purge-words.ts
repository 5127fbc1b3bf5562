import { type SQL, sql } from 'drizzle-orm'
import { type Database, int } from '#worker/storage/database'
import { ensureUpkeep, fromAnywhere, inRounds } from '#worker/storage/rounds'
import { wholeWord } from './tokens'

/** Words that one step looks up: some ten milliseconds, during which the database answers nothing else. */
const WORDS_PER_STEP = 1000

/** Milliseconds between two times that the words of a catalog are looked up. */
const SWEEP_INTERVAL_MS = 24 * 3600 * 1000

interface Sweep {
  catalog_id: number
  /** The next step begins after this word. */
  after: string
}

/** Some catalogs whose words were not all looked up, or that have changed since that began a day ago or earlier. */
const sweepsOf = (now: number): SQL<Sweep> =>
  sql`select c.catalog_id, coalesce(swept_word, '') as after
    from catalogs c left join catalog_upkeep u on u.catalog_id = c.catalog_id
    where swept_word <> ''
      or (changed_at > coalesce(swept_at, 0) and coalesce(swept_at, 0) <= ${int(now - SWEEP_INTERVAL_MS)})
    ${fromAnywhere(sql`c.catalog_id`)}`

/** The words of a step. */
const wordsOf = ({ catalog_id, after }: Sweep): SQL =>
  sql`select word from search_words where catalog_id = ${int(catalog_id)} and word > ${after}
    order by word limit ${int(WORDS_PER_STEP)}`

const deleteUnused = (sweep: Sweep): SQL =>
  sql`delete from search_words where catalog_id = ${int(sweep.catalog_id)} and word in (${wordsOf(sweep)})
    and not exists (select 1 from records_search
      where records_search match ${sql.raw(wholeWord('catalog_id', 'word'))})`

/** Notes where the sweep is now, and with its first step when it began. */
const noteSweep = ({ catalog_id, after }: Sweep, next: string, now: number): SQL =>
  sql`update catalog_upkeep set swept_word = ${next}, swept_at = ${after === '' ? int(now) : sql`swept_at`}
    where catalog_id = ${int(catalog_id)}`

/** @returns whether there are more words */
async function sweepStep(db: Database, sweep: Sweep, now: number): Promise<boolean> {
  const { n, last } = await db.one<{ n: number; last: string | null }>(
    sql`select count(*) as n, max(word) as last from (${wordsOf(sweep)})`,
  )
  const next = n === WORDS_PER_STEP && last !== null ? last : ''
  await db.batch([ensureUpkeep(sweep.catalog_id), deleteUnused(sweep), noteSweep(sweep, next, now)])
  sweep.after = next
  return next !== ''
}

/**
 * Purges the words that no record holds any more, active or not, once a day of each catalog that has changed. A write
 * that brings a word back adds it again.
 *
 * @returns number of steps
 */
export async function purgeWords(db: Database, now: number): Promise<number> {
  const sweeps = await db.all(sweepsOf(now))
  return inRounds(sweeps, (sweep) => sweepStep(db, sweep, now))
}
