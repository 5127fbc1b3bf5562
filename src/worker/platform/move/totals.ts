import { type SQL, sql } from 'drizzle-orm'
import { catalogIdOf, firstRowId, numberColumn, withinCatalog } from '#worker/storage/catalog-scope'
import { int, rowOfEach } from '#worker/storage/database'
import type { MoveAttempt } from '#worker/storage/placement/moves'
import { CopyDiffers, type Marks } from './copy'
import { countIndexed } from './search-index'
import { EVERYTHING, scopeOf, tableOf, type Unit, unitRows } from './units'

/**
 * The number of rows on both sides. Records are counted in ranges, before the source refuses writes: they are never
 * deleted, and new ones have higher numbers, so that the count of a range is final. The other tables are counted at
 * the end.
 */

/** Records of one catalog that one statement counts. It reads their pages, 50 MB at most. */
const RANGE_RECORDS = 50_000

/** The number of the last record of each unit that was counted. */
export type Counted = Record<string, number>

/** The number of the last record of the next range; null when there are no more. */
const endOfRange = (unit: Unit, after: number): SQL<{ last: number | null }> =>
  sql`select max(number) as last from (select ${numberColumn} as number from ${tableOf(unit)} not indexed
    where ${withinCatalog(sql`row_id`, scopeOf(unit), after + 1)} order by row_id limit ${int(RANGE_RECORDS)})`

/** The counts of some rows, as JSON. */
interface Total {
  total: string
}

/** The records of a range, and their entries in the index. @param upTo null for no end */
function unitTotal(unit: Unit, after: number, upTo: number | null): SQL<Total> {
  const scope = scopeOf(unit)
  const within = (column: SQL): SQL => {
    const range = withinCatalog(column, scope, after + 1)
    return upTo === null
      ? range
      : sql`${range} and ${column} <= ${firstRowId(catalogIdOf(scope))} + ${int(upTo)}`
  }
  return sql`select json_array(count(*), ${countIndexed(within)}) as total
    from ${tableOf(unit)} not indexed where ${within(sql`row_id`)}`
}

/** All rows of a unit. The index on row ids is much smaller than a table without rowids. */
function countRows(unit: Unit, expireAfter: number | null): SQL<Total> {
  const { changes, rowIds } = unit.table
  const rows =
    rowIds.length > 0
      ? sql`${tableOf(unit)} where ${withinCatalog(sql`row_id`, scopeOf(unit))}`
      : unitRows(unit, changes === 'short_lived' ? { since: expireAfter, upTo: null } : EVERYTHING, null)
  return sql`select json_array(count(*)) as total from ${rows}`
}

/** @throws CopyDiffers */
async function requireSameTotals(
  { source, target }: MoveAttempt,
  counts: readonly { unit: Unit; count: SQL<Total> }[],
): Promise<void> {
  const [original, copy] = await Promise.all(
    [source, target].map((database) => rowOfEach(database, counts, ({ count }) => count)),
  )
  const wrong = original?.find(({ row }, n) => row.total !== copy?.[n]?.row.total)
  if (wrong) throw new CopyDiffers(wrong.item.unit.name)
}

/**
 * Counts the next range of records of each catalog, of those that the target has.
 *
 * @returns what is counted now; null when there was no more to count
 * @throws CopyDiffers
 */
export async function countStep(
  attempt: MoveAttempt,
  units: readonly Unit[],
  counted: Counted,
): Promise<Counted | null> {
  const searched = units.filter(({ table }) => table.searched)
  const afterOf = ({ name }: Unit) => counted[name] ?? -1
  const ends = await rowOfEach(attempt.target, searched, (unit) => endOfRange(unit, afterOf(unit)))
  const ranges = ends.flatMap(({ item: unit, row: { last } }) => (last === null ? [] : [{ unit, last }]))
  if (ranges.length === 0) return null
  await requireSameTotals(
    attempt,
    ranges.map(({ unit, last }) => ({ unit, count: unitTotal(unit, afterOf(unit), last) })),
  )
  return { ...counted, ...Object.fromEntries(ranges.map(({ unit, last }) => [unit.name, last])) }
}

/** Counts the records that `countStep` has not counted, and all other rows. @throws CopyDiffers */
export const checkTotals = (
  attempt: MoveAttempt,
  units: readonly Unit[],
  since: Marks,
  counted: Counted,
): Promise<void> =>
  requireSameTotals(
    attempt,
    units.map((unit) => ({
      unit,
      count: unit.table.searched
        ? unitTotal(unit, counted[unit.name] ?? -1, null)
        : countRows(unit, since[unit.name] ?? null),
    })),
  )
