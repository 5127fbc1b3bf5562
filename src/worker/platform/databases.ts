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
  notBound,
  prepare,
  runOn,
} from '#worker/storage/database'
import type { Meter } from '#worker/storage/meter'
import { withoutCopies } from '#worker/storage/placement/served-database'
import { workspaces } from '#worker/storage/schema/control'
import type { DatabaseUse } from './schemas'

/** @throws ApiError 400 for a name of a database that is not bound */
export function requireBound(env: Env, database: string): void {
  const names = boundDatabases(env)
  if (!names.includes(database))
    throw invalidField('database', 'not_allowed', `must be one of ${names.join(', ')}`, database)
}

/** The workspaces that each database holds, by the control database. */
const readPlaces = (control: Database): Promise<{ database: string; ids: string; n: number }[]> =>
  control.all(
    sql`select database_binding as database, json_group_array(workspace_id) as ids, count(*) as n
      from ${workspaces} where state not in ('erasing', 'erased') group by 1`,
  )

/** Names of databases that workspaces are in and that are not bound. */
export async function unboundDatabases(env: Env, control: Database): Promise<string[]> {
  const bound = boundDatabases(env)
  return (await readPlaces(control)).map(({ database }) => database).filter((database) => !bound.includes(database))
}

/** @throws Error that names a database that workspaces are in and that is not bound */
export async function requireBoundDatabases(env: Env, control: Database): Promise<void> {
  const [database] = await unboundDatabases(env, control)
  if (database !== undefined) throw notBound(database)
}

/**
 * Refuses if a bound database lacks a workspace that should be there, because another one is bound in its place. Comes
 * before anything is deleted as unknown to all databases.
 *
 * @throws Error that names the database
 */
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

/** The databases that take new workspaces, as configured; `/health` says if one is not bound. */
export const openDatabases = (env: Env): readonly string[] => configOf(env).newWorkspacesIn ?? boundDatabases(env)

/** The database with the fewest workspaces, as an expression; the first one if several have equally few. */
export const fewestWorkspacesAmong = (databases: readonly string[]): SQL =>
  sql`(select candidate.value from json_each(${JSON.stringify(databases)}) as candidate
    left join ${workspaces} on ${workspaces.databaseBinding} = candidate.value and ${workspaces.state} <> 'erased'
    group by candidate.key order by count(${workspaces.workspaceId}), candidate.key limit 1)`

async function useOf(env: Env, access: DatabaseAccess, name: string): Promise<{ records: number; size: number }> {
  const { serves } = await withoutCopies(access, name)
  // Without the interface of `Database`, which does not tell the size.
  const [result] = await runOn(
    boundDatabase(env, name),
    access.meter,
  )([
    prepare(
      sql<{ records: number }>`select coalesce(sum(total_records), 0) as records from catalogs
        where ${serves(sql`workspace_id`)}`,
    ),
  ])
  return { records: firstOf(result.results).records, size: result.meta.size_after }
}

export async function listDatabases(env: Env, meter: Meter): Promise<DatabaseUse[]> {
  const access = databaseAccess(env, meter)
  const counts = await readPlaces(access.control)
  const open = openDatabases(env)
  return Promise.all(
    boundDatabases(env).map(async (database) => {
      const { records, size } = await useOf(env, access, database)
      return {
        database,
        workspaces: counts.find((row) => row.database === database)?.n ?? 0,
        records,
        size_bytes: size,
        open: open.includes(database),
      }
    }),
  )
}
