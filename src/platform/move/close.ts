import { eq, sql } from 'drizzle-orm'
import type { Env } from '#env'
import { retrying } from '#storage/d1'
import { controlDatabase, int } from '#storage/database'
import { refuseWrites } from '#storage/fences'
import type { Meter } from '#storage/meter'
import { changeMove, finishSwitch, type Move, reopenSource } from '#storage/moves'
import { workspaceMoves, workspaces } from '#storage/schema/control'
import { checkCatalogs, copyCatalogs } from './catalogs'
import {
  CopyDiffers,
  type Cursors,
  checkStep,
  copyStep,
  type Ends,
  endsOf,
  fill,
  fromTheStart,
  type Marks,
  type Step,
  TakenOver,
} from './copy'
import { clear, countOf, totalsOf, type Unit } from './units'

/** Rows that may have changed since the last pass when the source begins to refuse writes. */
export const FEW_ROWS = 1000

/** Rows that may have changed until it does refuse them; with more, writes are let in again first. */
const MOST_ROWS = 10_000

/** How long writes are refused at the most, in milliseconds; well within what others wait (`storage/moves.ts`). */
const CLOSING_MS = 5000

/** How many rows have changed since a pass, counted up to a limit. */
export async function changedSince(
  { source }: Ends,
  units: readonly Unit[],
  since: Marks,
  limit: number,
): Promise<number> {
  const lasting = units.filter(({ table }) => table.changes !== 'short_lived')
  const answers = await source.batch(lasting.map((unit) => countOf(unit, since[unit.name] ?? null, limit)))
  return answers.reduce((sum, [row]) => sum + (row!.n as number), 0)
}

/** Runs the steps of a pass to its end. */
async function toTheEnd(units: readonly Unit[], step: (cursors: Cursors) => Promise<Step>): Promise<void> {
  for (let cursors = fromTheStart(units); Object.keys(cursors).length > 0; )
    ({ cursors } = await step(cursors))
}

async function checkTotals({ source, target }: Ends, units: readonly Unit[], since: Marks): Promise<void> {
  const statements = units.map((unit) => totalsOf(unit, since[unit.name] ?? null))
  const [original, copy] = await Promise.all([source.batch(statements), target.batch(statements)])
  const wrong = units.findIndex((_, n) => original[n]![0]!.totals !== copy[n]![0]!.totals)
  if (wrong >= 0) throw new CopyDiffers(units[wrong]!.name)
}

/**
 * Copies what has changed since the last pass, while nothing changes any more, and compares both sides.
 *
 * @param inTime throws when it takes too long
 */
async function copyRest(ends: Ends, units: readonly Unit[], since: Marks, inTime: () => void): Promise<void> {
  const pass = { since, upTo: null }
  const shortLived = units.filter(({ table }) => table.changes === 'short_lived')
  await fill(
    ends,
    shortLived.map((unit) => clear(unit, ends.move.attempt)),
  )
  await toTheEnd(units, (cursors) => {
    inTime()
    return copyStep(ends, units, pass, cursors)
  })
  await copyCatalogs(ends)
  await toTheEnd(units, (cursors) => {
    inTime()
    return checkStep(ends, units, pass, cursors)
  })
  await checkCatalogs(ends)
  await checkTotals(ends, units, since)
  inTime()
}

/**
 * Makes the target the workspace's database. In one transaction with the step of the move: it has no effect once somebody
 * else has taken that on.
 *
 * @throws TakenOver
 */
async function switchOver(env: Env, move: Move, now: number, meter: Meter): Promise<Move> {
  const { workspaceId, attempt, target } = move
  const { orm } = controlDatabase(env, meter)
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
      // Where the answer to the first attempt was lost, the second finds it done.
      orm.select().from(workspaceMoves).where(sql`${stepped} and ${workspaceMoves.step} = 'switched'`),
    ]),
  )
  if (!row) throw new TakenOver()
  return row
}

/**
 * The last step of a move: the source refuses writes, the rest is copied, both sides are compared, the workspace is
 * switched, the target takes writes. Where it takes too long or the copy is wrong, the source takes writes again.
 *
 * @param since marks of the last pass that was copied and checked
 * @returns the move: `done`, or to be gone on with
 * @throws TakenOver; CopyDiffers
 */
export async function close(
  env: Env,
  move: Move,
  units: readonly Unit[],
  since: Marks,
  meter: Meter,
): Promise<Move> {
  const started = Date.now()
  const closing = await changeMove(env, move, { step: 'closing', steppedAt: started }, meter)
  if (!closing) throw new TakenOver()
  const ends = endsOf(env, closing, meter)
  const { workspaceId, attempt } = closing
  try {
    await retrying(() => ends.source.all(refuseWrites(workspaceId, attempt)))
    if ((await changedSince(ends, units, since, MOST_ROWS)) >= MOST_ROWS) throw new TookTooLong()
    const now = Date.now()
    const marks = { ...since }
    for (const { name, table } of units) if (table.changes === 'short_lived') marks[name] = now
    await copyRest(ends, units, marks, () => {
      if (Date.now() - started > CLOSING_MS) throw new TookTooLong()
    })
    // From here on both sides are the same, and neither takes writes: it does not matter which is read.
    await retrying(() => ends.target.all(refuseWrites(workspaceId, attempt)))
    const switched = await switchOver(env, closing, Date.now(), meter)
    return await finishSwitch(env, switched, Date.now(), meter)
  } catch (error) {
    if (error instanceof TakenOver) throw error
    const reopened = await goBack(env, closing, meter)
    if (error instanceof TookTooLong) return reopened
    throw error
  }
}

/** The last step would keep writers waiting for too long. */
class TookTooLong extends Error {}

/** Lets the source take writes again. Has no effect once the workspace was switched. */
async function goBack(env: Env, closing: Move, meter: Meter): Promise<Move> {
  const reopened = await reopenSource(env, closing, Date.now(), meter)
  if (!reopened) throw new TakenOver()
  return reopened
}
