import { type SQL, sql } from 'drizzle-orm'
import { int } from './database'

const MOST_STEPS = 40

const LONGEST_MS = 20_000

const ITEMS_PER_RUN = 40

/**
 * Does a part of the work for each item in turn, so that none blocks the others.
 *
 * @param step returns whether there may be more
 * @param mayGoOn whether the run has statements left
 * @returns number of steps
 */
export async function takeSteps<T>(
  items: readonly T[],
  step: (item: T) => Promise<boolean>,
  { most = MOST_STEPS, mayGoOn = () => true }: { most?: number; mayGoOn?: () => boolean } = {},
): Promise<number> {
  const until = Date.now() + LONGEST_MS
  let steps = 0
  for (let remaining = [...items]; remaining.length > 0; ) {
    const unfinished: T[] = []
    for (const item of remaining) {
      if (steps >= most || Date.now() > until || !mayGoOn()) return steps
      steps++
      if (await step(item)) unfinished.push(item)
    }
    remaining = unfinished
  }
  return steps
}

/**
 * The end of a query on `catalogs`: some rows, starting at a random catalog, so that each gets its turn.
 *
 * @param id expression for the catalog ID
 */
export const fromRandomCatalog = (id: SQL): SQL =>
  sql`order by ${id} <= (select abs(random()) % (max(catalog_id) + 1) from catalogs), ${id} limit ${int(ITEMS_PER_RUN)}`
