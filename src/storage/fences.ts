import { type SQL, sql } from 'drizzle-orm'
import { messageOf } from './d1'
import { int } from './database'

/**
 * A fence makes a database turn a workspace away that is not there, or not to be written there: isolates remember for
 * some seconds where a workspace was, and what they still send must not be lost. See `workspaceFences` in the schema.
 *
 * Every change of a fence carries the number of the attempt that makes it and has no effect where a later attempt was
 * there before: a statement that was long on its way harms nothing.
 */

/** How long a copy that was left behind is kept. */
const KEPT_MS = 24 * 60 * 60 * 1000

/** Whether an error is the fence's: nothing of the transaction was carried out. */
export const isFenced = (error: unknown): boolean => messageOf(error).includes('workspace_moved')

/** Whether reads are turned away: one row with the column `moved`, 0 or 1. */
export const readFence = (workspaceId: string): SQL => sql`select ${isGone(workspaceId)} as moved`

/**
 * The same of a copy, which may be as old as before the workspace came: where it knows of no catalog, the primary is to
 * be asked. The fence of a workspace that arrives is older than its first catalog.
 */
export const copyFence = (workspaceId: string): SQL =>
  sql`select ${isGone(workspaceId)}
    or not exists (select 1 from catalogs where workspace_id = ${workspaceId}) as moved`

const isGone = (workspaceId: string): SQL =>
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

/** The database that a workspace is to leave takes no more writes for it; the one to which it goes takes none yet. */
export const refuseWrites = (workspaceId: string, attempt: number): SQL =>
  setFence(workspaceId, attempt, 'writes', null)

/** The workspace has not arrived. */
export const refuseEverything = (workspaceId: string, attempt: number): SQL =>
  setFence(workspaceId, attempt, 'everything', null)

/** The workspace is elsewhere; its copy here is deleted a day later. */
export const refuseForGood = (workspaceId: string, attempt: number, now: number): SQL =>
  setFence(workspaceId, attempt, 'everything', now + KEPT_MS)

/** The workspace was not moved here after all; what was copied can be deleted at once. */
export const discardCopy = (workspaceId: string, attempt: number, now: number): SQL =>
  setFence(workspaceId, attempt, 'everything', now)

/** The workspace is here and takes writes. Never lifts a fence that turns reads away: the data may be old. */
export const liftFence = (workspaceId: string, attempt: number): SQL =>
  sql`delete from workspace_fences
    where workspace_id = ${workspaceId} and attempt <= ${int(attempt)} and refuses = 'writes'`

/** Condition: rows may be copied in for the workspace, in this transaction, by this attempt. */
export const mayFill = (workspaceId: string, attempt: number): SQL =>
  sql`exists (select 1 from workspace_fences
    where workspace_id = ${workspaceId} and attempt = ${int(attempt)} and filling = 1)`

/**
 * Statements that copy rows of a workspace into the database that it is to go to, as one transaction: the fence stays in
 * place for everybody else. All of them have to stand under `mayFill`.
 *
 * @returns with a last statement that has one row where the attempt still is the one that may fill, and none where not
 */
export const filling = (workspaceId: string, attempt: number, statements: readonly SQL[]): SQL[] => [
  sql`update workspace_fences set filling = 1 where workspace_id = ${workspaceId} and attempt = ${int(attempt)}`,
  ...statements,
  sql`update workspace_fences set filling = 0 where workspace_id = ${workspaceId} and attempt = ${int(attempt)}
    returning attempt`,
]
