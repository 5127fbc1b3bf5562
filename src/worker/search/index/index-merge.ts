import { sql } from 'drizzle-orm'
import { type Database, int } from '#worker/storage/database'

/**
 * Pages of 4 kB that one statement merges. It takes some ten milliseconds, during which the database answers nothing
 * else.
 */
const PAGES_PER_STEP = 250

/** Steps of one run. The next run does the rest. */
const MOST_MERGE_STEPS = 40

/**
 * Merges the segments that writes leave behind in the word index (SQLite, FTS5, "The 'merge' Command"), so that many
 * writes, of any workspace, do not make searches slower.
 *
 * @returns number of steps that had something to do
 */
export async function mergeSearchIndex(db: Database): Promise<number> {
  for (let step = 0; step < MOST_MERGE_STEPS; step++) {
    const before = await segments(db)
    if (before < 2) return step
    await db.all(sql`insert into records_search (records_search, rank) values ('merge', ${int(PAGES_PER_STEP)})`)
  }
  return MOST_MERGE_STEPS
}

async function segments(db: Database): Promise<number> {
  const row = await db.one(sql<{ segments: number }>`select count(distinct segid) as segments from records_search_idx`)
  return row.segments
}
