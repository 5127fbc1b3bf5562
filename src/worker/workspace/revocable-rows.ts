import { and, desc, eq, isNotNull, isNull, ne, notInArray, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types'
import type { SelectedFields, SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import { ApiError } from '#shared/errors/errors'
import { WORKSPACE_LIMITS } from '#shared/limits'
import { envelopedAs } from '#worker/http/endpoint/answers'
import { timestampSchema } from '#worker/http/endpoint/values'
import { firstOf, int, rowIf } from '#worker/storage/database'
import { asPage, isoTime, oldestFirst, type Page, type PageRequest } from '#worker/storage/list-page'
import { countRows, hasRoom, type Room, requireRoom } from '#worker/storage/quotas'
import { type apiKeys, type encryptionKeys, type partnerCredentials, workspaces } from '#worker/storage/schema/control'
import { forgetCached } from '#worker/storage/timed-cache'
import { type AdminContext, ifAuthorized, isThere, noSuchWorkspace, runAsAdmin } from './admin-context'

type RevocableTable = SQLiteTable & Record<'workspaceId' | 'createdAt' | 'revokedAt', SQLiteColumn>

/** Keys of one kind, or members: their table and texts. */
export interface RevocableRows {
  table: RevocableTable
  id: SQLiteColumn
  quota: Exclude<keyof typeof WORKSPACE_LIMITS, 'webhooks'>
  /** The name of one in error messages. */
  noun: string
  /** The column to clear when a key is revoked. */
  secret?: string
}

const revocationSchema = z.strictObject({ revoked: z.literal(true) })

export const REVOKED = { revoked: true } as const

/** The `remove` of a collection whose rows are revoked. @param condition a further sentence for its description */
export const revocation = <Admin>(
  summary: string,
  message: string,
  run: (admin: Admin, id: string, now: Date) => Promise<typeof REVOKED>,
  condition = '',
) => ({
  summary,
  description: `Takes effect within 60 seconds. Revoking it again changes nothing.${condition}`,
  answer: envelopedAs(message, revocationSchema),
  run,
})

type BatchStatement = BatchItem<'sqlite'>

const ROWID = sql`rowid`

export const keyUseMembers = {
  created_by: z.string().nullable().meta({
    description: '`operator`, or `user:` and an email address; null when it is not known.',
    example: 'operator',
  }),
  created_at: timestampSchema,
  last_used_at: timestampSchema
    .nullable()
    .meta({ description: 'Start of the hour in which the key was last used; null before the first use.' }),
}

export const keyUse = (table: typeof apiKeys | typeof partnerCredentials | typeof encryptionKeys) => ({
  created_by: sql<string | null>`${table.createdBy}`,
  created_at: isoTime(table.createdAt),
  last_used_at: isoTime(table.lastUsedAt),
})

const liveRows = ({ workspaceId }: AdminContext, table: RevocableTable) =>
  and(eq(table.workspaceId, workspaceId), isNull(table.revokedAt))

/** The rows of a workspace that are not revoked, oldest first. @throws ApiError 404 for an unknown workspace */
export async function listLive<Columns extends SelectedFields>(
  admin: AdminContext,
  table: RevocableTable,
  columns: Columns,
  page: PageRequest,
): Promise<Page<SelectResultFields<Columns>>> {
  const { database, workspaceId } = admin
  const [[workspace], rows, counts] = await database.orm.batch([
    database.orm.select().from(workspaces).where(isThere(workspaceId)),
    ...oldestFirst(database, table, columns, liveRows(admin, table), page),
  ])
  if (!workspace) throw noSuchWorkspace()
  return asPage(rows, firstOf(counts).total, page)
}

/** Room for one more row that is not revoked. @param id of the row */
export const roomFor = (admin: AdminContext, { table, id: column, quota }: RevocableRows, id: string): Room => ({
  quota,
  others: countRows(admin.database, table, and(liveRows(admin, table), ne(column, id))),
})

/** Whether the admin may still insert, and there is room: the condition of an insertion. */
export const mayInsert = (admin: AdminContext, rooms: readonly Room[]): SQL =>
  sql.join([ifAuthorized(admin, 'adds'), ...rooms.map(hasRoom)], sql` and `)

/** Inserts a row, which has no effect unless the admin still may and there is room. */
type Insert = <T extends SQLiteTable>(table: T, row: T['$inferInsert']) => BatchStatement

/** Inserts rows with a random ID for an admin. @throws ApiError 409 at the limit; as `lostRightsError` */
export async function insertRevocableRow(
  admin: AdminContext,
  rooms: readonly Room[],
  insertions: (insert: Insert) => readonly BatchStatement[],
  now: Date,
): Promise<void> {
  const { database } = admin
  const condition = mayInsert(admin, rooms)
  // The ID is random: a conflict is this same row, from an attempt whose response was lost.
  const statements = insertions((table, row) =>
    database.orm
      .insert(table)
      .select(rowIf(table, row, condition))
      .onConflictDoNothing(),
  )
  const counts = await runAsAdmin(admin, [...rooms.map(({ others }) => others), ...statements], now, 'adds')
  for (const [n, room] of rooms.entries()) requireRoom(room, counts[n])
}

/** Deletes a workspace's oldest revoked rows. It keeps as many as the limit for rows that are not revoked. */
export function purgeRevoked({ database: { orm }, workspaceId }: AdminContext, { table, quota }: RevocableRows) {
  const revokedRows = and(eq(table.workspaceId, workspaceId), isNotNull(table.revokedAt))
  const rows: SQLiteTable = table
  const newest = orm
    .select({ rowid: ROWID })
    .from(rows)
    .where(revokedRows)
    .orderBy(desc(table.revokedAt), desc(ROWID))
    .limit(WORKSPACE_LIMITS[quota])
  return orm.delete(rows).where(and(revokedRows, notInArray(ROWID, newest)))
}

/**
 * Revokes a key with its tokens, and deletes its secret.
 *
 * @param purges further statements
 * @throws ApiError 404; as `lostRightsError`
 */
export async function revokeKey(
  admin: AdminContext,
  kind: RevocableRows,
  id: string,
  now: Date,
  purges: readonly BatchStatement[] = [],
) {
  const { database, workspaceId } = admin
  const { table, id: column, noun, secret } = kind
  const rows: SQLiteTable = table
  const revokedAt = sql`coalesce(${table.revokedAt}, ${int(now.getTime())})`
  const revocation = database.orm
    .update(rows)
    .set(secret === undefined ? { revokedAt } : { revokedAt, [secret]: '' })
    .where(and(eq(table.workspaceId, workspaceId), eq(column, id), ifAuthorized(admin)))
    .returning({ id: column })
  const [[row]] = await runAsAdmin(admin, [revocation, purgeRevoked(admin, kind), ...purges], now)
  if (!row) throw new ApiError('not_found', `The workspace has no ${noun}.`)
  forgetCached(id)
  return REVOKED
}
