import { type SQL, sql } from 'drizzle-orm'
import { pause } from '#worker/http/sharing/large-bodies'
import { type Database, int } from '#worker/storage/database'
import { retry } from '#worker/storage/database-faults'
import { purgeGuard, unlessFenced } from '#worker/storage/placement/fences'
import { takeSteps } from '#worker/storage/scheduled-steps'
import { deleteSome, hasWords, purgeWords, type Unit, unitRows, unitsOf } from './pages'

/**
 * Rows of one table that one step deletes. It takes some ten milliseconds, during which the database answers nothing
 * else.
 */
const ROWS_PER_STEP = 500

/** Steps of one run in one database: some five seconds. The next run does the rest. */
const MOST_STEPS = 500

interface PurgeStep {
  /** Condition: it has something to do. */
  remains: SQL
  statements: () => SQL[]
}

/** Catalogs come last, because their rows and words are found by them. */
function stepsOf(workspaceId: string): PurgeStep[] {
  const ofUnit = (unit: Unit): PurgeStep => ({
    remains: sql`exists (select 1 from ${unitRows(unit)})`,
    statements: () => deleteSome(unit, ROWS_PER_STEP),
  })
  const units = unitsOf(workspaceId).reverse()
  return [
    ...units.filter(({ table }) => table.name !== 'catalogs').map(ofUnit),
    { remains: hasWords(workspaceId), statements: () => [purgeWords(workspaceId)] },
    ...units.filter(({ table }) => table.name === 'catalogs').map(ofUnit),
  ]
}

/** `stopped`: the copy must be kept. */
type PurgeOutcome = 'some' | 'all' | 'stopped'

/** Deletes a share of the copy of a workspace in a database that does not serve it, if its fence allows that. */
export async function purgeCopyStep(database: Database, workspaceId: string, now: number): Promise<PurgeOutcome> {
  const steps = stepsOf(workspaceId)
  const remaining = steps.map(({ remains }) => remains)
  const row = await database.one(
    sql<{ remaining: string }>`select json_array(${sql.join(remaining, sql`, `)}) as remaining`,
  )
  const flags: number[] = JSON.parse(row.remaining)
  const next = steps.find((_, n) => flags[n] === 1)
  if (next === undefined) return 'all'
  const statements = [purgeGuard(workspaceId, now), ...next.statements()]
  const results = await unlessFenced(() => retry(() => database.batch(statements)))
  return results === null ? 'stopped' : 'some'
}

async function expiredCopies(database: Database, now: number): Promise<string[]> {
  const rows = await database.all<{ workspace_id: string }>(
    sql`select workspace_id from workspace_fences where forget_after <= ${int(now)} order by forget_after limit 10`,
  )
  return rows.map(({ workspace_id }) => workspace_id)
}

/**
 * Deletes copies that workspaces left behind more than a day ago, or that a cancelled move has left, in steps that
 * leave the database free for others. The fence stays.
 *
 * @param mayGoOn called before each step
 * @returns number of steps
 */
export async function purgeCopies(database: Database, now: number, mayGoOn: () => boolean): Promise<number> {
  const purgeSome = async (workspaceId: string): Promise<boolean> => {
    if (!mayGoOn()) return false
    const outcome = await purgeCopyStep(database, workspaceId, now)
    // As in a move: a database in the same process would keep all other requests waiting.
    await pause()
    if (outcome === 'some') return true
    await retry(() =>
      database.all(sql`update workspace_fences set forget_after = null
        where workspace_id = ${workspaceId} and forget_after <= ${int(now)}`),
    )
    return false
  }
  return takeSteps(await expiredCopies(database, now), purgeSome, MOST_STEPS)
}
