import { sql } from 'drizzle-orm'
import type { Database } from '#worker/storage/database'

/** Steps of one run, each with up to 5,000 words (the view `missing_word_lists`). The next run does the rest. */
const MOST_LISTING_STEPS = 40

/**
 * Adds lists of the words that are in none: those that an earlier release wrote, such as the old Worker during a
 * deployment. Until then, such a word is found by its beginning only.
 *
 * @returns number of steps that had something to do
 */
export async function listWords(db: Database): Promise<number> {
  for (let step = 0; step < MOST_LISTING_STEPS; step++) {
    if (!(await hasUnlisted(db))) return step
    await db.all(
      sql`insert into search_word_lists (catalog_id, number, words)
        select catalog_id, number, words from missing_word_lists`,
    )
  }
  return MOST_LISTING_STEPS
}

async function hasUnlisted(db: Database): Promise<boolean> {
  const { found } = await db.one<{ found: 0 | 1 }>(
    sql`select exists (select 1 from search_words indexed by search_words_unlisted where listed = 0) as found`,
  )
  return found === 1
}
