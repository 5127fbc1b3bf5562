import { sql } from 'drizzle-orm'
import type { Env } from '#env'
import { ApiError } from '#errors'
import { logLine } from '#http/log'
import { retrying } from '#storage/d1'
import { type DatabaseAccess, databaseAccess } from '#storage/database'
import { discardCopy, liftFence, refuseEverything } from '#storage/fences'
import type { Meter } from '#storage/meter'
import {
  changeMove,
  findLocation,
  finishSwitch,
  type Location,
  type Move,
  reopenSource,
  takeOver,
} from '#storage/moves'
import { workspaceMoves } from '#storage/schema/control'
import { noSuchWorkspace } from '#workspace/workspace'
import { requireBound } from '../databases'
import type { MoveState } from '../schemas'
import { changedSince, close, FEW_ROWS } from './close'
import {
  CopyDiffers,
  type Cursors,
  checkStep,
  copyStep,
  currentMarks,
  databasesOf,
  initialCursors,
  type Marks,
  Superseded,
} from './copy'
import { clearTarget } from './forget'
import { type Unit, unitsOf } from './units'

/** How much one call does before it answers that the work is not finished. */
export interface Budget {
  /** Milliseconds; well within the 29 seconds of a request. */
  ms: number
  /** Statements; D1 takes 1000 from one request. */
  statements: number
}

export const DEFAULT_BUDGET: Budget = { ms: 12_000, statements: 700 }

/**
 * The progress of a move. It is stored in the row of the move after each step, so that the next call continues there.
 * A pass copies and compares the rows that were added or changed since the marks of the pass before it. Passes follow
 * each other until few changed rows are left.
 */
interface Progress {
  stage: 'clear' | 'copy' | 'check'
  since: Marks | null
  upTo: Marks
  cursors: Cursors
}

const INITIAL_PROGRESS: Progress = { stage: 'clear', since: null, upTo: {}, cursors: {} }

const DONE: MoveState = { state: 'done' }

const stateOf = ({ step, copied, total }: Move): MoveState =>
  step === 'done' || step === 'abandoned'
    ? DONE
    : { state: 'copying', copied: Math.min(copied, total), total: Math.max(copied, total) }

/** Columns of a move's row that start it again. */
const restarted = (total: number) => ({ progress: JSON.stringify(INITIAL_PROGRESS), copied: 0, total })

async function countRecords(access: DatabaseAccess, binding: string, workspaceId: string): Promise<number> {
  const [row] = await access
    .catalog(binding)
    .all<{ n: number }>(
      sql`select coalesce(sum(total_records), 0) as n from catalogs where workspace_id = ${workspaceId}`,
    )
  return row!.n
}

/** Begins a move; undefined if another call has begun one at the same time. */
async function begin(
  access: DatabaseAccess,
  workspaceId: string,
  source: string,
  target: string,
): Promise<Move | undefined> {
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
        setWhere: sql`${workspaceMoves.step} in ('done', 'abandoned')`,
      })
      .returning(),
  )
  return row
}

async function abandon(access: DatabaseAccess, move: Move, now: number): Promise<void> {
  const taken = await takeOver(access, move, { step: 'abandoned', steppedAt: now, progress: '' })
  if (!taken) throw new Superseded()
  const { workspaceId, attempt, source, target } = taken
  await retrying(() => access.catalog(target).all(discardCopy(workspaceId, attempt, now)))
  await retrying(() => access.catalog(source).all(liftFence(workspaceId, attempt)))
}

/** The move that is under way, unless it has been switched already. */
const underWay = ({ move }: Location): Move | undefined =>
  move?.step === 'copying' || move?.step === 'closing' ? move : undefined

async function resumeOrBegin(
  access: DatabaseAccess,
  workspaceId: string,
  location: Location,
  target: string,
): Promise<Move | undefined> {
  const { databaseBinding } = location
  const move = underWay(location)
  if (!move) return begin(access, workspaceId, databaseBinding, target)
  if (move.target !== target) {
    throw new ApiError(
      'conflict',
      `The workspace is being moved to ${move.target}. To cancel that, move it to ${databaseBinding}, where it is now.`,
    )
  }
  return move.step === 'closing' ? reopenSource(access, move, Date.now()) : takeOver(access, move, {})
}

