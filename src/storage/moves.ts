import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Env } from '#env'
import { retrying } from './d1'
import { catalogDatabase, controlDatabase, int } from './database'
import { liftFence, refuseEverything, refuseForGood } from './fences'
import type { Meter } from './meter'
import { workspaceMoves, workspaces } from './schema/control'

/** A row of `workspace_moves`. */
export type Move = typeof workspaceMoves.$inferSelect

/**
 * How long a move may refuse writes before another request assumes that it has failed, in milliseconds. The move
 * itself gives up earlier, and its switch has no effect once another call has taken over.
 */
const PRESUMED_FAILED_MS = 10_000

/** The database of a workspace, and its latest move if there ever was one. */
export interface Location {
  databaseBinding: string
  move: Move | null
}

/** Reads the location of a workspace from the control database; undefined when there is no such workspace. */
export async function findLocation(
  env: Env,
  workspaceId: string,
  meter: Meter,
): Promise<Location | undefined> {
  const rows = await controlDatabase(env, meter)
    .orm.select({ databaseBinding: workspaces.databaseBinding, move: workspaceMoves })
    .from(workspaces)
    .leftJoin(workspaceMoves, eq(workspaceMoves.workspaceId, workspaces.workspaceId))
    .where(eq(workspaces.workspaceId, workspaceId))
  return rows[0]
}

/**
 * Changes a move's row, if it still is at this step of this attempt.
 *
 * @param set assignments
 * @returns the changed row; undefined when another call has taken the move over
 */
export async function changeMove(
  env: Env,
  { workspaceId, attempt, step }: Move,
  set: Partial<Move> | { attempt: SQL },
  meter: Meter,
): Promise<Move | undefined> {
  const rows = await retrying(() =>
    controlDatabase(env, meter)
      .orm.update(workspaceMoves)
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
  env: Env,
  move: Move,
  set: Partial<Omit<Move, 'attempt'>>,
  meter: Meter,
): Promise<Move | undefined> =>
  changeMove(env, move, { ...set, attempt: sql`${workspaceMoves.attempt} + 1` } as { attempt: SQL }, meter)

/**
 * Lets the source of a move take writes again, as long as the workspace is not switched. Before that the target
 * refuses everything again, because its copy will soon be outdated.
 *
 * @returns the move, to be continued; undefined when another call has taken it over
 */
export async function reopenSource(
  env: Env,
  move: Move,
  now: number,
  meter: Meter,
): Promise<Move | undefined> {
  const step = move.step === 'closing' ? 'copying' : move.step
  const taken = await takeOver(env, move, { step, steppedAt: now }, meter)
  if (!taken) return undefined
  const { workspaceId, attempt } = taken
  if (move.step === 'closing') {
    const target = catalogDatabase(env, taken.target, meter)
    await retrying(() => target.all(refuseEverything(workspaceId, attempt)))
  }
  const source = catalogDatabase(env, taken.source, meter)
  await retrying(() => source.all(liftFence(workspaceId, attempt)))
  return taken
}

/**
 * Ends a move whose workspace was switched. First the source refuses everything, then the target takes writes, so
 * that no read goes back in time. Several isolates may do this, also more than once.
 */
export async function finishSwitch(env: Env, move: Move, now: number, meter: Meter): Promise<Move> {
  const { workspaceId, attempt } = move
  const [source, target] = [
    catalogDatabase(env, move.source, meter),
    catalogDatabase(env, move.target, meter),
  ]
  await retrying(() => source.all(refuseForGood(workspaceId, attempt, now)))
  await retrying(() => target.all(liftFence(workspaceId, attempt)))
  const done = { ...move, step: 'done' as const, steppedAt: now, progress: '' }
  await changeMove(env, move, { step: 'done', steppedAt: now, progress: '' }, meter)
  return done
}

/**
 * Continues or reverts a move that refuses writes and that has made no step for some time.
 *
 * @returns whether the database that the control database names takes writes now
 */
export async function reviveMove(env: Env, move: Move, now: number, meter: Meter): Promise<boolean> {
  if (now - move.steppedAt < PRESUMED_FAILED_MS) return false
  if (move.step === 'switched') {
    await finishSwitch(env, move, now, meter)
    return true
  }
  return (await reopenSource(env, move, now, meter)) !== undefined
}

/** Moves that refuse writes and have made no step for some time. */
export async function stuckMoves(env: Env, now: number, meter: Meter): Promise<Move[]> {
  return controlDatabase(env, meter)
    .orm.select()
    .from(workspaceMoves)
    .where(
      sql`${workspaceMoves.step} in ('closing', 'switched')
        and ${workspaceMoves.steppedAt} <= ${int(now - PRESUMED_FAILED_MS)}`,
    )
}
