import { type SQL, sql } from 'drizzle-orm'
import { pause } from '#worker/http/sharing/large-bodies'
import { type Database, int } from '#worker/storage/database'
import { deleteSome, hasWords, purgeWords, type Unit, unitRows, unitsOf } from './workspace-rows'

/**
 * Rows of one table that one step deletes. It takes some ten milliseconds, during which the database answers nothing
 * else.
 */
const ROWS_PER_STEP = 500

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
    {
      remains: sql`exists (select 1 from document_removals where workspace_id = ${workspaceId})`,
      statements: () => [
        sql`delete from document_removals where rowid in (
          select rowid from document_removals where workspace_id = ${workspaceId} limit ${int(ROWS_PER_STEP)})`,
      ],
    },
    ...units.filter(({ table }) => table.name === 'catalogs').map(ofUnit),
  ]
}

/**
 * The statements of the next step that deletes rows of a workspace from a database.
 *
 * @returns null when none are left
 */
export async function nextPurge(database: Pick<Database, 'one'>, workspaceId: string): Promise<SQL[] | null> {
  const steps = stepsOf(workspaceId)
  const remaining = steps.map(({ remains }) => remains)
  const row = await database.one(
    sql<{ remaining: string }>`select json_array(${sql.join(remaining, sql`, `)}) as remaining`,
  )
  const flags: number[] = JSON.parse(row.remaining)
  return steps.find((_, n) => flags[n] === 1)?.statements() ?? null
}

/**
 * Deletes the rows of a workspace from a database, in steps that leave the database free for others.
 *
 * @param mayGoOn asked before each step; a later call does the rest
 * @returns number of steps, and whether all rows are gone
 */
export async function purgeRows(
  database: Database,
  workspaceId: string,
  mayGoOn: () => boolean,
): Promise<{ steps: number; done: boolean }> {
  for (let steps = 0; ; steps++) {
    if (!mayGoOn()) return { steps, done: false }
    const statements = await nextPurge(database, workspaceId)
    if (statements === null) return { steps, done: true }
    await database.retry(() => database.batch(statements))
    // Otherwise a database in the same process, as with `npm start`, keeps all other requests waiting to the end.
    await pause()
  }
}