/** Runs one step of a pass and stores its result. */
async function advance(access: DatabaseAccess, move: Move, units: readonly Unit[]): Promise<Move> {
  const databases = databasesOf(access, move)
  const progress: Progress = JSON.parse(move.progress)
  const { stage, since, upTo, cursors } = progress
  const save = async (
    next: Progress,
    { at = move, copied = at.copied }: { at?: Move; copied?: number } = {},
  ) => {
    const saved = await changeMove(access, at, { progress: JSON.stringify(next), copied })
    if (!saved) throw new Superseded()
    return saved
  }
  const nextPass = async (before: Marks | null): Promise<Progress> => ({
    stage: 'copy',
    since: before,
    upTo: await currentMarks(databases, units, Date.now()),
    cursors: initialCursors(units),
  })

  if (stage === 'clear') {
    const gone = await clearTarget(databases.target, move.workspaceId, move.attempt)
    return gone ? save(await nextPass(null)) : move
  }
  if (stage === 'copy') {
    const step = await copyStep(databases, units, progress, cursors)
    const copied = move.copied + (since === null ? step.records : 0)
    const copiedAll = Object.keys(step.cursors).length === 0
    return save(
      copiedAll
        ? { ...progress, stage: 'check', cursors: initialCursors(units) }
        : { ...progress, cursors: step.cursors },
      { copied },
    )
  }
  if (Object.keys(cursors).length > 0) {
    const step = await checkStep(databases, units, progress, cursors)
    return save({ ...progress, cursors: step.cursors })
  }
  const few = (await changedSince(databases, units, upTo, FEW_ROWS)) < FEW_ROWS
  const closed = few ? await close(access, move, unitsOf(move.workspaceId), upTo) : move
  return closed.step === 'done' ? closed : save(await nextPass(upTo), { at: closed })
}

async function copyAgain(
  access: DatabaseAccess,
  workspaceId: string,
  error: CopyDiffers,
): Promise<MoveState> {
  logLine({ workspace: workspaceId, warning: 'move: starts again', reason: error.message })
  const { move } = (await findLocation(access, workspaceId))!
  const total = await countRecords(access, move!.source, workspaceId)
  const again = await takeOver(access, move!, restarted(total))
  return stateOf(again ?? move!)
}

async function continueMove(access: DatabaseAccess, taken: Move, budget: Budget): Promise<MoveState> {
  const until = Date.now() + budget.ms
  const mayGoOn = () => Date.now() < until && access.meter.statements < budget.statements
  const units = unitsOf(taken.workspaceId).filter(({ table }) => table.changes !== 'short_lived')
  let move = taken
  try {
    const target = access.catalog(move.target)
    await retrying(() => target.all(refuseEverything(move.workspaceId, move.attempt)))
    do move = await advance(access, move, units)
    while (move.step !== 'done' && mayGoOn())
    return stateOf(move)
  } catch (error) {
    // Another call continues the move.
    if (error instanceof Superseded) return stateOf(move)
    if (error instanceof CopyDiffers) return copyAgain(access, move.workspaceId, error)
    throw error
  }
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
  let location = await findLocation(access, workspaceId)
  if (!location) throw noSuchWorkspace()
  requireBound(env, target)
  if (location.move?.step === 'switched') {
    const move = await finishSwitch(access, location.move, Date.now())
    location = { ...location, move }
  }
  if (target === location.databaseBinding) {
    const move = underWay(location)
    if (move) await abandon(access, move, Date.now())
    return DONE
  }
  const taken = await resumeOrBegin(access, workspaceId, location, target)
  // Another call has taken it over at the same time.
  if (!taken) return stateOf((await findLocation(access, workspaceId))!.move!)
  return continueMove(access, taken, budget)
}
