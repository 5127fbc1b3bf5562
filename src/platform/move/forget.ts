import { type SQL, sql } from 'drizzle-orm'
import { retrying } from '#storage/d1'
import { type Database, int } from '#storage/database'
import { CATALOGS, QUOTAS } from '#storage/workspace-tables'
import { forgetWords, hasWords, unindexRows } from './search-index'
import { owned, tableOf, type Unit, unitsOf } from './units'

/**
 * Rows of each table that one step deletes. It takes some ten milliseconds, during which the database answers nothing
 * else.
 */
const ROWS_PER_STEP = 500

function deletions(unit: Unit, permitted: SQL): SQL[] {
  const key = sql.raw(unit.table.key.map((name) => `"${name}"`).join(', '))
  // Ordered, so that the statement for the index picks the same rows.
  const some = sql`select ${key} from ${tableOf(unit)} where ${owned(unit)} and ${permitted}
    order by ${key} limit ${int(ROWS_PER_STEP)}`
  const rows = sql`delete from ${tableOf(unit)} where (${key}) in (${some})`
  return unit.table.searched ? [unindexRows(some), rows] : [rows]
}

/**
 * Deletes a share of the copy of a workspace in a database that does not serve it. Without a fence that refuses
 * everything nothing is deleted. @returns whether the whole copy is gone
 */
async function forgetStep(database: Database, workspaceId: string, permitted: SQL): Promise<boolean> {
  const fenced = sql`exists (select 1 from workspace_fences
    where workspace_id = ${workspaceId} and refuses = 'everything' and ${permitted})`
  const units = unitsOf(workspaceId)
  const steps = [...units.flatMap((unit) => deletions(unit, fenced)), ...forgetWords(workspaceId, fenced)]
  // The catalogs and the quotas are deleted last, in a separate step: the other rows are found by the catalogs and
  // counted by the quotas.
  const left = [
    ...units.map((unit) => sql`exists (select 1 from ${tableOf(unit)} where ${owned(unit)})`),
    hasWords(workspaceId),
  ]
  const answers = await retrying(() =>
    database.batch([...steps, sql`select ${sql.join(left, sql` + `)} as remaining`]),
  )
  if (answers.at(-1)![0]!.remaining !== 0) return false
  await retrying(() =>
    database.batch(
      [QUOTAS, CATALOGS].map(
        ({ name }) => sql`delete from ${sql.raw(name)} where workspace_id = ${workspaceId} and ${fenced}`,
      ),
    ),
  )
  return true
}

/** Deletes the rows of an earlier stay of a workspace from the target of its move. @returns whether all rows are gone */
export const clearTarget = (database: Database, workspaceId: string, attempt: number): Promise<boolean> =>
  forgetStep(database, workspaceId, sql`attempt = ${int(attempt)}`)

async function expiredCopies(database: Database, now: number): Promise<string[]> {
  const rows = await database.all<{ workspace_id: string }>(
    sql`select workspace_id from workspace_fences where forget_after <= ${int(now)} order by forget_after limit 10`,
  )
  return rows.map(({ workspace_id }) => workspace_id)
}

/**
 * Deletes copies that workspaces left behind more than a day ago, in steps that leave the database free for others. The
 * fence stays.
 *
 * @param mayGoOn called before each step
 * @returns number of steps
 */
export async function forgetCopies(database: Database, now: number, mayGoOn: () => boolean): Promise<number> {
  let steps = 0
  for (const workspaceId of await expiredCopies(database, now)) {
    for (let gone = false; !gone; steps++) {
      if (!mayGoOn()) return steps
      gone = await forgetStep(database, workspaceId, sql`forget_after <= ${int(now)}`)
    }
    await retrying(() =>
      database.all(sql`update workspace_fences set forget_after = null
        where workspace_id = ${workspaceId} and forget_after <= ${int(now)}`),
    )
  }
  return steps
}
