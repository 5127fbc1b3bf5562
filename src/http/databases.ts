import { catalogDatabase, controlDatabase, type Database } from '#storage/database'
import type { AppContext } from './context'

/** Where workspaces, clients, keys and members are. */
export const controlDatabaseOf = (c: AppContext): Database => controlDatabase(c.env, c.var.meter)

/**
 * Where the catalogs of a workspace are.
 *
 * @param binding name of the D1 binding; the caller's own unless told otherwise
 */
export const catalogDatabaseOf = (c: AppContext, binding: string = c.var.caller.databaseBinding): Database =>
  catalogDatabase(c.env, binding, c.var.meter)
