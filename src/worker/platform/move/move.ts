import { sql } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import { logLine } from '#shared/errors/log-line'
import type { Env } from '#worker/env'
import { pause } from '#worker/http/sharing/large-bodies'
import { type DatabaseAccess, databaseAccess, int } from '#worker/storage/database'
import { messageOf, retry } from '#worker/storage/database-faults'
import type { Meter } from '#worker/storage/meter'
import {
  cancelMove,
  changeMove,
  fence,
  findLocation,
  isDecided,
  type Location,
  type Move,
  SupersededError,
  settle,
  switchOver,
  takeOver,
} from '#worker/storage/placement/moves'
import { workspaceMoves } from '#worker/storage/schema/control'
import { noSuchWorkspace } from '#worker/workspace/authority'
import { requireBound } from '../databases'
import type { MoveState } from '../schemas'
import { copyStep, countRecords, initialProgress } from './copy'
import { purgeCopyStep } from './purge'

/** How much one call does before it answers that the work is not finished. */
export interface Budget {
  /** Milliseconds; well within the 29 seconds of a request. */
  ms: number
  /** Statements; D1 takes 1000 from one request. */
  statements: number
}

export const DEFAULT_BUDGET: Budget = { ms: 12_000, statements: 700 }

const DONE: MoveState = { state: 'done' }

const isUnderWay = (move: Move | null): move is Move => move !== null && move.step !== 'done'

/** What a caller is told who wants the workspace in a database. */
function moveStateOf({ databaseBinding, move }: Location, target: string): MoveState {
  if (databaseBinding === target && !isUnderWay(move)) return DONE
  const { copied, total } = isUnderWay(move) ? move : { copied: 0, total: 0 }
  return { state: 'copying', copied: Math.min(copied, total), total: Math.max(copied, total) }
}

async function locationOf(access: DatabaseAccess, workspaceId: string): Promise<Location> {
  const location = await findLocation(access, workspaceId)
  if (!location) throw noSuchWorkspace()
  return location
}

/**
 * Begins a move from the database where the workspace was when its location was read.
 *
 * @throws SupersededError when a move has begun since: only a move changes the location, with a later generation
 */
async function beginMove(
  access: DatabaseAccess,
  workspaceId: string,
  { databaseBinding: source, move: last }: Location,
  target: string,
): Promise<Move> {
  const firstStep = {
    source,
    target,
    step: 'clearing' as const,
    progress: initialProgress(workspaceId),
    copied: 0,
    total: await countRecords(access.catalog(source), workspaceId),
    steppedAt: Date.now(),
  }
  const [row] = await retry(() =>
    access.control.orm
      .insert(workspaceMoves)
      .values({ workspaceId, generation: 1, ...firstStep })
      .onConflictDoUpdate({
        target: workspaceMoves.workspaceId,
        set: { ...firstStep, generation: sql`${workspaceMoves.generation} + 1` },
        // Generations begin with 1: a workspace that had no move has one now.
        setWhere: sql`${workspaceMoves.generation} = ${int(last?.generation ?? 0)}`,
      })
      .returning(),
  )
  if (row === undefined) throw new SupersededError()
  return row
}

class MoveCall {
  readonly #access: DatabaseAccess
  readonly #mayGoOn: () => boolean
  #move: Move

  /** @param move taken over by this call */
  constructor(access: DatabaseAccess, move: Move, mayGoOn: () => boolean) {
    this.#access = access
    this.#move = move
    this.#mayGoOn = mayGoOn
  }

  /** If it fails, the move is over, so that the workspace takes writes again. @throws SupersededError */
  async run(): Promise<void> {
    try {
      await this.#goOn()
    } catch (error) {
      if (error instanceof SupersededError) throw error
      await this.#cancelAfter(error)
      throw error
    }
  }

  async #cancelAfter(error: unknown): Promise<void> {
    const { workspaceId: workspace } = this.#move
    logLine({ workspace, warning: 'move: cancelled after a fault', reason: messageOf(error) })
    try {
      await cancelMove(this.#access, this.#move)
    } catch (fault) {
      // The next call, write or scheduled run ends the move after two minutes.
      logLine({ workspace, warning: 'move: not cancelled', reason: messageOf(fault) })
    }
  }

