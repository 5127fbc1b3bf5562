import type { DatabaseAccess } from '#worker/storage/database'
import type { MoveAttempt } from '#worker/storage/placement/moves'
import { close, FEW_ROWS, unitsChangedSince } from './close'
import { beginPass, type Cursors, checkStep, copyStep, initialCursors, type Marks, type Step } from './copy'
import { clearTarget } from './purge'
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
  /** The units that the pass copies and compares. */
  withRows: string[]
  cursors: Cursors
  counted: Counted
}

const INITIAL_PROGRESS: Omit<Progress, 'withRows'> = {
  stage: 'clear',
  since: null,
  upTo: {},
  cursors: {},
  counted: {},
}

/** Columns of a move's row that start it again. */
export const restarted = (total: number) => ({ progress: JSON.stringify(INITIAL_PROGRESS), copied: 0, total })

/** A release before this one did not count records in ranges, and its passes went through all units. */
const progressOf = ({ move }: MoveAttempt, units: readonly Unit[]): Progress => ({
  ...INITIAL_PROGRESS,
  withRows: units.map(({ name }) => name),
  ...JSON.parse(move.progress),
})

/** Runs one step of a pass and stores its result. @returns the attempt that goes on */
export async function advance(
  access: DatabaseAccess,
  attempt: MoveAttempt,
  units: readonly Unit[],
): Promise<MoveAttempt> {
  const progress = progressOf(attempt, units)
  const { stage, since, upTo, withRows, cursors, counted } = progress
  const save = (next: Partial<Progress>, copied = attempt.move.copied) =>
    attempt.save({ progress: JSON.stringify({ ...progress, ...next }), copied })
  const nextPass = async (of: MoveAttempt, before: Marks | null): Promise<Progress> => {
    const pass = await beginPass(of, units, before, Date.now())
    return { stage: 'copy', since: before, ...pass, cursors: initialCursors(pass.withRows), counted }
  }
  const cursorsAfter = ({ cursors: left }: Step, next: Partial<Progress>): Partial<Progress> =>
    Object.keys(left).length === 0 ? next : { cursors: left }

  switch (stage) {
    case 'clear':
      if (await clearTarget(attempt)) await save(await nextPass(attempt, null))
      return attempt
    case 'copy': {
      const step = await copyStep(attempt, units, progress, cursors)
      const copied = attempt.move.copied + (since === null ? step.records : 0)
      await save(cursorsAfter(step, { stage: 'check', cursors: initialCursors(withRows) }), copied)
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
      const { lasting } = await unitsChangedSince(attempt, units, upTo, FEW_ROWS)
      const closed =
        lasting < FEW_ROWS
          ? await close(access, attempt, unitsOf(attempt.move.workspaceId), { since: upTo, counted })
          : attempt
      if (!closed.hasSwitched) await closed.save({ progress: JSON.stringify(await nextPass(closed, upTo)) })
      return closed
    }
  }
}
