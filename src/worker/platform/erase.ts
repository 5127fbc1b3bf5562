import { and, eq, exists, getTableName, inArray, isNotNull, lte, not, type SQL, sql } from 'drizzle-orm'
import { STATE_SETTLES_SECONDS } from '#shared/limits'
import { heldKey } from '#worker/catalog/uploads/held-files'
import { pause } from '#worker/http/steps'
import type { Bucket } from '#worker/storage/bucket'
import { type Database, type DatabaseAccess, int } from '#worker/storage/database'
import { closeWorkspace } from '#worker/storage/placement/workspace-database'
import { ERASED_TABLES, type WorkspaceTable } from '#worker/storage/placement/workspace-tables'
import {
  apiKeys,
  clients,
  encryptionKeys,
  members,
  partnerCredentials,
  partnerOrigins,
  workspaces,
} from '#worker/storage/schema/control'
import type { WorkspaceRemains } from './schemas'
import { nextPurge } from './workspace-rows'

/**
 * Erasure of a workspace, and of the copy left behind by a move, in bounded steps. An erasure first closes the
 * workspace, so that no request stores anything anymore, then deletes, then counts what is left.
 */

export const DAY_MS = 24 * 3600 * 1000

const OBJECTS_PER_STEP = 1000

export type ErasedWorkspace = Pick<
  typeof workspaces.$inferSelect,
  'workspaceId' | 'databaseBinding' | 'oldDatabase' | 'state' | 'stateChangedAt'
>

/** The databases that may contain rows of the workspace. */
export const bindingsOf = ({ databaseBinding, oldDatabase }: ErasedWorkspace): string[] =>
  oldDatabase === null ? [databaseBinding] : [databaseBinding, oldDatabase]

/** The time by which every request that began before the suspension has ended. */
export const settlesAt = ({ stateChangedAt }: ErasedWorkspace): number => stateChangedAt + STATE_SETTLES_SECONDS * 1000

/** Deletes the bytes of documents, even without a row, and of pending uploads. @returns whether all are deleted */
async function eraseObjects(
  { catalog }: DatabaseAccess,
  bucket: Bucket,
  workspace: ErasedWorkspace,
  mayGoOn: () => boolean,
): Promise<boolean> {
  const { workspaceId, databaseBinding } = workspace
  const held = await catalog(databaseBinding).all(
    sql<{ upload_id: string }>`select upload_id from uploads where outcome = 'held'
      and catalog_id in (select catalog_id from catalogs where workspace_id = ${workspaceId})`,
  )
  // A catalog has at most ten.
  if (held.length > 0) await bucket.delete(held.map(({ upload_id }) => heldKey(upload_id)))
  while (mayGoOn()) {
    const { objects } = await bucket.list({ prefix: objectsOf(workspace), limit: OBJECTS_PER_STEP })
    if (objects.length === 0) return true
    await bucket.delete(objects.map(({ key }) => key))
  }
  return false
}

export const objectsOf = ({ workspaceId }: Pick<ErasedWorkspace, 'workspaceId'>): string => `${workspaceId}/`

/** Deletes keys and members. Once the erasure has begun, `runAsAdmin` adds none. */
async function eraseAccess({ control: { orm, retry } }: DatabaseAccess, workspaceId: string): Promise<void> {
  const kids = orm
    .select({ kid: partnerCredentials.kid })
    .from(partnerCredentials)
    .where(eq(partnerCredentials.workspaceId, workspaceId))
  const otherKeys = orm.select({ one: sql`1` }).from(apiKeys).where(eq(apiKeys.clientId, clients.clientId))
  await retry(() =>
    orm.batch([
      orm.delete(partnerOrigins).where(inArray(partnerOrigins.kid, kids)),
      orm.delete(partnerCredentials).where(eq(partnerCredentials.workspaceId, workspaceId)),
      orm.delete(encryptionKeys).where(eq(encryptionKeys.workspaceId, workspaceId)),
      orm.delete(members).where(eq(members.workspaceId, workspaceId)),
      orm.delete(apiKeys).where(eq(apiKeys.workspaceId, workspaceId)),
      // A client created by an admin may have a key of another workspace.
      orm.delete(clients).where(and(eq(clients.workspaceId, workspaceId), not(exists(otherKeys)))),
      orm.update(clients).set({ workspaceId: null }).where(eq(clients.workspaceId, workspaceId)),
    ]),
  )
}

/**
 * Deletes the rows of a workspace from a database.
 *
 * @param mayGoOn checked before each step; a later call does the rest
 */
async function purgeRows(
  database: Database,
  workspaceId: string,
  mayGoOn: () => boolean,
): Promise<{ steps: number; done: boolean }> {
  for (let steps = 0; ; steps++) {
    if (!mayGoOn()) return { steps, done: false }
    const statements = await nextPurge(database, workspaceId)
    if (statements === null) return { steps, done: true }
    await database.retry(() => database.batch(statements))
    // Otherwise a database in the same process, as with `npm start`, blocks all other requests until the end.
    await pause()
  }
}

/** Closes the workspace and deletes its data. @returns whether everything is deleted */
export async function eraseNext(
  access: DatabaseAccess,
  bucket: Bucket,
  workspace: ErasedWorkspace,
  mayGoOn: () => boolean,
): Promise<boolean> {
  const databases = bindingsOf(workspace).map(access.catalog)
  for (const database of databases) await closeWorkspace(database, workspace.workspaceId)
  if (!(await eraseObjects(access, bucket, workspace, mayGoOn))) return false
  for (const database of databases) {
    if (!(await purgeRows(database, workspace.workspaceId, mayGoOn)).done) return false
  }
  await eraseAccess(access, workspace.workspaceId)
  return true
}

