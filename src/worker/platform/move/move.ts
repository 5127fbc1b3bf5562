import { sql } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import { logLine } from '#shared/errors/log-line'
import type { Env } from '#worker/env'
import { retrying } from '#worker/storage/d1'
import { type DatabaseAccess, databaseAccess, int } from '#worker/storage/database'
import type { Meter } from '#worker/storage/meter'
import {
  findLocation,
  type Location,
  type Move,
  MoveAttempt,
  Superseded,
  takeOver,
} from '#worker/storage/placement/moves'
import { workspaceMoves } from '#worker/storage/schema/control'
import { noSuchWorkspace } from '#worker/workspace/workspace'
import { requireBound } from '../databases'
import type { MoveState } from '../schemas'
import { CopyDiffers } from './copy'
import { advance, restarted } from './progress'
import { unitsOf } from './units'

/** How much one call does before it answers that the work is not finished. */
export interface Budget {
  /** Milliseconds; well within the 29 seconds of a request. */
  ms: number
  /** Statements; D1 takes 1000 from one request. */
  statements: number
}

export const DEFAULT_BUDGET: Budget = { ms: 12_000, statements: 700 }

const DONE: MoveState = { state: 'done' }

/** What a caller is told who wants the workspace in a database. */
function moveStateOf({ databaseBinding, move }: Location, target: string): MoveState {
  const isOver = move === null || move.step === 'done' || move.step === 'abandoned'
  if (databaseBinding === target && isOver) return DONE
  const { copied, total } = move ?? { copied: 0, total: 0 }
  return { state: 'copying', copied: Math.min(copied, total), total: Math.max(copied, total) }
}

async function locationOf(access: DatabaseAccess, workspaceId: string): Promise<Location> {
  const location = await findLocation(access, workspaceId)
  if (!location) throw noSuchWorkspace()
  return location
}

async function countRecords(access: DatabaseAccess, binding: string, workspaceId: string): Promise<number> {
  const { n } = await access
    .catalog(binding)
    .one<{ n: number }>(
      sql`select coalesce(sum(total_records), 0) as n from catalogs where workspace_id = ${workspaceId}`,
    )
  return n
}

/**
 * Begins a move from the database where the workspace was when its location was read. Undefined, and without effect,
 * if a move has begun since: only a move changes the location, and each has a later attempt.
 */
async function beginMove(
  access: DatabaseAccess,
  workspaceId: string,
  { databaseBinding: source, move: last }: Location,
  target: string,
): Promise<MoveAttempt | undefined> {
  const begun = {
    source,
    target,
    step: 'copying' as const,
    steppedAt: Date.now(),
    ...restarted(await countRecords(access, source, workspaceId)),
  }
  const [row] = await retrying(() =>
    access.control.orm
      .insert(workspaceMoves)
      .values({ workspaceId, attempt: 1, ...begun })
      .onConflictDoUpdate({
        target: workspaceMoves.workspaceId,
        set: { ...begun, attempt: sql`${workspaceMoves.attempt} + 1` },
        // Attempts begin with 1: a workspace that had no move has one now.
        setWhere: sql`${workspaceMoves.attempt} = ${int(last?.attempt ?? 0)}`,
      })
      .returning(),
  )
  return row && new MoveAttempt(access, row)
}

/** The move that is under way, unless it has been switched already. */
const underWay = ({ move }: Location): Move | undefined =>
  move?.step === 'copying' || move?.step === 'closing' ? move : undefined

/** Leaves the workspace where it is. @throws Superseded */
async function cancel(access: DatabaseAccess, location: Location): Promise<void> {
  const move = underWay(location)
  if (!move) return
  // From the start again, in case that this call is interrupted and somebody goes on with the move.
  const attempt = await takeOver(access, move, restarted(move.total))
  if (!attempt) throw new Superseded()
  await attempt.settle(true)
  await attempt.save({ step: 'abandoned', progress: '' })
}

async function resumeOrBegin(
  access: DatabaseAccess,
  workspaceId: string,
  location: Location,
  target: string,
): Promise<MoveAttempt> {
  const move = underWay(location)
  if (move && move.target !== target) {
    throw new ApiError(
      'conflict',
      `The workspace is being moved to ${move.target}. To cancel that, move it to ${location.databaseBinding}, where it is now.`,
    )
  }
  const attempt = await (move ? takeOver(access, move) : beginMove(access, workspaceId, location, target))
  if (!attempt) throw new Superseded()
  await attempt.settle()
  return attempt
}

/** After a fault of the copy: logs it, and lets the next call begin with an empty target. @throws Superseded */
async function copyAgain(access: DatabaseAccess, workspaceId: string, error: CopyDiffers): Promise<void> {
  logLine({ workspace: workspaceId, warning: 'move: starts again', reason: error.message })
  const move = underWay(await locationOf(access, workspaceId))
  if (!move) return
  await takeOver(access, move, restarted(await countRecords(access, move.source, workspaceId)))
}

async function continueMove(access: DatabaseAccess, taken: MoveAttempt, budget: Budget): Promise<void> {
  const until = Date.now() + budget.ms
  const { workspaceId } = taken.move
  const mayGoOn = () => Date.now() < until && access.meter.statements < budget.statements
  const units = unitsOf(workspaceId).filter(({ table }) => table.changes !== 'short_lived')
  try {
    let attempt = taken
    do attempt = await advance(access, attempt, units)
    while (!attempt.hasSwitched && mayGoOn())
  } catch (error) {
    if (!(error instanceof CopyDiffers)) throw error
    await copyAgain(access, workspaceId, error)
  }
}

async function moveTo(
  access: DatabaseAccess,
  workspaceId: string,
  target: string,
  read: Location,
  budget: Budget,
): Promise<void> {
  let location = read
  if (location.move?.step === 'switched') {
    const attempt = await takeOver(access, location.move)
    if (!attempt) throw new Superseded()
    await attempt.settle()
    location = { ...location, move: attempt.move }
  }
  if (target === location.databaseBinding) return cancel(access, location)
  await continueMove(access, await resumeOrBegin(access, workspaceId, location, target), budget)
}

/**
 * Moves a workspace to another database while it is in use, or continues a move. Reads go on all the time; writes are
 * refused during the last step only. A move to the present database cancels a move that is under way.
 *
 * Several calls at the same time, or calls after an interruption, do no harm: each call takes a number, and
 * statements of a call that no longer has the last number have no effect.
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
    if (!(error instanceof Superseded)) throw error
  }
  return moveStateOf(await locationOf(access, workspaceId), target)
}
