import { type SQL, sql } from 'drizzle-orm'
import type { RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'

/** The SQL that finds fields which a write would empty. A set of fields is a number with a bit for each slot. */

/**
 * The slots of a stored form that hold a value. `storedForm` writes 0 for an absent value, and null in a field that
 * takes any JSON value.
 */
const filledSlots = (type: RecordTypeName, data: SQL): SQL => {
  const anySlots = recordTypes[type].storedFields.flatMap(({ kind }, slot) => (kind === 'any' ? [slot] : []))
  return sql`coalesce((select sum(1 << slot.key) from json_each(${data}) as slot
    where slot.type <> iif(slot.key in (${sql.raw(anySlots.join(', '))}), 'null', 'integer')), 0)`
}

/** The slots that have a value before and none after. */
export const emptiedSlots = (type: RecordTypeName, before: SQL, after: SQL): SQL =>
  sql`${filledSlots(type, before)} & ~${filledSlots(type, after)}`

/** All slots that a type can have. */
const SLOTS = JSON.stringify([
  ...Array(Math.max(...Object.values(recordTypes).map((type) => type.storedFields.length))).keys(),
])

/**
 * How many rows empty each slot, as JSON: `[[slot, rows, rows that stay active or inactive], …]`. Sets are counted
 * first: there are few, because all rows of a file lack the same columns.
 *
 * @param rows query with the columns `emptied` and `stays`, which is 0 for a row that is deactivated
 */
export const emptiedCounts = (rows: SQL): SQL =>
  sql`(select json_group_array(json_array(slot, number, staying)) from (
      select slot.value as slot, sum(number) as number, sum(number * stays) as staying
      from (select emptied, stays, count(*) as number from (${rows}) where emptied <> 0 group by emptied, stays)
        cross join json_each(${SLOTS}) as slot
      where (emptied >> slot.value) & 1
      group by slot.value))`

/** The rows of `emptiedCounts` in the table `compared`. */
export const comparedEmptied = sql`select emptied, change is not 'deactivated' as stays from compared`
