import type { DatabaseAccess } from '#storage/database'
import type { Attempt } from '#storage/placement/moves'
import { changedSince, close, FEW_ROWS } from './close'
import {
  type Cursors,
  checkStep,
  copyStep,
  currentMarks,
  initialCursors,
  type Marks,
  type Step,
} from './copy'
import { clearTarget } from './forget'
import { type Counted, countStep } from './totals'
import { type Unit, unitsOf } from './units'

/**
 * The progress of a move. It is stored in the row of the move after each step, so that the next call continues there.
 * A pass copies and compares the rows that were added or changed since the marks of the pass before it. Passes follow
 * each other until few changed rows are left.
 */
interface Progress {
  stage: 'clear' | 'copy' | 'check' | 'count' | 'close'
  since: Marks | null
  upTo: Marks
  cursors: Cursors
  counted: Counted
}

const INITIAL_PROGRESS: Progress = { stage: 'clear', since: null, upTo: {}, cursors: {}, counted: {} }

/** Columns of a move's row that start it again. */
export const restarted = (total: number) => ({ progress: JSON.stringify(INITIAL_PROGRESS), copied: 0, total })

/** A release before this one did not count records in ranges. */
const progressOf = ({ move }: Attempt): Progress => ({ ...INITIAL_PROGRESS, ...JSON.parse(move.progress) })

/** Runs one step of a pass and stores its result. @returns the attempt that goes on */
export async function advance(
  access: DatabaseAccess,
  attempt: Attempt,
  units: readonly Unit[],
): Promise<Attempt> {
  const progress = progressOf(attempt)
  const { stage, since, upTo, cursors, counted } = progress
  const save = (next: Partial<Progress>, copied = attempt.move.copied) =>
    attempt.save({ progress: JSON.stringify({ ...progress, ...next }), copied })
  const nextPass = async (of: Attempt, before: Marks | null): Promise<Progress> => ({
    stage: 'copy',
    since: before,
    upTo: await currentMarks(of, units, Date.now()),
    cursors: initialCursors(units),
    counted,
  })
  const cursorsAfter = ({ cursors: left }: Step, next: Partial<Progress>): Partial<Progress> =>
    Object.keys(left).length === 0 ? next : { cursors: left }

  switch (stage) {
    case 'clear':
      if (await clearTarget(attempt)) await save(await nextPass(attempt, null))
      return attempt
    case 'copy': {
      const step = await copyStep(attempt, units, progress, cursors)
      const copied = attempt.move.copied + (since === null ? step.records : 0)
      await save(cursorsAfter(step, { stage: 'check', cursors: initialCursors(units) }), copied)
      return attempt
    }
    case 'check':
      await save(
        cursorsAfter(await checkStep(attempt, units, progress, cursors), { stage: 'count', cursors: {} }),
      )
      return attempt
    case 'count': {
      const further = await countStep(attempt, units, counted)
      await save(further ? { counted: further } : { stage: 'close' })
      return attempt
    }
    case 'close': {
      const few = (await changedSince(attempt, units, upTo, FEW_ROWS)) < FEW_ROWS
      const closed = few
        ? await close(access, attempt, unitsOf(attempt.move.workspaceId), { since: upTo, counted })
        : attempt
      if (!closed.hasSwitched) await closed.save({ progress: JSON.stringify(await nextPass(closed, upTo)) })
      return closed
    }
  }
}
