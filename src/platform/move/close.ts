import { eq, sql } from 'drizzle-orm'
import { retrying } from '#storage/d1'
import { type DatabaseAccess, int } from '#storage/database'
import { refuseWrites } from '#storage/fences'
import { changeMove, finishSwitch, type Move, reopenSource } from '#storage/moves'
import { workspaceMoves, workspaces } from '#storage/schema/control'
import { checkCatalogs, copyCatalogs } from './catalogs'
import {
  CopyDiffers,
  type Cursors,
  checkStep,
  copyStep,
  databasesOf,
  fill,
  initialCursors,
  type Marks,
  type MoveDatabases,
  type Step,
  Superseded,
} from './copy'
import { clear, countOf, totalsOf, type Unit } from './units'

/** The last step starts only if fewer rows than this have changed since the last pass. */
export const FEW_ROWS = 1000

/** With more changed rows than this once writes are refused, the source takes writes again for another pass. */
const MOST_ROWS = 10_000

/**
 * Longest time for which writes are refused, in milliseconds. Well below the time after which another call takes over
 * (`storage/moves.ts`).
 */
const CLOSING_MS = 5000

/** How many rows have changed since a pass, counted up to a limit. */
export async function changedSince(
  { source }: MoveDatabases,
  units: readonly Unit[],
  since: Marks,
  limit: number,
): Promise<number> {
  const lasting = units.filter(({ table }) => table.changes !== 'short_lived')
  const answers = await source.batch(lasting.map((unit) => countOf(unit, since[unit.name] ?? null, limit)))
  return answers.reduce((sum, [row]) => sum + (row!.n as number), 0)
}

async function runPass(units: readonly Unit[], step: (cursors: Cursors) => Promise<Step>): Promise<void> {
  for (let cursors = initialCursors(units); Object.keys(cursors).length > 0; )
    ({ cursors } = await step(cursors))
}

async function checkTotals(
  { source, target }: MoveDatabases,
  units: readonly Unit[],
  since: Marks,
): Promise<void> {
  const statements = units.map((unit) => totalsOf(unit, since[unit.name] ?? null))
  const [original, copy] = await Promise.all([source.batch(statements), target.batch(statements)])
  const wrong = units.findIndex((_, n) => original[n]![0]!.totals !== copy[n]![0]!.totals)
  if (wrong >= 0) throw new CopyDiffers(units[wrong]!.name)
}

/**
 * Copies what has changed since the last pass and compares both sides. Nothing changes in the meantime, because the
 * source refuses writes.
 *
 * @param inTime throws when it takes too long
 */
async function copyRest(
  databases: MoveDatabases,
  units: readonly Unit[],
  since: Marks,
  inTime: () => void,
): Promise<void> {
  const pass = { since, upTo: null }
  const shortLived = units.filter(({ table }) => table.changes === 'short_lived')
  await fill(
    databases,
    shortLived.map((unit) => clear(unit, databases.move.attempt)),
  )
  await runPass(units, (cursors) => {
    inTime()
    return copyStep(databases, units, pass, cursors)
  })
  await copyCatalogs(databases)
  await runPass(units, (cursors) => {
    inTime()
    return checkStep(databases, units, pass, cursors)
  })
  await checkCatalogs(databases)
  await checkTotals(databases, units, since)
  inTime()
}

/** Makes the target the workspace's database, in one transaction with the step of the move. @throws Superseded */
async function switchOver(access: DatabaseAccess, move: Move, now: number): Promise<Move> {
  const { workspaceId, attempt, target } = move
  const { orm } = access.control
  const stepped = sql`${workspaceMoves.workspaceId} = ${workspaceId} and ${workspaceMoves.attempt} = ${int(attempt)}`
  const [, , [row]] = await retrying(() =>
    orm.batch([
      orm
        .update(workspaceMoves)
        .set({ step: 'switched', steppedAt: now })
        .where(sql`${stepped} and ${workspaceMoves.step} = 'closing'`),
      orm
        .update(workspaces)
        .set({ databaseBinding: target })
        .where(
          sql`${eq(workspaces.workspaceId, workspaceId)} and exists (select 1 from ${workspaceMoves}
            where ${stepped} and ${workspaceMoves.step} = 'switched')`,
        ),
      // If the answer to the first attempt was lost, the second attempt finds it done.
      orm.select().from(workspaceMoves).where(sql`${stepped} and ${workspaceMoves.step} = 'switched'`),
    ]),
  )
  if (!row) throw new Superseded()
  return row
}

/**
 * The last step of a move: the source refuses writes, the rest is copied, both sides are compared, the workspace is
 * switched, the target takes writes. If it takes too long or the copy is wrong, the source takes writes again.
 *
 * @param since marks of the last pass that was copied and checked
 * @returns the move: `done`, or still to be continued
 * @throws Superseded; CopyDiffers
 */
export async function close(
  access: DatabaseAccess,
  move: Move,
  units: readonly Unit[],
  since: Marks,
): Promise<Move> {
  const started = Date.now()
  const closing = await changeMove(access, move, { step: 'closing', steppedAt: started })
  if (!closing) throw new Superseded()
  const databases = databasesOf(access, closing)
  const { workspaceId, attempt } = closing
  try {
    await retrying(() => databases.source.all(refuseWrites(workspaceId, attempt)))
    if ((await changedSince(databases, units, since, MOST_ROWS)) >= MOST_ROWS) throw new TookTooLong()
    const now = Date.now()
    const marks = { ...since }
    for (const { name, table } of units) if (table.changes === 'short_lived') marks[name] = now
    await copyRest(databases, units, marks, () => {
      if (Date.now() - started > CLOSING_MS) throw new TookTooLong()
    })
    // From here on both sides are the same and neither takes writes, so reads may use either one.
    await retrying(() => databases.target.all(refuseWrites(workspaceId, attempt)))
    const switched = await switchOver(access, closing, Date.now())
    return await finishSwitch(access, switched, Date.now())
  } catch (error) {
    if (error instanceof Superseded) throw error
    // Has no effect once the workspace was switched.
    const reopened = await reopenSource(access, closing, Date.now())
    if (!reopened) throw new Superseded()
    if (error instanceof TookTooLong) return reopened
    throw error
  }
}

/** Thrown when the last step would refuse writes for too long. */
class TookTooLong extends Error {}
