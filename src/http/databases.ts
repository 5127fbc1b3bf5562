import { createMiddleware } from 'hono/factory'
import { configOf } from '#env'
import { controlDatabase, type Database } from '#storage/database'
import { ReadSessions } from '#storage/read-sessions'
import { type Place, workspaceDatabase } from '#storage/workspace-database'
import type { AppContext, AppEnv } from './context'

const BOOKMARK_HEADER = 'X-D1-Bookmark'

/** The database of workspaces, clients, keys and members. */
export const controlDatabaseOf = (c: AppContext): Database => controlDatabase(c.env, c.var.meter)

/**
 * Where the catalogs of a workspace are: the primary, which knows of every write.
 *
 * @param place the caller's own workspace unless told otherwise
 */
export const catalogDatabaseOf = (c: AppContext, place: Place = c.var.caller): Database =>
  workspaceDatabase(c.env, place, c.var.meter, { sessions: c.var.sessions, nearest: false })

/**
 * The copy of the catalogs that is nearest to the reader. It may be some moments old, but never older than what a caller
 * has seen who sends back the bookmark of an earlier answer.
 *
 * @param place the caller's own workspace unless told otherwise
 */
export const nearestCatalogOf = (c: AppContext, place: Place = c.var.caller): Database =>
  workspaceDatabase(c.env, place, c.var.meter, { sessions: c.var.sessions, nearest: true })

/**
 * Takes the bookmark that a caller sends back, and tells the one of what the answer has seen or written. Outside of
 * everything that reads a workspace's database.
 */
export const keepBookmarks = createMiddleware<AppEnv>(async (c, next) => {
  const sessions = new ReadSessions(c.req.header(BOOKMARK_HEADER), configOf(c.env).readReplication)
  c.set('sessions', sessions)
  await next()
  const bookmark = sessions.bookmark()
  if (bookmark !== undefined) c.header(BOOKMARK_HEADER, bookmark)
})
