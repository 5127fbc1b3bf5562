import { type SQL, sql } from 'drizzle-orm'
import { invalidField } from '#shared/errors/errors'
import { configOf, type Env } from '#worker/env'
import {
  boundDatabase,
  boundDatabases,
  type Database,
  type DatabaseAccess,
  databaseAccess,
  firstOf,
  prepare,
  runOn,
} from '#worker/storage/database'
import type { Meter } from '#worker/storage/meter'
import { withoutCopies } from '#worker/storage/placement/served-database'
import { workspaces } from '#worker/storage/schema/control'

export function requireBound(env: Env, database: string): void {
  const names = boundDatabases(env)
  if (!names.includes(database))
    throw invalidField('database', 'not_allowed', `must be one of ${names.join(', ')}`, database)
}

const readPlaces = (control: Database): Promise<{ database: string; ids: string; n: number }[]> =>
  control.all(
    sql`select database_binding as database, json_group_array(workspace_id) as ids, count(*) as n
      from ${workspaces} where state not in ('erasing', 'erased') group by 1`,
  )

export async function unboundDatabases(env: Env, control: Database): Promise<string[]> {
  const bound = boundDatabases(env)
  return (await readPlaces(control)).map(({ database }) => database).filter((database) => !bound.includes(database))
}

/** @throws Error that names a database without one of its workspaces, because a different database is bound */
export async function requireEveryWorkspace({ control, catalog }: DatabaseAccess): Promise<void> {
  for (const { database, ids, n } of await readPlaces(control)) {
    // Every workspace has its quotas in its database.
    const { found } = await catalog(database).one(
      sql<{ found: number }>`select count(*) as found from workspace_quotas
        where workspace_id in (select value from json_each(${ids}))`,
    )
    if (found !== n) throw new Error(`configuration: the database bound as ${database} lacks ${n - found} workspaces`)
  }
}

/** The configured databases for new workspaces. `/health` reports one that is not bound. */
export const openDatabases = (env: Env): readonly string[] => configOf(env).newWorkspacesIn ?? boundDatabases(env)

/** Expression for the database with the fewest workspaces; on a tie, the first. */
export const fewestWorkspacesAmong = (databases: readonly string[]): SQL =>
  sql`(select candidate.value from json_each(${JSON.stringify(databases)}) as candidate
    left join ${workspaces} on ${workspaces.databaseBinding} = candidate.value and ${workspaces.state} <> 'erased'
    group by candidate.key order by count(${workspaces.workspaceId}), candidate.key limit 1)`

export async function listDatabases(env: Env, meter: Meter) {
  const access = databaseAccess(env, meter)
  const counts = await readPlaces(access.control)
  const open = openDatabases(env)
  return Promise.all(
    boundDatabases(env).map(async (database) => {
      const { serves } = await withoutCopies(access, database)
      const query = sql<{ records: number }>`select coalesce(sum(total_records), 0) as records from catalogs
        where ${serves(sql`workspace_id`)}`
      // The `Database` interface does not report the size.
      const [{ results, meta }] = await runOn(boundDatabase(env, database), meter)([prepare(query)])
      return {
        database,
        workspaces: counts.find((row) => row.database === database)?.n ?? 0,
        records: firstOf(results).records,
        size_bytes: meta.size_after,
        open: open.includes(database),
      }
    }),
  )
}
