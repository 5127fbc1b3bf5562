import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types'
import type { SelectedFields, SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { ApiError } from '#shared/errors/errors'
import { firstOf, int } from '#worker/storage/database'
import { asPage, isoTime, oldestFirst, type Page, type PageRequest } from '#worker/storage/paged'
import { type Authority, changeWhileHeld, whileHeld } from './authority'
import { REVOKED, type Revoked } from './schemas'
import { noSuchWorkspace, workspaceQuery } from './workspace'

/** What the tables of keys and members share: their rows belong to a workspace, and are revoked and not deleted. */
type OwnedTable = SQLiteTable & Record<'workspaceId' | 'createdAt' | 'revokedAt', SQLiteColumn>

/** When a key was created and by whom, and when it was used, as the API returns it. */
export const keyUse = (table: Record<'createdAt' | 'createdBy' | 'lastUsedAt', SQLiteColumn>) => ({
  created_by: sql<string | null>`${table.createdBy}`,
  created_at: isoTime(table.createdAt),
  last_used_at: isoTime(table.lastUsedAt) as SQL<string | null>,
})

/** The rows of a workspace that are not revoked, oldest first. @throws ApiError 404 for an unknown workspace */
export async function listLive<Columns extends SelectedFields>(
  { database, workspaceId }: Authority,
  table: OwnedTable,
  columns: Columns,
  page: PageRequest,
): Promise<Page<SelectResultFields<Columns>>> {
  const live = and(eq(table.workspaceId, workspaceId), isNull(table.revokedAt))
  const [[workspace], rows, counted] = await database.orm.batch([
    workspaceQuery(database, workspaceId),
    ...oldestFirst(database, table, columns, live, page),
  ])
  if (!workspace) throw noSuchWorkspace()
  return asPage(rows, firstOf(counted).total, page)
}

/**
 * Revokes a key of a workspace and destroys its secret. A second call changes nothing.
 *
 * @param key its table, and its column in it; `noun` says what is not there, `secret` which column becomes empty
 * @throws ApiError 404 when the workspace never had such a key; as `authorityLostError`
 */
export async function revokeKey(
  authority: Authority,
  key: { table: OwnedTable; column: SQLiteColumn; noun: string; secret?: string },
  id: string,
  now: Date,
): Promise<Revoked> {
  const { table, column, noun, secret } = key
  const revokedAt = sql`coalesce(${table.revokedAt}, ${int(now.getTime())})`
  const revocation = authority.database.orm
    .update(table as SQLiteTable)
    .set(secret === undefined ? { revokedAt } : { revokedAt, [secret]: '' })
    .where(and(eq(table.workspaceId, authority.workspaceId), eq(column, id), whileHeld(authority)))
    .returning({ id: column })
  const [revoked] = await changeWhileHeld(authority, revocation, now)
  if (!revoked) throw new ApiError('not_found', `The workspace has no ${noun}.`)
  return REVOKED
}
