import { type SQL, sql } from 'drizzle-orm'
import { retrying } from '#worker/storage/d1'
import { type Database, int } from '#worker/storage/database'
import { mayFill, purging } from '#worker/storage/placement/fences'
import type { MoveAttempt } from '#worker/storage/placement/moves'
import { CATALOGS, QUOTAS, SYNC_TABLES } from '#worker/storage/placement/workspace-tables'
import { fill } from './copy'
import { hasWords, purgeCopiedWords, unindexRows } from './search-index'
import { EVERYTHING, owned, tableOf, type Unit, unitRows, unitsOf } from './units'

/**
 * Rows of one table that one step deletes. It takes some ten milliseconds, during which the database answers nothing
 * else.
 */
const ROWS_PER_STEP = 500

/** How long one run purges copies in one database, in milliseconds. The next run does the rest. */
const PURGING_MS = 5000

/** Deletes rows of a copy. */
function deletions(unit: Unit): SQL[] {
  const key = sql.raw(unit.table.key.map((name) => `"${name}"`).join(', '))
  // Records are read in the order in which they are stored, so that both statements pick the same ones. Nothing is
  // sorted.
  const order = unit.table.searched ? sql` order by row_id` : sql.empty()
  const some = sql`select ${key} from ${unitRows(unit, EVERYTHING, null)} and ${mayFill(unit.workspaceId)}${order}
    limit ${int(ROWS_PER_STEP)}`
  const rows = sql`delete from ${tableOf(unit)} where (${key}) in (${some})`
  return unit.table.searched ? [unindexRows(some), rows] : [rows]
}

/** The steps of purging a copy, in their order, each with the question whether it has something to do. */
function stepsOf(workspaceId: string): { remains: SQL; statements: () => SQL[] }[] {
  return [
    ...unitsOf(workspaceId).map((unit) => ({
      remains: sql`exists (select 1 from ${tableOf(unit)} where ${owned(unit)})`,
      statements: () => deletions(unit),
    })),
    { remains: hasWords(workspaceId), statements: () => purgeCopiedWords(workspaceId, mayFill(workspaceId)) },
    // Last, because the other rows are found by the catalogs and counted by the quotas.
    ...[...SYNC_TABLES, QUOTAS, CATALOGS].map(({ name }) => ({
      remains: sql`exists (select 1 from ${sql.raw(name)} where workspace_id = ${workspaceId})`,
      statements: () => [
        sql`delete from ${sql.raw(name)} where workspace_id = ${workspaceId} and ${mayFill(workspaceId)}`,
      ],
    })),
  ]
}

/**
 * Deletes a share of the copy of a workspace in a database that does not serve it.
 *
 * @param send carries the statements out; returns false, and has no effect, if the copy must be kept
 * @returns whether nothing is left to do
 */
async function purgeCopyStep(
  database: Database,
  workspaceId: string,
  send: (statements: readonly SQL[]) => Promise<boolean>,
): Promise<boolean> {
  const steps = stepsOf(workspaceId)
  const remaining = sql.join(
    steps.map(({ remains }) => remains),
    sql`, `,
  )
  const row = await database.one(sql<{ remaining: string }>`select json_array(${remaining}) as remaining`)
  const flags: number[] = JSON.parse(row.remaining)
  const next = steps.find((_, n) => flags[n] === 1)
  return next === undefined || !(await send(next.statements()))
}

/** Deletes rows of an earlier stay of a workspace from the target of its move. @returns whether all rows are gone */
export const clearTarget = (attempt: MoveAttempt): Promise<boolean> =>
  purgeCopyStep(attempt.target, attempt.move.workspaceId, async (statements) => {
    await fill(attempt, statements)
    return true
  })

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
export async function purgeCopies(database: Database, now: number, mayGoOn: () => boolean): Promise<number> {
  const until = Date.now() + PURGING_MS
  let steps = 0
  for (const workspaceId of await expiredCopies(database, now)) {
    const send = async (statements: readonly SQL[]) => {
      const filled = await retrying(() => database.batchEnding(purging(workspaceId, now, statements)))
      return filled.length === 1
    }
    for (let gone = false; !gone; steps++) {
      if (!mayGoOn() || Date.now() > until) return steps
      gone = await purgeCopyStep(database, workspaceId, send)
    }
    await retrying(() =>
      database.all(sql`update workspace_fences set forget_after = null
        where workspace_id = ${workspaceId} and forget_after <= ${int(now)}`),
    )
  }
  return steps
}