/** Condition: a row belongs to a workspace. @param id expression for its ID */
const isOwned = (owner: 'workspace_id' | 'catalog_id', id: SQL): SQL =>
  owner === 'workspace_id'
    ? sql`workspace_id = ${id}`
    : sql`catalog_id in (select catalog_id from catalogs where catalogs.workspace_id = ${id})`

const OWNED_IN_CONTROL = [apiKeys, partnerCredentials, encryptionKeys, members, clients]

/** The workspaces of a list that have rows in some tables. @param tables each with the name of its owner column */
async function owners(
  { all }: Database,
  workspaceIds: readonly string[],
  tables: readonly Pick<WorkspaceTable, 'name' | 'owner'>[],
): Promise<string[]> {
  const ownRows = tables.map(
    ({ name, owner }) =>
      sql`exists (select 1 from ${sql.identifier(name)} where ${isOwned(owner, sql`workspace.value`)})`,
  )
  const rows = await all(
    sql<{ id: string }>`select workspace.value as id from json_each(${JSON.stringify(workspaceIds)}) as workspace
      where ${sql.join(ownRows, sql` or `)}`,
  )
  return rows.map(({ id }) => id)
}

/** The workspaces of a list that still have rows in a database of workspaces. */
export const withRows = (database: Database, workspaceIds: readonly string[]): Promise<string[]> =>
  owners(database, workspaceIds, ERASED_TABLES)

/** The workspaces of a list that still have keys, members or clients. */
export const withKeys = (control: Database, workspaceIds: readonly string[]): Promise<string[]> =>
  owners(
    control,
    workspaceIds,
    OWNED_IN_CONTROL.map((table) => ({ name: getTableName(table), owner: 'workspace_id' })),
  )

const NAMED_COUNTS: Readonly<Record<string, keyof WorkspaceRemains>> = {
  records: 'records',
  record_versions: 'versions',
  uploads: 'uploads',
  documents: 'documents',
  registrations: 'registrations',
  webhooks: 'webhooks',
}

/** Counts everything that belongs to a workspace, in its databases, the control database and the bucket. */
export async function countRemains(
  { control, catalog }: DatabaseAccess,
  bucket: Bucket,
  workspace: ErasedWorkspace,
): Promise<WorkspaceRemains> {
  const id = sql`${workspace.workspaceId}`
  const keys = OWNED_IN_CONTROL.map((table) => sql`(select count(*) from ${table} where workspace_id = ${id})`)
  const counts = ERASED_TABLES.map(
    ({ name, owner }) =>
      sql`(select count(*) from ${sql.identifier(name)} where ${isOwned(owner, id)}) as ${sql.identifier(name)}`,
  )
  const countRows = sql<Record<string, number>>`select ${sql.join(counts, sql`, `)}`
  const [{ keys_and_members }, { objects }, ...databases] = await Promise.all([
    control.one(sql<{ keys_and_members: number }>`select ${sql.join(keys, sql` + `)} as keys_and_members`),
    bucket.list({ prefix: objectsOf(workspace), limit: OBJECTS_PER_STEP }),
    ...bindingsOf(workspace).map((binding) => catalog(binding).one(countRows)),
  ])
  const left: WorkspaceRemains = {
    records: 0,
    versions: 0,
    uploads: 0,
    documents: 0,
    registrations: 0,
    webhooks: 0,
    other_rows: 0,
    objects: objects.length,
    keys_and_members,
  }
  for (const [table, n] of databases.flatMap((rows) => Object.entries(rows)))
    left[NAMED_COUNTS[table] ?? 'other_rows'] += n
  return left
}

/** Completes erasures, or records a further check of completed ones. Call it after a count that found nothing. */
export async function endErasures({ control }: DatabaseAccess, erased: readonly ErasedWorkspace[], now: Date) {
  if (erased.length === 0) return
  const ids = JSON.stringify(erased.map(({ workspaceId }) => workspaceId))
  const time = int(now.getTime())
  await control.retry(() =>
    control.all(sql`update workspaces set state = 'erased', erased_at = coalesce(erased_at, ${time}),
        erasure_checked_at = ${time}, name = '', state_reason = null, old_database = null
      where workspace_id in (select value from json_each(${ids})) and state in ('erasing', 'erased')`),
  )
}

/** Copies processed per run, picked at random so that a faulty one does not block the others. */
const COPIES_PER_RUN = 10

/**
 * Deletes the copies that moved workspaces left behind more than a day ago.
 *
 * @param fault called for each fault; the other copies continue
 * @returns number of steps
 */
export async function purgeOldCopies(
  access: DatabaseAccess,
  now: Date,
  mayGoOn: () => boolean,
  fault: (error: unknown, database: string) => void,
): Promise<number> {
  const { orm, retry } = access.control
  const isOld = and(
    isNotNull(workspaces.oldDatabase),
    lte(workspaces.movedAt, now.getTime() - DAY_MS),
    sql`${workspaces.moveTarget} is null and ${workspaces.oldDatabase} <> ${workspaces.databaseBinding}`,
  )
  const moved = await orm.select().from(workspaces).where(isOld).orderBy(sql`random()`).limit(COPIES_PER_RUN)
  let count = 0
  for (const { workspaceId, oldDatabase, movedAt } of moved) {
    if (oldDatabase === null || movedAt === null) continue
    try {
      const { steps, done } = await purgeRows(access.catalog(oldDatabase), workspaceId, mayGoOn)
      count += steps
      if (!done) continue
      const isSame = sql`${workspaces.workspaceId} = ${workspaceId} and ${workspaces.movedAt} = ${int(movedAt)}`
      await retry(() => orm.update(workspaces).set({ oldDatabase: null, movedAt: null }).where(isSame))
    } catch (error) {
      fault(error, oldDatabase)
    }
  }
  return count
}
