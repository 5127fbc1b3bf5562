import type { Env } from '#env'
import { catalogDatabase, controlDatabase, type Database } from './database'
import type { Meter } from './meter'
import { workspaces } from './schema'

/** Every database in which some workspace lives, once. */
export async function catalogDatabases(env: Env, meter: Meter): Promise<Database[]> {
  const rows = await controlDatabase(env, meter)
    .orm.selectDistinct({ databaseBinding: workspaces.databaseBinding })
    .from(workspaces)
  return rows.map(({ databaseBinding }) => catalogDatabase(env, databaseBinding, meter))
}