  async #goOn(): Promise<void> {
    const access = this.#access
    if (this.#move.step === 'clearing') {
      if (!(await this.#clearTarget())) return
      this.#move = await takeOver(access, this.#move, { step: 'copying' })
    }
    if (this.#move.step === 'copying') {
      if (!(await this.#copy())) return
      this.#move = await takeOver(access, this.#move, { step: 'switching' })
    }
    if (this.#move.step === 'switching') {
      // Reads may use either database from now on: both are the same, and neither takes writes.
      await fence(access, this.#move, 'target', 'writes')
      this.#move = await switchOver(access, this.#move)
    }
    this.#move = await settle(access, this.#move)
  }

  /** Deletes rows of an earlier stay from the target. @returns whether all are gone */
  async #clearTarget(): Promise<boolean> {
    const { workspaceId, target } = this.#move
    await fence(this.#access, this.#move, 'target', 'everything', 0)
    do {
      const outcome = await purgeCopyStep(this.#access.catalog(target), workspaceId, Date.now())
      if (outcome === 'stopped') throw new SupersededError()
      if (outcome === 'all') return true
    } while (this.#mayGoOn())
    return false
  }

  /** Copies and compares while the source refuses writes. @returns whether both sides are the same */
  async #copy(): Promise<boolean> {
    await fence(this.#access, this.#move, 'source', 'writes')
    await fence(this.#access, this.#move, 'target', 'everything')
    const databases = {
      source: this.#access.catalog(this.#move.source),
      target: this.#access.catalog(this.#move.target),
    }
    do {
      const step = await copyStep(databases, this.#move, JSON.parse(this.#move.progress))
      if (step === null) return true
      this.#move = await changeMove(this.#access, this.#move, {
        progress: JSON.stringify(step.progress),
        copied: this.#move.copied + step.records,
      })
      // Otherwise a database in the same process, as with `npm start`, keeps all other requests waiting to the end.
      await pause()
    } while (this.#mayGoOn())
    return false
  }
}

async function moveTo(
  access: DatabaseAccess,
  workspaceId: string,
  target: string,
  read: Location,
  budget: Budget,
): Promise<void> {
  const until = Date.now() + budget.ms
  let location = read
  if (location.move !== null && isDecided(location.move)) {
    await settle(access, location.move)
    location = await locationOf(access, workspaceId)
  }
  const { move, databaseBinding } = location
  const underWay = isUnderWay(move) ? move : null
  if (target === databaseBinding) {
    if (underWay) await cancelMove(access, underWay)
    return
  }
  if (underWay && underWay.target !== target) {
    throw new ApiError(
      'conflict',
      `The workspace is being moved to ${underWay.target}. To cancel that, move it to ${databaseBinding}, ` +
        'where it is now.',
    )
  }
  const current = underWay ? await takeOver(access, underWay) : await beginMove(access, workspaceId, location, target)
  const mayGoOn = () => Date.now() < until && access.meter.statements < budget.statements
  await new MoveCall(access, current, mayGoOn).run()
}

/**
 * Moves a workspace to another database, or continues a move. Reads go on all the time; writes are refused while it
 * copies. A move to the present database cancels a move that is under way.
 *
 * Several calls at the same time, or calls after an interruption, do no harm: each call that takes the move over
 * begins a generation, and statements of earlier ones have no effect.
 *
 * @param target name of a D1 binding
 * @throws ApiError 404 for an unknown workspace, 400 for an unknown database, 409 while it is being moved to another
 *   one
 */
export async function moveWorkspace(
  env: Env,
  workspaceId: string,
  target: string,
  meter: Meter,
  budget: Budget = DEFAULT_BUDGET,
): Promise<MoveState> {
  const access = databaseAccess(env, meter)
  const location = await locationOf(access, workspaceId)
  requireBound(env, target)
  try {
    await moveTo(access, workspaceId, target, location, budget)
  } catch (error) {
    // Another call goes on with the move.
    if (!(error instanceof SupersededError)) throw error
  }
  return moveStateOf(await locationOf(access, workspaceId), target)
}
