import { type SQL, sql } from 'drizzle-orm'
import { int, intOrNull } from '#worker/storage/database'
import { messageOf } from '#worker/storage/database-faults'
import type { Refuses } from '#worker/storage/schema/workspace'

/**
 * A fence makes a database refuse a workspace that is not there, or refuse its writes. Isolates remember for some
 * seconds where a workspace was, so the database itself must refuse what they still send. See `workspaceFences`
 * in the schema.
 *
 * A guard is the first statement of a transaction. If its condition holds, it fails with a message (`stopIf` in
 * `database.ts` tells how), and with it the transaction.
 */

const MOVED = 'workspace_moved'

/** A statement that stops its transaction if a condition holds. It returns no rows. */
const guard = (stops: SQL): SQL => sql`select json_extract('{}', ${MOVED}) where ${stops}`

/** Whether an error comes from a guard. Then nothing of the transaction was carried out. */
const isFenced = (error: unknown): boolean => messageOf(error).includes(MOVED)

/** Condition: the workspace is elsewhere, so reads are refused too. */
export const isElsewhere = (workspaceId: SQL): SQL =>
  sql`exists (select 1 from workspace_fences where workspace_id = ${workspaceId} and refuses = 'everything')`

/** Condition: the database refuses the workspace, or its writes. Its rows here are not valid, or soon will not be. */
export const isRefused = (workspaceId: SQL): SQL =>
  sql`exists (select 1 from workspace_fences where workspace_id = ${workspaceId} and refuses <> 'nothing')`

/** Guard of statements that only read. */
export const readGuard = (workspaceId: string): SQL => guard(isElsewhere(sql`${workspaceId}`))

/**
 * The same for a read replica, which may be older than the arrival of the workspace: then it has no quotas of the
 * workspace, which a move copies last, and the primary must be asked.
 */
export const replicaGuard = (workspaceId: string): SQL =>
  guard(sql`${isElsewhere(sql`${workspaceId}`)}
    or not exists (select 1 from workspace_quotas where workspace_id = ${workspaceId})`)

/** Guard of statements that write. */
export const writeGuard = (workspaceId: string): SQL => guard(isRefused(sql`${workspaceId}`))

/** What a database has refused since one change of a move. */
export interface Fence {
  workspaceId: string
  /** `workspace_moves.generation` after that change. */
  generation: number
  refuses: Refuses
  /** When the rows here may be deleted, 0 for at once; null when they must not be deleted. */
  forgetAfter: number | null
}

/**
 * Sets a fence, unless a later change of a move has set another one: a statement that arrives late has no effect. The
 * second statement returns a row if the fence is this one now.
 */
export const setFence = ({ workspaceId, generation, refuses, forgetAfter }: Fence) =>
  [
    sql`insert into workspace_fences (workspace_id, refuses, generation, forget_after)
        values (${workspaceId}, ${refuses}, ${int(generation)}, ${intOrNull(forgetAfter)})
      on conflict do update set refuses = excluded.refuses, generation = excluded.generation,
        forget_after = excluded.forget_after
      where generation < excluded.generation`,
    sql<{ isSet: 1 }>`select 1 as isSet from workspace_fences
      where workspace_id = ${workspaceId} and generation = ${int(generation)} and refuses = ${refuses}`,
  ] as const

const guardUnlessFence = (workspaceId: string, condition: SQL): SQL =>
  guard(sql`not exists (select 1 from workspace_fences
    where workspace_id = ${workspaceId} and refuses = 'everything' and ${condition})`)

/** Guard of statements that copy rows of a workspace into the target of its move. */
export const fillGuard = ({ workspaceId, generation }: Pick<Fence, 'workspaceId' | 'generation'>): SQL =>
  guardUnlessFence(workspaceId, sql`generation = ${int(generation)} and forget_after is null`)

/** Guard of statements that delete rows of a copy that is not needed any more. */
export const purgeGuard = (workspaceId: string, now: number): SQL =>
  guardUnlessFence(workspaceId, sql`forget_after <= ${int(now)}`)

/** Runs statements behind their guard. @returns null, without effect, if the guard has stopped them */
export async function unlessFenced<Result>(run: () => Promise<Result>): Promise<Result | null> {
  try {
    return await run()
  } catch (error) {
    if (isFenced(error)) return null
    throw error
  }
}
