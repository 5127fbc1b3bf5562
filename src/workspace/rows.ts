import { and, count, eq, type GetColumnData, isNull, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { ApiError } from '#errors'
import { asPage, type Page, type PageRequest } from '#http/page'
import { int } from '#storage/database'
import { type Authority, changeWhileHeld, whileHeld } from './authority'
import { REVOKED, type Revoked } from './schemas'
import { noSuchWorkspace, workspaceQuery } from './workspace'

/** What the tables of keys and members share: their rows belong to a workspace, and are revoked and not deleted. */
type OwnedTable = SQLiteTable & Record<'workspaceId' | 'createdAt' | 'revokedAt', SQLiteColumn>

type Columns = Record<string, SQLiteColumn>

/**
 * The rows of a workspace that are not revoked, oldest first.
 *
 * @param form a row as the API returns it
 * @throws ApiError 404 for an unknown workspace
 */
export async function listLive<C extends Columns, Form>(
  authority: Authority,
  table: OwnedTable,
  columns: C,
  page: PageRequest,
  form: (row: { [Name in keyof C]: GetColumnData<C[Name]> }) => Form,
): Promise<Page<Form>> {
  const { database, workspaceId } = authority
  const { orm } = database
  const live = and(eq(table.workspaceId, workspaceId), isNull(table.revokedAt))
  const rows = orm
    .select(columns as Columns)
    .from(table)
    .where(live)
  const [[workspace], found, [counted]] = await orm.batch([
    workspaceQuery(database, workspaceId),
    rows.orderBy(table.createdAt, sql`rowid`).limit(page.limit).offset(page.offset),
    orm.select({ total: count() }).from(table).where(live),
  ])
  if (!workspace) throw noSuchWorkspace()
  return asPage((found as Parameters<typeof form>[0][]).map(form), counted!.total, page)
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
