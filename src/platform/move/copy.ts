import type { Env } from '#env'
import { retrying } from '#storage/d1'
import { catalogDatabase, type Database } from '#storage/database'
import { filling } from '#storage/fences'
import type { Meter } from '#storage/meter'
import type { Move } from '#storage/moves'
import {
  type Mark,
  markOf,
  type Page,
  type Position,
  pageOf,
  type Span,
  takeIn,
  type Unit,
  wrongIn,
} from './units'

/** A move has been taken on by somebody else: what this attempt still does has no effect. */
export class TakenOver extends Error {}

/** The copy is not what the source holds. */
export class CopyDiffers extends Error {
  constructor(unit: string) {
    super(`the copy differs from the source: ${unit}`)
  }
}

/** The two databases of a move. */
export interface Ends {
  move: Move
  source: Database
  target: Database
}

export const endsOf = (env: Env, move: Move, meter: Meter): Ends => ({
  move,
  source: catalogDatabase(env, move.source, meter),
  target: catalogDatabase(env, move.target, meter),
})

/** By name of the unit. */
export type Marks = Record<string, Mark>

/** What a pass is about: what came or changed after some marks, and not after others; null where there are none. */
export interface Pass {
  since: Marks | null
  upTo: Marks | null
}

const spanOf = ({ since, upTo }: Pass, { name }: Unit): Span => ({
  since: since?.[name] ?? null,
  upTo: upTo?.[name] ?? null,
})

/** The marks behind which everything lies that happens from now on. */
export async function currentMarks({ source }: Ends, units: readonly Unit[], now: number): Promise<Marks> {
  const answers = await source.batch(units.map((unit) => markOf(unit, now)))
  return Object.fromEntries(units.map(({ name }, n) => [name, answers[n]![0]!.mark as number]))
}

/** Where a pass stands in each unit: the position behind which to go on; units that are done are not in it. */
export type Cursors = Record<string, Position>

export const fromTheStart = (units: readonly Unit[]): Cursors =>
  Object.fromEntries(units.map(({ name }) => [name, null]))

/** Pages that are held at a time; each takes up to 2 MB, and so does what is sent of it. */
const PAGES_HELD = 4

interface UnitPage extends Page {
  unit: Unit
}

/** The next pages of some of the units that are not done. */
async function nextPages(
  { source }: Ends,
  units: readonly Unit[],
  pass: Pass,
  cursors: Cursors,
): Promise<UnitPage[]> {
  const open = units.filter(({ name }) => name in cursors).slice(0, PAGES_HELD)
  const answers = await source.batch(
    open.map((unit) => pageOf(unit, spanOf(pass, unit), cursors[unit.name] ?? null)),
  )
  return open.map((unit, n) => ({ ...(answers[n]![0] as unknown as Page), unit }))
}

const behind = (cursors: Cursors, pages: readonly UnitPage[]): Cursors => {
  const next = { ...cursors }
  for (const { unit, last, more } of pages) {
    if (more === 1 && last !== null) next[unit.name] = JSON.parse(last)
    else delete next[unit.name]
  }
  return next
}

/** Runs statements under `filling`. */
export async function fill({ move, target }: Ends, statements: Parameters<typeof filling>[2]): Promise<void> {
  const batch = filling(move.workspaceId, move.attempt, statements)
  const answers = await retrying(() => target.batch(batch))
  if (answers.at(-1)!.length === 0) throw new TakenOver()
}

/** What a step of a pass did. */
export interface Step {
  cursors: Cursors
  /** Records among the rows. */
  records: number
}

/**
 * Copies the next pages of a pass.
 *
 * @throws TakenOver
 */
export async function copyStep(
  ends: Ends,
  units: readonly Unit[],
  pass: Pass,
  cursors: Cursors,
): Promise<Step> {
  // What changes while the pass is under way is copied as well; the next pass copies it again.
  const pages = await nextPages(ends, units, { ...pass, upTo: null }, cursors)
  const full = pages.filter(({ n }) => n > 0)
  if (full.length > 0) {
    await fill(
      ends,
      full.flatMap(({ unit, rows }) => takeIn(unit, rows, ends.move.attempt)),
    )
  }
  const records = full.filter(({ unit }) => unit.table.searched).reduce((sum, { n }) => sum + n, 0)
  return { cursors: behind(cursors, pages), records }
}

/**
 * Reads the next pages of a pass again and compares them with the copy. What has changed since the pass began is left to
 * the next one.
 *
 * @throws CopyDiffers
 */
export async function checkStep(
  ends: Ends,
  units: readonly Unit[],
  pass: Pass,
  cursors: Cursors,
): Promise<Step> {
  const pages = await nextPages(ends, units, pass, cursors)
  const full = pages.filter(({ n }) => n > 0)
  if (full.length > 0) {
    const answers = await ends.target.batch(full.map(({ unit, rows }) => wrongIn(unit, rows)))
    const wrong = full.findIndex((_, n) => answers[n]![0]!.wrong !== 0)
    if (wrong >= 0) throw new CopyDiffers(full[wrong]!.unit.name)
  }
  return { cursors: behind(cursors, pages), records: 0 }
}
