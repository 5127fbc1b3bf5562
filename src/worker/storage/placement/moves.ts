import { and, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { type DatabaseAccess, int } from '#worker/storage/database'
import { retry } from '#worker/storage/database-faults'
import { workspaceMoves, workspaces } from '#worker/storage/schema/control'
import type { Refuses } from '#worker/storage/schema/workspace'
import { setFence } from './fences'

export type Move = typeof workspaceMoves.$inferSelect

/** Another call, or a request that has ended the move, has changed it. What this call still sends has no effect. */
export class SupersededError extends Error {}

/** A move that nobody has continued for so long, in milliseconds, is over. */
const ABANDONED_AFTER_MS = 2 * 60 * 1000

/** How long the old copy of a workspace is kept, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000

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

const asRead = ({ workspaceId, generation }: Move) =>
  and(eq(workspaceMoves.workspaceId, workspaceId), eq(workspaceMoves.generation, generation))

const nextGeneration = sql`${workspaceMoves.generation} + 1`

type Change = Partial<Pick<Move, 'step' | 'progress' | 'copied'>>

const only = ([row]: Move[]): Move => {
  if (row === undefined) throw new SupersededError()
  return row
}

/** Changes a move, or stores the progress of the call that has taken it over. @throws Superseded */
export async function changeMove({ control }: DatabaseAccess, move: Move, change: Change & { generation?: SQL }) {
  const set = { ...change, steppedAt: Date.now() }
  return only(await retry(() => control.orm.update(workspaceMoves).set(set).where(asRead(move)).returning()))
}

/**
 * Takes a move over, and changes it. From now on nothing has an effect that other calls sent before.
 *
 * @param move as it was read
 * @throws SupersededError when it has changed since
 */
export const takeOver = (access: DatabaseAccess, move: Move, change: Change = {}): Promise<Move> =>
  changeMove(access, move, { ...change, generation: nextGeneration })

/** Makes the target the workspace's database. @throws SupersededError */
export async function switchOver({ control: { orm } }: DatabaseAccess, move: Move): Promise<Move> {
  const { workspaceId, generation, target } = move
  const [moves] = await retry(() =>
    orm.batch([
      orm
        .update(workspaceMoves)
        .set({ step: 'switched', steppedAt: Date.now(), generation: nextGeneration })
        .where(asRead(move))
        .returning(),
      orm
        .update(workspaces)
        .set({ databaseBinding: target })
        .where(
          sql`${eq(workspaces.workspaceId, workspaceId)} and exists (select 1 from ${workspaceMoves}
            where ${eq(workspaceMoves.workspaceId, workspaceId)} and ${eq(workspaceMoves.step, 'switched')}
              and ${workspaceMoves.generation} = ${int(generation + 1)})`,
        ),
    ]),
  )
  return only(moves)
}

/**
 * Makes one of the two databases of a move refuse something.
 *
 * @throws SupersededError when it has not, because of a later change of the move
 */
export async function fence(
  access: DatabaseAccess,
  { workspaceId, generation, ...databases }: Move,
  side: 'source' | 'target',
  refuses: Refuses,
  forgetAfter: number | null = null,
): Promise<void> {
  const statements = setFence({ workspaceId, generation, refuses, forgetAfter })
  const set = await retry(() => access.catalog(databases[side]).batchEnding(statements))
  if (set.length === 0) throw new SupersededError()
}

/** Whether a move is decided, and its databases have to follow. */
export const isDecided = ({ step }: Move): boolean => step === 'switched' || step === 'cancelled'

/**
 * Ends a move that is decided: the database that the workspace is not in refuses everything, and then the other one
 * takes writes. In this order no read goes back in time. It may run several times, also at the same time.
 *
 * @throws SupersededError when somebody else has ended it
 */
export async function settle(access: DatabaseAccess, move: Move): Promise<Move> {
  if (move.step === 'switched') {
    await fence(access, move, 'source', 'everything', Date.now() + KEPT_MS)
    await fence(access, move, 'target', 'nothing')
  } else {
    await fence(access, move, 'target', 'everything', 0)
    await fence(access, move, 'source', 'nothing')
  }
  return takeOver(access, move, { step: 'done', progress: '' })
}

/** Leaves the workspace where it is, and lets the copy be deleted. @throws SupersededError */
export const cancelMove = async (access: DatabaseAccess, move: Move): Promise<Move> =>
  settle(access, isDecided(move) ? move : await takeOver(access, move, { step: 'cancelled' }))

/**
 * Ends a move that nobody has continued for two minutes, so that its workspace takes writes again.
 *
 * @returns whether it is over
 */
export async function endAbandoned(access: DatabaseAccess, move: Move, now: number): Promise<boolean> {
  if (move.step === 'done' || now - move.steppedAt < ABANDONED_AFTER_MS) return false
  try {
    await cancelMove(access, move)
    return true
  } catch (error) {
    if (error instanceof SupersededError) return false
    throw error
  }
}

/** Moves that nobody has continued for two minutes. */
export const abandonedMoves = ({ control }: DatabaseAccess, now: number): Promise<Move[]> =>
  control.orm
    .select()
    .from(workspaceMoves)
    .where(
      and(
        inArray(workspaceMoves.step, ['clearing', 'copying', 'switching', 'switched', 'cancelled']),
        lte(workspaceMoves.steppedAt, now - ABANDONED_AFTER_MS),
      ),
    )
