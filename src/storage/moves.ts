import { and, eq, type SQL, sql } from 'drizzle-orm'
import { retrying } from './d1'
import { type DatabaseAccess, int } from './database'
import { liftFence, refuseEverything, refuseForGood } from './fences'
import { workspaceMoves, workspaces } from './schema/control'

export type Move = typeof workspaceMoves.$inferSelect

/**
 * How long a move may refuse writes before another request assumes that it has failed, in milliseconds. The move
 * itself gives up earlier, and its switch has no effect once another call has taken over.
 */
const PRESUMED_FAILED_MS = 10_000

/** Reads the location of a workspace from the control database; undefined when there is no such workspace. */
export async function findLocation(access: DatabaseAccess, workspaceId: string) {
  const rows = await access.control.orm
    .select({ databaseBinding: workspaces.databaseBinding, move: workspaceMoves })
    .from(workspaces)
    .leftJoin(workspaceMoves, eq(workspaceMoves.workspaceId, workspaces.workspaceId))
    .where(eq(workspaces.workspaceId, workspaceId))
  return rows[0]
}

/** The database of a workspace, and its latest move if there ever was one. */
export type Location = NonNullable<Awaited<ReturnType<typeof findLocation>>>

/** Has no effect, and returns undefined, when another call has taken the move over. */
export async function changeMove(
  access: DatabaseAccess,
  { workspaceId, attempt, step }: Move,
  set: Partial<Move> | { attempt: SQL },
): Promise<Move | undefined> {
  const rows = await retrying(() =>
    access.control.orm
      .update(workspaceMoves)
      .set(set)
      .where(
        and(
          eq(workspaceMoves.workspaceId, workspaceId),
          eq(workspaceMoves.attempt, attempt),
          eq(workspaceMoves.step, step),
        ),
      )
      .returning(),
  )
  return rows[0]
}

/** Takes over a move from an earlier attempt. Statements that the earlier attempt still sends have no effect. */
export const takeOver = (
  access: DatabaseAccess,
  move: Move,
  set: Partial<Omit<Move, 'attempt'>>,
): Promise<Move | undefined> =>
  changeMove(access, move, { ...set, attempt: sql`${workspaceMoves.attempt} + 1` } as { attempt: SQL })

/**
 * Lets the source of a move take writes again, as long as the workspace is not switched. Before that the target
 * refuses everything again, because its copy will soon be outdated.
 *
 * @returns the move, to be continued; undefined when another call has taken it over
 */
export async function reopenSource(
  access: DatabaseAccess,
  move: Move,
  now: number,
): Promise<Move | undefined> {
  const step = move.step === 'closing' ? 'copying' : move.step
  const taken = await takeOver(access, move, { step, steppedAt: now })
  if (!taken) return undefined
  const { workspaceId, attempt } = taken
  if (move.step === 'closing') {
    const target = access.catalog(taken.target)
    await retrying(() => target.all(refuseEverything(workspaceId, attempt)))
  }
  const source = access.catalog(taken.source)
  await retrying(() => source.all(liftFence(workspaceId, attempt)))
  return taken
}

/**
 * Ends a move whose workspace was switched. First the source refuses everything, then the target takes writes, so
 * that no read goes back in time. Several isolates may do this, also more than once.
 */
export async function finishSwitch(access: DatabaseAccess, move: Move, now: number): Promise<Move> {
  const { workspaceId, attempt } = move
  const [source, target] = [access.catalog(move.source), access.catalog(move.target)]
  await retrying(() => source.all(refuseForGood(workspaceId, attempt, now)))
  await retrying(() => target.all(liftFence(workspaceId, attempt)))
  const done = { step: 'done', steppedAt: now, progress: '' } as const
  await changeMove(access, move, done)
  return { ...move, ...done }
}

/**
 * Continues or reverts a move that refuses writes and that has made no step for some time.
 *
 * @returns whether the database that the control database names takes writes now
 */
export async function reviveMove(access: DatabaseAccess, move: Move, now: number): Promise<boolean> {
  if (now - move.steppedAt < PRESUMED_FAILED_MS) return false
  if (move.step === 'switched') {
    await finishSwitch(access, move, now)
    return true
  }
  return (await reopenSource(access, move, now)) !== undefined
}

/** Moves that refuse writes and have made no step for some time. */
export async function stuckMoves(access: DatabaseAccess, now: number): Promise<Move[]> {
  return access.control.orm
    .select()
    .from(workspaceMoves)
    .where(
      sql`${workspaceMoves.step} in ('closing', 'switched')
        and ${workspaceMoves.steppedAt} <= ${int(now - PRESUMED_FAILED_MS)}`,
    )
}

/** After this time without a step, in milliseconds, a move holds nothing up any more. */
const PRESUMED_LEFT_MS = 3600 * 1000

/** The workspaces of which a copy is being made. What is deleted meanwhile would be in the copy, and it would be made again. */
export async function copiedWorkspaces(access: DatabaseAccess, now: number): Promise<string[]> {
  const rows = await access.control.orm
    .select({ workspaceId: workspaceMoves.workspaceId })
    .from(workspaceMoves)
    .where(
      sql`${workspaceMoves.step} in ('copying', 'closing') and ${workspaceMoves.steppedAt} > ${int(now - PRESUMED_LEFT_MS)}`,
    )
  return rows.map(({ workspaceId }) => workspaceId)
}
