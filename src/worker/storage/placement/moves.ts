import { and, eq, type SQL, sql } from 'drizzle-orm'
import { retrying } from '#worker/storage/d1'
import { type Database, type DatabaseAccess, int, type Query } from '#worker/storage/database'
import { workspaceMoves, workspaces } from '#worker/storage/schema/control'
import {
  discardCopy,
  refuseEverything,
  refuseForGood,
  refuseNothing,
  refuseWrites,
  type Turn,
  wasLast,
} from './fences'

export type Move = typeof workspaceMoves.$inferSelect

/** Another call has taken the move over. What the earlier attempt still sends has no effect. */
export class Superseded extends Error {}

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
async function changeMove(
  access: DatabaseAccess,
  { workspaceId, attempt, step }: Move,
  set: Partial<Omit<Move, 'attempt'>> & { attempt?: SQL },
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

/**
 * One call that continues a move. It has an attempt number of its own, which no other call ever has, and numbers what
 * it sends to the databases. So a database can tell which statements come too late.
 */
export class MoveAttempt {
  readonly source: Database
  readonly target: Database
  readonly #access: DatabaseAccess
  #move: Move
  #turns = 0

  /** @param move as the statement returned it that gave it the number of this attempt */
  constructor(access: DatabaseAccess, move: Move) {
    this.#access = access
    this.#move = move
    this.source = access.catalog(move.source)
    this.target = access.catalog(move.target)
  }

  get move(): Move {
    return this.#move
  }

  /** Whether the control database names the target. */
  get hasSwitched(): boolean {
    return this.#move.step === 'switched' || this.#move.step === 'done'
  }

  /** Changes the row of the move. @throws Superseded */
  async save(set: Partial<Omit<Move, 'attempt'>>): Promise<void> {
    const saved = await changeMove(this.#access, this.#move, set)
    if (!saved) throw new Superseded()
    this.#move = saved
  }

  /**
   * Sends the next statements to one of the two databases, in one transaction. They are carried out once, however
   * often they arrive. @throws Superseded when they had no effect
   */
  async send(database: Database, statementsOf: (turn: Turn) => readonly Query[]): Promise<void> {
    const { workspaceId, attempt } = this.#move
    const turn: Turn = { workspaceId, attempt, number: ++this.#turns }
    const held = await retrying(() => database.batchEnding([...statementsOf(turn), wasLast(turn)]))
    if (held.length === 0) throw new Superseded()
  }

  async #fence(database: Database, fence: (turn: Turn) => SQL): Promise<void> {
    await this.send(database, (turn) => [fence(turn)])
  }

  /** The last difference can be copied: the source takes no more writes. */
  async closeSource(): Promise<void> {
    await this.save({ step: 'closing', steppedAt: Date.now() })
    await this.#fence(this.source, refuseWrites)
  }

  /**
   * Makes the target the workspace's database. Both sides are the same and neither takes writes, so that reads may use
   * either one. @throws Superseded
   */
  async switchOver(): Promise<void> {
    await this.#fence(this.target, refuseWrites)
    const { workspaceId, attempt, target } = this.#move
    const { orm } = this.#access.control
    const own = sql`${workspaceMoves.workspaceId} = ${workspaceId} and ${workspaceMoves.attempt} = ${int(attempt)}`
    const switched = sql`${own} and ${workspaceMoves.step} = 'switched'`
    const [, , [row]] = await retrying(() =>
      orm.batch([
        orm
          .update(workspaceMoves)
          .set({ step: 'switched', steppedAt: Date.now() })
          .where(sql`${own} and ${workspaceMoves.step} = 'closing'`),
        orm
          .update(workspaces)
          .set({ databaseBinding: target })
          .where(
            sql`${eq(workspaces.workspaceId, workspaceId)} and exists (select 1 from ${workspaceMoves} where ${switched})`,
          ),
        // If the answer to the first sending was lost, the second one finds it done.
        orm.select().from(workspaceMoves).where(switched),
      ]),
    )
    if (!row) throw new Superseded()
    this.#move = row
  }

  /**
   * Makes the workspace's database take writes, whatever earlier attempts have left behind. The other database refuses
   * everything first, so that no read goes back in time. @throws Superseded
   *
   * @param discards whether the copy in the target is not needed any more
   */
  async settle(discards = this.#move.step === 'abandoned'): Promise<void> {
    const now = Date.now()
    if (this.hasSwitched) {
      await this.#fence(this.source, refuseForGood(now))
      await this.#fence(this.target, refuseNothing)
      if (this.#move.step === 'switched') await this.save({ step: 'done', steppedAt: now, progress: '' })
    } else {
      await this.#fence(this.target, discards ? discardCopy(now) : refuseEverything)
      await this.#fence(this.source, refuseNothing)
      if (this.#move.step === 'closing') await this.save({ step: 'copying', steppedAt: now })
    }
  }
}

/**
 * Takes a move over from the call that sent its last statement. Undefined, and without effect, if another call has
 * changed the move since it was read.
 */
export async function takeOver(
  access: DatabaseAccess,
  move: Move,
  set: Partial<Omit<Move, 'attempt'>> = {},
): Promise<MoveAttempt | undefined> {
  const taken = await changeMove(access, move, {
    ...set,
    steppedAt: Date.now(),
    attempt: sql`${workspaceMoves.attempt} + 1`,
  })
  return taken && new MoveAttempt(access, taken)
}

/**
 * Makes the workspace's database take writes if a move refuses them and has made no step for some time.
 *
 * @returns whether it takes writes now
 */
export async function reviveMove(access: DatabaseAccess, move: Move, now: number): Promise<boolean> {
  if (now - move.steppedAt < PRESUMED_FAILED_MS) return false
  try {
    const attempt = await takeOver(access, move)
    await attempt?.settle()
    return attempt !== undefined
  } catch (error) {
    if (error instanceof Superseded) return false
    throw error
  }
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

/**
 * The workspaces that are being copied. Rows that are deleted meanwhile would stay in the copy, which would then be
 * made again.
 */
export async function copiedWorkspaces(access: DatabaseAccess, now: number): Promise<string[]> {
  const rows = await access.control.orm
    .select({ workspaceId: workspaceMoves.workspaceId })
    .from(workspaceMoves)
    .where(
      sql`${workspaceMoves.step} in ('copying', 'closing') and ${workspaceMoves.steppedAt} > ${int(now - PRESUMED_LEFT_MS)}`,
    )
  return rows.map(({ workspaceId }) => workspaceId)
}
