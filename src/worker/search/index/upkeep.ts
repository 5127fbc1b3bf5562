import { sql } from 'drizzle-orm'
import { type Database, firstOf, int } from '#worker/storage/database'
import type { ServedDatabase } from '#worker/storage/placement/served-database'
import { fromRandomCatalog, takeSteps } from '#worker/storage/scheduled-steps'
import { listWordsAgain } from './word-index'

const PURGE_INTERVAL_MS = 24 * 3600 * 1000

/**
 * Purges words that no record contains anymore, once a day for each changed catalog. About 20 ms for 44,328
 * medications.
 *
 * @returns number of catalogs
 */
export async function purgeWords(db: ServedDatabase, now: number): Promise<number> {
  const catalogs = await db.all(
    sql<{ catalog_id: number }>`select catalog_id from catalogs
      where written_at > words_purged_at and words_purged_at <= ${int(now - PURGE_INTERVAL_MS)}
        and ${db.serves(sql`catalogs.workspace_id`)}
      ${fromRandomCatalog(sql`catalog_id`)}`,
  )
  return takeSteps(catalogs, async ({ catalog_id }) => {
    const id = int(catalog_id)
    await db.batch([
      ...listWordsAgain(id),
      sql`update catalogs set words_purged_at = ${int(now)} where catalog_id = ${id}`,
    ])
    return false
  })
}

/** Pages of 4 kB merged per statement: about 10 ms, which block the database. */
const PAGES_PER_STEP = 250

/** Steps of one run. The next run does the rest. */
const MOST_MERGE_STEPS = 40

/** If a step changed fewer rows, there was nothing to merge (SQLite, FTS5, "The 'merge' Command"). */
const LEAST_CHANGES = 2

/**
 * Merges the segments that writes leave in the word index, which slow down searches. The first step has a negative
 * argument, so it also merges levels of two segments.
 *
 * @returns number of steps that merged anything
 */
export async function mergeSearchIndex(db: Database): Promise<number> {
  const { segments } = await db.one(
    sql<{ segments: number }>`select count(distinct segid) as segments from records_search_idx`,
  )
  if (segments < 2) return 0
  for (let step = 0; step < MOST_MERGE_STEPS; step++) {
    const pages = step === 0 ? -PAGES_PER_STEP : PAGES_PER_STEP
    const changes = sql<{ n: number }>`select total_changes() as n`
    const merge = sql`insert into records_search (records_search, rank) values ('merge', ${int(pages)})`
    const [before, , after] = await db.batch([changes, merge, changes])
    if (firstOf(after).n - firstOf(before).n < LEAST_CHANGES) return step
  }
  return MOST_MERGE_STEPS
}
