import { type DatabaseAccess, rowOfEach } from '#storage/database'
import { type Attempt, Superseded, takeOver } from '#storage/placement/moves'
import { checkCatalogs, copyCatalogs } from './catalogs'
import { type Cursors, checkStep, copyStep, fill, initialCursors, type Marks, type Step } from './copy'
import { type Counted, checkTotals } from './totals'
import { clear, countOf, type Unit } from './units'

/** The last step starts only if fewer rows than this have changed since the last pass. */
export const FEW_ROWS = 1000

/** With more changed rows than this once writes are refused, the source takes writes again for another pass. */
const MOST_ROWS = 10_000

/**
 * Longest time for which writes are refused, in milliseconds. Well below the time after which another call takes over
 * (`storage/placement/moves.ts`).
 */
const CLOSING_MS = 5000

/** How many rows have changed since a pass, counted up to a limit. */
export async function changedSince(
  { source }: Attempt,
  units: readonly Unit[],
  since: Marks,
  limit: number,
): Promise<number> {
  const lasting = units.filter(({ table }) => table.changes !== 'short_lived')
  const counts = await rowOfEach(source, lasting, (unit) => countOf(unit, since[unit.name] ?? null, limit))
  return counts.reduce((sum, { row }) => sum + row.n, 0)
}

async function runPass(units: readonly Unit[], step: (cursors: Cursors) => Promise<Step>): Promise<void> {
  for (let cursors = initialCursors(units); Object.keys(cursors).length > 0; )
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
  attempt: Attempt,
  units: readonly Unit[],
  { since, counted }: Prepared,
  inTime: () => void,
): Promise<void> {
  const pass = { since, upTo: null }
  const shortLived = units.filter(({ table }) => table.changes === 'short_lived')
  await fill(attempt, shortLived.map(clear))
  await runPass(units, (cursors) => {
    inTime()
    return copyStep(attempt, units, pass, cursors)
  })
  await copyCatalogs(attempt)
  await runPass(units, (cursors) => {
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
  attempt: Attempt,
  units: readonly Unit[],
  { since, counted }: Prepared,
): Promise<Attempt> {
  const started = Date.now()
  try {
    await attempt.closeSource()
    if ((await changedSince(attempt, units, since, MOST_ROWS)) >= MOST_ROWS) throw new TookTooLong()
    const marks = { ...since }
    for (const { name, table } of units) if (table.changes === 'short_lived') marks[name] = started
    await copyRest(attempt, units, { since: marks, counted }, () => {
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
