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

/**
 * How many rows empty which slots, as JSON: `[[slots, rows, whether they are deactivated], …]`. The list is short even
 * for many rows, because all rows of a file lack the same columns.
 *
 * @param table with the columns `emptied` and `change`
 */
export const emptiedCounts = (table: SQL): SQL =>
  sql`(select json_group_array(json_array(emptied, number, is_deactivated)) from
    (select emptied, change = 'deactivated' as is_deactivated, count(*) as number from ${table}
      where emptied <> 0 group by emptied, is_deactivated))`
