import { type SQL, sql } from 'drizzle-orm'
import { messageOf } from './d1'
import { int } from './database'

/**
 * A fence makes a database refuse a workspace that is not there, or refuse its writes. Isolates remember for some
 * seconds where a workspace was, and the writes that they still send must not be lost. See `workspaceFences` in the
 * schema.
 *
 * Every change of a fence has the number of the attempt that makes it. It has no effect after a change of a later
 * attempt, so a delayed statement does no harm.
 */

/** How long the old copy of a workspace is kept, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000

/** Whether an error comes from a fence. Then nothing of the transaction was carried out. */
export const isFenced = (error: unknown): boolean => messageOf(error).includes('workspace_moved')

/** Whether reads are turned away: one row with the column `moved`, 0 or 1. */
export const readFence = (workspaceId: string): SQL => sql`select ${isGone(sql`${workspaceId}`)} as moved`

/**
 * The same for a read replica, which may be older than the arrival of the workspace. If it has no catalog of the
 * workspace, the primary must be asked. The fence of an arriving workspace is older than its first catalog.
 */
export const copyFence = (workspaceId: string): SQL =>
  sql`select ${isGone(sql`${workspaceId}`)}
    or not exists (select 1 from catalogs where workspace_id = ${workspaceId}) as moved`

/** Condition: reads are turned away, because the workspace is elsewhere. */
export const isGone = (workspaceId: SQL): SQL =>
  sql`exists (select 1 from workspace_fences where workspace_id = ${workspaceId} and refuses = 'everything')`

const setFence = (
  workspaceId: string,
  attempt: number,
  refuses: 'writes' | 'everything',
  forgetAfter: number | null,
): SQL =>
  sql`insert into workspace_fences (workspace_id, refuses, attempt, forget_after)
    values (${workspaceId}, ${refuses}, ${int(attempt)}, ${forgetAfter === null ? sql`null` : int(forgetAfter)})
    on conflict do update set refuses = excluded.refuses, attempt = excluded.attempt,
      forget_after = excluded.forget_after
    where attempt <= excluded.attempt`

/** The database that a workspace leaves takes no more writes for it; the target takes none yet. */
export const refuseWrites = (workspaceId: string, attempt: number): SQL =>
  setFence(workspaceId, attempt, 'writes', null)

/** The workspace has not arrived here yet. */
export const refuseEverything = (workspaceId: string, attempt: number): SQL =>
  setFence(workspaceId, attempt, 'everything', null)

/** The workspace is elsewhere; its copy here is deleted a day later. */
export const refuseForGood = (workspaceId: string, attempt: number, now: number): SQL =>
  setFence(workspaceId, attempt, 'everything', now + KEPT_MS)

/** The move to this database was cancelled; the copied rows can be deleted at once. */
export const discardCopy = (workspaceId: string, attempt: number, now: number): SQL =>
  setFence(workspaceId, attempt, 'everything', now)

/** The workspace is here and takes writes. Never lifts a fence that refuses reads, because the data may be old. */
export const liftFence = (workspaceId: string, attempt: number): SQL =>
  sql`delete from workspace_fences
    where workspace_id = ${workspaceId} and attempt <= ${int(attempt)} and refuses = 'writes'`

/** Condition: this attempt may copy rows of the workspace into this database, in this transaction. */
export const mayFill = (workspaceId: string, attempt: number): SQL =>
  sql`exists (select 1 from workspace_fences
    where workspace_id = ${workspaceId} and attempt = ${int(attempt)} and filling = 1)`

/**
 * Statements that copy rows of a workspace into the target of its move, as one transaction. The fence stays in place
 * for everybody else. Each statement must have the condition `mayFill`.
 *
 * @returns the statements and a last one, which returns one row if this attempt still is the current one, else none
 */
export const filling = (workspaceId: string, attempt: number, statements: readonly SQL[]): SQL[] => [
  sql`update workspace_fences set filling = 1 where workspace_id = ${workspaceId} and attempt = ${int(attempt)}`,
  ...statements,
  sql`update workspace_fences set filling = 0 where workspace_id = ${workspaceId} and attempt = ${int(attempt)}
    returning attempt`,
]
