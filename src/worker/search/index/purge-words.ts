import { type SQL, sql } from 'drizzle-orm'
import { type Database, int } from '#worker/storage/database'
import { fromAnywhere, inRounds } from '#worker/storage/rounds'
import { wholeWord } from './tokens'

/** Words that one step looks up: some ten milliseconds, during which the database answers nothing else. */
const WORDS_PER_STEP = 1000

/** Runs among which the catalogs are divided: as many as come in a day. */
const TURNS = 144

/** A catalog that has not changed for longer has no words that nobody uses, in milliseconds. */
const CHANGED_WITHIN_MS = 2 * 24 * 3600 * 1000

interface Sweep {
  catalog_id: number
  /** The next step begins after this word. */
  after: string
}

/** The catalogs whose turn it is, of those that have changed lately. */
const sweepsOf = (now: number, turn: number): SQL<Sweep> =>
  sql`select catalog_id, '' as after from catalogs
    where catalog_id % ${int(TURNS)} = ${int(turn % TURNS)} and changed_at > ${int(now - CHANGED_WITHIN_MS)}
    ${fromAnywhere(sql`catalog_id`)}`

/** The words of a step. */
const wordsOf = ({ catalog_id, after }: Sweep): SQL =>
  sql`select word from search_words where catalog_id = ${int(catalog_id)} and word > ${after}
    order by word limit ${int(WORDS_PER_STEP)}`

/** @returns whether there are more words */
async function sweepStep(db: Database, sweep: Sweep): Promise<boolean> {
  const { n, last } = await db.one<{ n: number; last: string | null }>(
    sql`select count(*) as n, max(word) as last from (${wordsOf(sweep)})`,
  )
  if (last === null) return false
  await db.all(sql`delete from search_words where catalog_id = ${int(sweep.catalog_id)} and word in (${wordsOf(sweep)})
    and not exists (select 1 from records_search where records_search match ${wholeWord(sql`catalog_id`, sql`word`)})`)
  sweep.after = last
  return n === WORDS_PER_STEP
}

/**
 * Purges the words that no record holds any more, active or not, of each catalog once a day. A write that brings a
 * word back adds it again.
 *
 * @param turn number of the run
 * @returns number of steps
 */
export async function purgeWords(db: Database, now: number, turn: number): Promise<number> {
  const sweeps = await db.all(sweepsOf(now, turn))
  return inRounds(sweeps, (sweep) => sweepStep(db, sweep))
}
