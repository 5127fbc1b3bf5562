import { createMiddleware } from 'hono/factory'
import { configOf } from '#worker/env'
import { type Bucket, openBucket } from '#worker/storage/bucket'
import { controlDatabase, type Database } from '#worker/storage/database'
import {
  requireWritable,
  type WorkspaceAddress,
  type WorkspaceDatabase,
  workspaceDatabase,
} from '#worker/storage/placement/workspace-database'
import { ReadSessions } from '#worker/storage/read-sessions'
import type { AppContext, AppEnv } from './context'

const BOOKMARK_HEADER = 'X-D1-Bookmark'

export const controlDatabaseOf = (c: AppContext): Database => controlDatabase(c.env, c.var.meter, c.var.deadline)

/** The bytes of documents and pending uploads. Its methods throw an ApiError 503 if it cannot be used. */
export const bucketOf = (c: AppContext): Bucket => openBucket(c.env, controlDatabaseOf(c))

/** Call it before a change outside the workspace's database. @throws ApiError 503 if the workspace is read-only */
export const requireWritableWorkspace = (c: AppContext): void => {
  // The operator is not a caller, and may change a workspace in every state.
  if (c.var.caller) requireWritable(c.var.caller)
}

const openCatalogs = (c: AppContext, address: WorkspaceAddress, nearest: boolean): WorkspaceDatabase =>
  workspaceDatabase(c.env, address, c.var.meter, { sessions: c.var.sessions, nearest, deadline: c.var.deadline })

/** The primary database with the catalogs of a workspace, by default the caller's own. It has every write. */
export const catalogDatabaseOf = (c: AppContext, address: WorkspaceAddress = c.var.caller): Database =>
  openCatalogs(c, address, false)

/** The nearest read replica of the catalogs. It may lag, but is never older than the caller's bookmark. */
export const nearestCatalogOf = (c: AppContext, address: WorkspaceAddress = c.var.caller): WorkspaceDatabase =>
  openCatalogs(c, address, true)

/**
 * The database for a later page. Without a bookmark, the primary, because the first page may be from a newer replica.
 */
export const nextPageCatalogOf = (c: AppContext): Database =>
  c.var.sessions.hasHeader ? nearestCatalogOf(c) : catalogDatabaseOf(c)

/** Reads the caller's bookmark, and returns one that covers everything that the request has read. */
export const keepBookmarks = createMiddleware<AppEnv>(async (c, next) => {
  const sessions = new ReadSessions(c.req.header(BOOKMARK_HEADER), configOf(c.env).readReplication)
  c.set('sessions', sessions)
  await next()
  const bookmark = sessions.bookmark()
  if (bookmark !== undefined) c.res.headers.set(BOOKMARK_HEADER, bookmark)
})
