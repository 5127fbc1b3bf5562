import { catalogDatabase, controlDatabase, type Database } from '#storage/database'
import type { AppContext } from './context'

/** The database of workspaces, clients, keys and members. */
export const controlDatabaseOf = (c: AppContext): Database => controlDatabase(c.env, c.var.meter)

/**
 * The database of a workspace's catalogs.
 *
 * @param binding name of the D1 binding; the caller's own by default
 */
export const catalogDatabaseOf = (c: AppContext, binding: string = c.var.caller.databaseBinding): Database =>
  catalogDatabase(c.env, binding, c.var.meter)
