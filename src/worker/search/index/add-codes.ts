import { sql } from 'drizzle-orm'
import type { Database } from '#worker/storage/database'

/** Steps of one run, each with up to 2,000 records (the view `uncoded_records`). The next run does the rest. */
const MOST_ADDING_STEPS = 100

/**
 * Adds the ids and codes of records that have none yet (see `uncodedCatalogs`). Until then, partner search does not
 * find them by codes. A copy of a workspace has its codes already, unless an earlier release has made it.
 *
 * @returns number of steps that had something to do
 */
export async function addCodes(db: Database): Promise<number> {
  for (let step = 0; step < MOST_ADDING_STEPS; step++) {
    if (!(await hasUncoded(db))) return step
    await db.batch([
      sql`insert into record_code_values (row_id, catalog_id, record_id, data)
        select row_id, catalog_id, record_id, data from record_code_values where row_id in (select row_id from uncoded_records)`,
      sql`update uncoded_catalogs set next_row_id = coalesce((select max(row_id) + 1 from uncoded_records), -1)
        where catalog_id = (select min(catalog_id) from uncoded_catalogs)`,
      sql`delete from uncoded_catalogs where next_row_id = -1`,
    ])
  }
  return MOST_ADDING_STEPS
}

async function hasUncoded(db: Database): Promise<boolean> {
  const { found } = await db.one<{ found: 0 | 1 }>(
    sql`select exists (select 1 from uncoded_catalogs) as found`,
  )
  return found === 1
}
