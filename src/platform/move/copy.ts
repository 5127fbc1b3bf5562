import type { SQL } from 'drizzle-orm'
import { filling } from '#storage/placement/fences'
import type { Attempt } from '#storage/placement/moves'
import {
  countDifferent,
  countOf,
  insertPage,
  type Mark,
  markOf,
  type Page,
  type Position,
  pageOf,
  type Span,
  type Unit,
} from './units'

export class CopyDiffers extends Error {
  constructor(unit: string) {
    super(`the copy differs from the source: ${unit}`)
  }
}

/** By name of the unit. */
export type Marks = Record<string, Mark>

/**
 * The rows of a pass: those that were added or changed after the marks `since` and not after the marks `upTo`. Null
 * means no limit.
 */
interface Pass {
  since: Marks | null
  upTo: Marks | null
}

const spanOf = ({ since, upTo }: Pass, { name }: Unit): Span => ({
  since: since?.[name] ?? null,
  upTo: upTo?.[name] ?? null,
})

/** How many rows of each unit have changed since a pass, counted up to a limit. */
export const countsSince = (units: readonly Unit[], since: Marks | null, limit: number): SQL[] =>
  units.map((unit) => countOf(unit, since?.[unit.name] ?? null, limit))

/** The units with rows, of those that were counted. */
export const unitsWithRows = (
  units: readonly Unit[],
  counts: readonly (readonly Record<string, unknown>[])[],
): string[] => units.filter((_, n) => Number(counts[n]?.[0]?.n) > 0).map(({ name }) => name)

/**
 * Begins a pass over what has changed since another one.
 *
 * @returns the present marks, and the units that have rows now. What happens from now on comes after the marks, also in
 *   the other units, and is left to the next pass.
 */
export async function beginPass(
  { source }: Attempt,
  units: readonly Unit[],
  since: Marks | null,
  now: number,
): Promise<{ upTo: Marks; withRows: string[] }> {
  const answers = await source.batch([
    ...units.map((unit) => markOf(unit, now)),
    ...countsSince(units, since, 1),
  ])
  return {
    upTo: Object.fromEntries(units.map(({ name }, n) => [name, answers[n]![0]!.mark as number])),
    withRows: unitsWithRows(units, answers.slice(units.length)),
  }
}

/** The position of a pass in each unit, after which it continues. Units that are done are not in it. */
export type Cursors = Record<string, Position>

export const initialCursors = (names: readonly string[]): Cursors =>
  Object.fromEntries(names.map((name) => [name, null]))

/** Pages that are in memory at a time. Each takes up to 2 MB, and the statement that sends it takes as much again. */
const PAGES_HELD = 4

interface UnitPage extends Page {
  unit: Unit
}

async function nextPages(
  { source }: Attempt,
  units: readonly Unit[],
  pass: Pass,
  cursors: Cursors,
): Promise<UnitPage[]> {
  const open = units.filter(({ name }) => name in cursors).slice(0, PAGES_HELD)
  if (open.length === 0) return []
  const answers = await source.batch(
    open.map((unit) => pageOf(unit, spanOf(pass, unit), cursors[unit.name] ?? null)),
  )
  return open.map((unit, n) => ({ ...(answers[n]![0] as unknown as Page), unit }))
}

const advanced = (cursors: Cursors, pages: readonly UnitPage[]): Cursors => {
  const next = { ...cursors }
  for (const { unit, last, more } of pages) {
    if (more === 1 && last !== null) next[unit.name] = JSON.parse(last)
    else delete next[unit.name]
  }
  return next
}

/** @throws Superseded */
export const fill = (attempt: Attempt, statements: readonly SQL[]): Promise<void> =>
  attempt.send(attempt.target, (turn) => filling(turn, statements))

export interface Step {
  cursors: Cursors
  records: number
}

/** @throws Superseded */
export async function copyStep(
  attempt: Attempt,
  units: readonly Unit[],
  pass: Pass,
  cursors: Cursors,
): Promise<Step> {
  // Rows that change during the pass are copied as well. The next pass copies them again.
  const pages = await nextPages(attempt, units, { ...pass, upTo: null }, cursors)
  const full = pages.filter(({ n }) => n > 0)
  if (full.length > 0) {
    await fill(
      attempt,
      full.flatMap(({ unit, rows }) => insertPage(unit, rows)),
    )
  }
  const records = full.filter(({ unit }) => unit.table.searched).reduce((sum, { n }) => sum + n, 0)
  return { cursors: advanced(cursors, pages), records }
}

/**
 * Reads the next pages of a pass again and compares them with the copy. Leaves rows that have changed since the pass
 * began to the next pass. @throws CopyDiffers
 */
export async function checkStep(
  attempt: Attempt,
  units: readonly Unit[],
  pass: Pass,
  cursors: Cursors,
): Promise<Step> {
  const pages = await nextPages(attempt, units, pass, cursors)
  const full = pages.filter(({ n }) => n > 0)
  if (full.length > 0) {
    const answers = await attempt.target.batch(full.map(({ unit, rows }) => countDifferent(unit, rows)))
    const wrong = full.findIndex((_, n) => answers[n]![0]!.wrong !== 0)
    if (wrong >= 0) throw new CopyDiffers(full[wrong]!.unit.name)
  }
  return { cursors: advanced(cursors, pages), records: 0 }
}
