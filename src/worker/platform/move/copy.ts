import { type SQL, sql } from 'drizzle-orm'
import { type Database, rowOfEach } from '#worker/storage/database'
import { filling } from '#worker/storage/placement/fences'
import type { MoveAttempt } from '#worker/storage/placement/moves'
import {
  countDifferent,
  insertPage,
  type Mark,
  type MarkRange,
  type Position,
  type Unit,
  type UnitPage,
  unitCount,
  unitMark,
  unitPage,
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

const spanOf = ({ since, upTo }: Pass, { name }: Unit): MarkRange => ({
  since: since?.[name] ?? null,
  upTo: upTo?.[name] ?? null,
})

/** How many rows a unit has, counted up to a limit. */
interface UnitCount {
  item: Unit
  row: { n: number }
}

/** How many rows of each unit have changed since a pass, counted up to a limit. */
export const countsSince = (
  source: Database,
  units: readonly Unit[],
  since: Marks,
  limit: number,
): Promise<UnitCount[]> =>
  rowOfEach(source, units, (unit) => unitCount(unit, since[unit.name] ?? null, limit))

/** The units with rows, of those that were counted. */
export const unitsWithRows = (counts: readonly UnitCount[]): string[] =>
  counts.filter(({ row }) => row.n > 0).map(({ item }) => item.name)

/**
 * Begins a pass over what has changed since another one.
 *
 * @returns the present marks, and the units that have rows now. What happens from now on comes after the marks, also in
 *   the other units, and is left to the next pass.
 */
export async function beginPass(
  { source }: MoveAttempt,
  units: readonly Unit[],
  since: Marks | null,
  now: number,
): Promise<{ upTo: Marks; withRows: string[] }> {
  const rows = await rowOfEach(
    source,
    units,
    (unit) => sql<{ mark: number; n: number }>`select (${unitMark(unit, now)}) as mark,
      (${unitCount(unit, since?.[unit.name] ?? null, 1)}) as n`,
  )
  const marks = rows.map(({ item, row }) => [item.name, row.mark] as const)
  return { upTo: Object.fromEntries(marks), withRows: unitsWithRows(rows) }
}

/** The position of a pass in each unit, after which it continues. Units that are done are not in it. */
export type Cursors = Record<string, Position>

export const initialCursors = (names: readonly string[]): Cursors =>
  Object.fromEntries(names.map((name) => [name, null]))

/** Pages that are in memory at a time. Each takes up to 2 MB, and the statement that sends it takes as much again. */
const PAGES_HELD = 4

interface PageOfUnit extends UnitPage {
  unit: Unit
}

async function nextPages(
  { source }: MoveAttempt,
  units: readonly Unit[],
  pass: Pass,
  cursors: Cursors,
): Promise<PageOfUnit[]> {
  const open = units.filter(({ name }) => name in cursors).slice(0, PAGES_HELD)
  if (open.length === 0) return []
  const pages = await rowOfEach(source, open, (unit) =>
    unitPage(unit, spanOf(pass, unit), cursors[unit.name] ?? null),
  )
  return pages.map(({ item, row }) => ({ ...row, unit: item }))
}

const advanced = (cursors: Cursors, pages: readonly PageOfUnit[]): Cursors => {
  const next = { ...cursors }
  for (const { unit, last, more } of pages) {
    if (more === 1 && last !== null) next[unit.name] = JSON.parse(last)
    else delete next[unit.name]
  }
  return next
}

/** @throws Superseded */
export const fill = (attempt: MoveAttempt, statements: readonly SQL[]): Promise<void> =>
  attempt.send(attempt.target, (turn) => filling(turn, statements))

export interface Step {
  cursors: Cursors
  records: number
}

/** @throws Superseded */
export async function copyStep(
  attempt: MoveAttempt,
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
  attempt: MoveAttempt,
  units: readonly Unit[],
  pass: Pass,
  cursors: Cursors,
): Promise<Step> {
  const pages = await nextPages(attempt, units, pass, cursors)
  const full = pages.filter(({ n }) => n > 0)
  if (full.length > 0) {
    const compared = await rowOfEach(attempt.target, full, ({ unit, rows }) => countDifferent(unit, rows))
    const different = compared.find(({ row }) => row.wrong !== 0)
    if (different) throw new CopyDiffers(different.item.unit.name)
  }
  return { cursors: advanced(cursors, pages), records: 0 }
}
