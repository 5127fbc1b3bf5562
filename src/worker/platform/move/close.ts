import type { DatabaseAccess } from '#worker/storage/database'
import { type MoveAttempt, Superseded, takeOver } from '#worker/storage/placement/moves'
import { checkCatalogs, copyCatalogs } from './catalogs'
import {
  type Cursors,
  checkStep,
  copyStep,
  countsSince,
  fill,
  initialCursors,
  type Marks,
  type Step,
  unitsWithRows,
} from './copy'
import { type Counted, checkTotals } from './totals'
import { clear, type Unit } from './units'

/** The last step starts only if fewer rows than this have changed since the last pass. */
export const FEW_ROWS = 1000

/** With more changed rows than this once writes are refused, the source takes writes again for another pass. */
const MOST_LATE_ROWS = 10_000

/**
 * Longest time for which writes are refused, in milliseconds. Well below the time after which another call takes over
 * (`storage/placement/moves.ts`).
 */
const CLOSING_MS = 5000

const isLasting = ({ table }: Unit) => table.changes !== 'short_lived'

/** What has changed since a pass. */
interface Changed {
  /** Names of the units with changed rows. */
  withRows: string[]
  /** Number of rows in tables that last, each unit counted up to the limit. */
  lasting: number
}

export async function unitsChangedSince(
  { source }: MoveAttempt,
  units: readonly Unit[],
  since: Marks,
  limit: number,
): Promise<Changed> {
  const counts = await countsSince(source, units, since, limit)
  const lasting = counts.filter(({ item }) => isLasting(item)).reduce((sum, { row }) => sum + row.n, 0)
  return { withRows: unitsWithRows(counts), lasting }
}

async function runPass(names: readonly string[], step: (cursors: Cursors) => Promise<Step>): Promise<void> {
  for (let cursors = initialCursors(names); Object.keys(cursors).length > 0; )
    ({ cursors } = await step(cursors))
}

/** What has been copied and compared before the source refuses writes. */
export interface Prepared {
  /** Marks of the last pass. */
  since: Marks
  counted: Counted
}

/**
 * Copies what has changed since the last pass and compares both sides. Nothing changes in the meantime, because the
 * source refuses writes.
 *
 * @param inTime throws when it takes too long
 */
async function copyRest(
  attempt: MoveAttempt,
  units: readonly Unit[],
  { since, counted, withRows }: Prepared & { withRows: readonly string[] },
  inTime: () => void,
): Promise<void> {
  const pass = { since, upTo: null }
  const shortLived = units.filter((unit) => !isLasting(unit))
  await fill(attempt, shortLived.map(clear))
  await runPass(withRows, (cursors) => {
    inTime()
    return copyStep(attempt, units, pass, cursors)
  })
  await copyCatalogs(attempt)
  await runPass(withRows, (cursors) => {
    inTime()
    return checkStep(attempt, units, pass, cursors)
  })
  await checkCatalogs(attempt)
  await checkTotals(attempt, units, since, counted)
  inTime()
}

/**
 * The last step of a move: the source refuses writes, the rest is copied, both sides are compared, the workspace is
 * switched, the target takes writes. If it takes too long or the copy is wrong, the source takes writes again.
 *
 * @returns the attempt: `done`, or to be continued with another pass
 * @throws Superseded; CopyDiffers
 */
export async function close(
  access: DatabaseAccess,
  attempt: MoveAttempt,
  units: readonly Unit[],
  { since, counted }: Prepared,
): Promise<MoveAttempt> {
  const started = Date.now()
  try {
    await attempt.closeSource()
    const marks = { ...since }
    for (const unit of units) if (!isLasting(unit)) marks[unit.name] = started
    const { withRows, lasting } = await unitsChangedSince(attempt, units, marks, MOST_LATE_ROWS)
    if (lasting >= MOST_LATE_ROWS) throw new TookTooLong()
    await copyRest(attempt, units, { since: marks, counted, withRows }, () => {
      if (Date.now() - started > CLOSING_MS) throw new TookTooLong()
    })
    await attempt.switchOver()
    await attempt.settle()
    return attempt
  } catch (error) {
    if (error instanceof Superseded) throw error
    // Has no effect once the workspace was switched. A switch that arrives late has none after this.
    const reopened = await takeOver(access, attempt.move)
    if (!reopened) throw new Superseded()
    await reopened.settle()
    if (reopened.hasSwitched || error instanceof TookTooLong) return reopened
    throw error
  }
}

/** Thrown when the last step would refuse writes for too long. */
class TookTooLong extends Error {}
