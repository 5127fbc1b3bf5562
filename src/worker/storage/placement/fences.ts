import { type SQL, sql } from 'drizzle-orm'
import { messageOf } from '#worker/storage/d1'
import { type Ending, int } from '#worker/storage/database'
import type { Refuses } from '#worker/storage/schema/workspace'

/**
 * A fence makes a database refuse a workspace that is not there, or refuse its writes. Isolates remember for some
 * seconds where a workspace was, and the writes that they still send must not be lost. See `workspaceFences` in the
 * schema.
 *
 * A statement of a move can arrive late, long after the move gave it up and sent others. So each has a turn, and the
 * database keeps the turn of the last one that had an effect. A statement whose turn is not later has none.
 */

/** The place of a statement among all statements that moves of a workspace send to one database. */
export interface Turn {
  workspaceId: string
  /** The `workspace_moves.attempt` of the call that sends it; see `takeOver`. */
  attempt: number
  /** Grows within the attempt; 1 is the first. */
  number: number
}

/** How long the old copy of a workspace is kept, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000

/** Whether an error comes from a fence. Then nothing of the transaction was carried out. */
export const isFenced = (error: unknown): boolean => messageOf(error).includes('workspace_moved')

/** One row: whether reads are turned away. */
export interface FenceState {
  moved: 0 | 1
}

export const readFence = (workspaceId: string): SQL<FenceState> =>
  sql`select ${isElsewhere(sql`${workspaceId}`)} as moved`

/**
 * The same for a read replica, which may be older than the arrival of the workspace. If it has no catalog of the
 * workspace, the primary must be asked. The fence of an arriving workspace is older than its first catalog.
 */
export const copyFence = (workspaceId: string): SQL<FenceState> =>
  sql`select ${isElsewhere(sql`${workspaceId}`)}
    or not exists (select 1 from catalogs where workspace_id = ${workspaceId}) as moved`

/** Condition: reads are turned away, because the workspace is elsewhere. */
export const isElsewhere = (workspaceId: SQL): SQL =>
  sql`exists (select 1 from workspace_fences where workspace_id = ${workspaceId} and refuses = 'everything')`

/** Condition: the database refuses the workspace, or its writes. Its rows here are not the valid ones, or soon not. */
export const isRefused = (workspaceId: SQL): SQL =>
  sql`exists (select 1 from workspace_fences where workspace_id = ${workspaceId} and refuses <> 'nothing')`

const isAt = ({ workspaceId, attempt, number }: Turn): SQL =>
  sql`workspace_id = ${workspaceId} and attempt = ${int(attempt)} and turn = ${int(number)}`

/** One row if this turn had the last effect, also if an earlier sending of the same statements had it; else none. */
export const wasLast = (turn: Turn): SQL<{ held: 1 }> =>
  sql`select 1 as held from workspace_fences where ${isAt(turn)}`

const setFence =
  (refuses: Refuses, forgetAfter: number | null = null) =>
  ({ workspaceId, attempt, number }: Turn): SQL =>
    sql`insert into workspace_fences (workspace_id, refuses, attempt, turn, forget_after) values
        (${workspaceId}, ${refuses}, ${int(attempt)}, ${int(number)}, ${forgetAfter === null ? sql`null` : int(forgetAfter)})
      on conflict do update set refuses = excluded.refuses, attempt = excluded.attempt, turn = excluded.turn,
        forget_after = excluded.forget_after
      where (attempt, turn) < (excluded.attempt, excluded.turn)`

/** The database that a workspace leaves takes no more writes for it; the target takes none yet. */
export const refuseWrites = setFence('writes')

/** The workspace has not arrived here yet. */
export const refuseEverything = setFence('everything')

/** The workspace is elsewhere; its copy here is deleted a day later. */
export const refuseForGood = (now: number) => setFence('everything', now + KEPT_MS)

/** The move to this database was cancelled; the copied rows can be deleted at once. */
export const discardCopy = (now: number) => setFence('everything', now)

/** The workspace is here and takes writes. */
export const refuseNothing = setFence('nothing')

/** Condition: the transaction may change rows of the workspace that this database does not serve. */
export const mayFill = (workspaceId: string): SQL =>
  sql`exists (select 1 from workspace_fences where workspace_id = ${workspaceId} and filling = 1)`

const whileFilling = (workspaceId: string, begin: SQL, statements: readonly SQL[]): Ending<{ filled: 1 }> => [
  begin,
  ...statements,
  sql`update workspace_fences set filling = 0 where workspace_id = ${workspaceId} and filling = 1 returning 1 as filled`,
]

/**
 * Statements that copy rows of a workspace into the target of its move, or delete rows there, as one transaction. The
 * fence stays in place for everybody else. Each statement must have the condition `mayFill`.
 */
export const filling = (turn: Turn, statements: readonly SQL[]): Ending<{ filled: 1 }> =>
  whileFilling(
    turn.workspaceId,
    sql`update workspace_fences set filling = 1, turn = ${int(turn.number)}
      where workspace_id = ${turn.workspaceId} and refuses = 'everything'
        and attempt = ${int(turn.attempt)} and turn < ${int(turn.number)}`,
    statements,
  )

/**
 * The same for statements that delete rows of a copy that may be purged. The last one returns a row if they had an
 * effect.
 */
export const purging = (
  workspaceId: string,
  now: number,
  statements: readonly SQL[],
): Ending<{ filled: 1 }> =>
  whileFilling(
    workspaceId,
    sql`update workspace_fences set filling = 1
      where workspace_id = ${workspaceId} and refuses = 'everything' and forget_after <= ${int(now)}`,
    statements,
  )
