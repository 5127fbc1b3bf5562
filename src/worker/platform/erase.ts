import { and, eq, exists, gt, inArray, isNotNull, lte, not, or, sql } from 'drizzle-orm'
import { heldKey } from '#worker/catalog/uploads/held-files'
import { pause } from '#worker/http/sharing/large-bodies'
import type { Bucket } from '#worker/storage/bucket'
import { type Database, type DatabaseAccess, int } from '#worker/storage/database'
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

/** The erasure of a workspace, and of the copy that a move has left behind. Both go on in bounded steps. */

const DAY_MS = 24 * 3600 * 1000

const OBJECTS_PER_STEP = 1000

export type ErasedWorkspace = Pick<
  typeof workspaces.$inferSelect,
  'workspaceId' | 'databaseBinding' | 'oldDatabase' | 'state'
>

/** Deletes the bytes of documents, those without a row too, and of files that wait. @returns whether all are gone */
async function eraseObjects(
  { catalog }: DatabaseAccess,
  bucket: Bucket,
  { workspaceId, databaseBinding }: ErasedWorkspace,
  mayGoOn: () => boolean,
): Promise<boolean> {
  const held = await catalog(databaseBinding).all(
    sql<{ upload_id: string }>`select upload_id from uploads where outcome = 'held'
      and catalog_id in (select catalog_id from catalogs where workspace_id = ${workspaceId})`,
  )
  // Ten wait for a catalog at most.
  if (held.length > 0) await bucket.delete(held.map(({ upload_id }) => heldKey(upload_id)))
  while (mayGoOn()) {
    const { objects } = await bucket.list({ prefix: `${workspaceId}/`, limit: OBJECTS_PER_STEP })
    if (objects.length === 0) return true
    await bucket.delete(objects.map(({ key }) => key))
  }
  return false
}

/** Deletes keys and members, and leaves a row with the id and the times. */
async function eraseAccess({ control: { orm, retry } }: DatabaseAccess, workspaceId: string, now: Date): Promise<void> {
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
      // A client of an admin may have got a key of another workspace.
      orm.delete(clients).where(and(eq(clients.workspaceId, workspaceId), not(exists(otherKeys)))),
      orm.update(clients).set({ workspaceId: null }).where(eq(clients.workspaceId, workspaceId)),
      orm
        .update(workspaces)
        .set({ state: 'erased', erasedAt: now.getTime(), name: '', stateReason: null, oldDatabase: null })
        .where(and(eq(workspaces.workspaceId, workspaceId), eq(workspaces.state, 'erasing'))),
    ]),
  )
}

/**
 * Deletes the rows of a workspace from a database.
 *
 * @param mayGoOn asked before each step; a later call does the rest
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
    // Otherwise a database in the same process, as with `npm start`, keeps all other requests waiting to the end.
    await pause()
  }
}

const remainsOf = ({ catalog }: DatabaseAccess, { workspaceId, databaseBinding }: ErasedWorkspace) => {
  const ofCatalogs = sql`catalog_id in (select catalog_id from catalogs where workspace_id = ${workspaceId})`
  const own = sql`workspace_id = ${workspaceId}`
  return catalog(databaseBinding).one(
    sql<WorkspaceRemains>`select (select count(*) from records where ${ofCatalogs}) as records,
      (select count(*) from record_versions where ${ofCatalogs}) as versions,
      (select count(*) from uploads where ${ofCatalogs}) as uploads,
      (select count(*) from documents where ${own}) as documents,
      (select count(*) from registrations where ${own}) as registrations,
      (select count(*) from webhooks where ${own}) as webhooks`,
  )
}

/**
 * Goes on with an erasure; of one that has ended, with what a request wrote meanwhile.
 *
 * @returns what is left; null when nothing is
 */
export async function eraseWorkspace(
  access: DatabaseAccess,
  bucket: Bucket,
  workspace: ErasedWorkspace,
  now: Date,
  mayGoOn: () => boolean,
): Promise<WorkspaceRemains | null> {
  const { workspaceId, databaseBinding, oldDatabase } = workspace
  const bindings = [databaseBinding, ...(oldDatabase === null ? [] : [oldDatabase])]
  let done = await eraseObjects(access, bucket, workspace, mayGoOn)
  for (const binding of bindings) {
    if (done) done = (await purgeRows(access.catalog(binding), workspaceId, mayGoOn)).done
  }
  if (!done) return remainsOf(access, workspace)
  await eraseAccess(access, workspaceId, now)
  return null
}

/** Goes on with all erasures, for a day after their end. @returns number of workspaces */
export async function eraseWorkspaces(
  access: DatabaseAccess,
  bucket: Bucket,
  now: Date,
  mayGoOn: () => boolean,
): Promise<number> {
  const rows = await access.control.orm
    .select()
    .from(workspaces)
    .where(or(eq(workspaces.state, 'erasing'), gt(workspaces.erasedAt, now.getTime() - DAY_MS)))
  for (const workspace of rows) await eraseWorkspace(access, bucket, workspace, now, mayGoOn)
  return rows.length
}

/** Deletes the copies that workspaces left behind more than a day ago. @returns number of steps */
export async function purgeOldCopies(access: DatabaseAccess, now: Date, mayGoOn: () => boolean): Promise<number> {
  const { orm, retry } = access.control
  const isOld = and(
    isNotNull(workspaces.oldDatabase),
    lte(workspaces.movedAt, now.getTime() - DAY_MS),
    sql`${workspaces.moveTarget} is null and ${workspaces.oldDatabase} <> ${workspaces.databaseBinding}`,
  )
  const moved = await orm.select().from(workspaces).where(isOld).limit(10)
  let count = 0
  for (const { workspaceId, oldDatabase, movedAt } of moved) {
    if (oldDatabase === null || movedAt === null) continue
    const { steps, done } = await purgeRows(access.catalog(oldDatabase), workspaceId, mayGoOn)
    count += steps
    if (!done) continue
    const isSame = sql`${workspaces.workspaceId} = ${workspaceId} and ${workspaces.movedAt} = ${int(movedAt)}`
    await retry(() => orm.update(workspaces).set({ oldDatabase: null, movedAt: null }).where(isSame))
  }
  return count
}
