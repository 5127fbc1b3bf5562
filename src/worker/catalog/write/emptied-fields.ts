import { type SQL, sql } from 'drizzle-orm'
import { type EmptiedGuardError, invalidField } from '#shared/errors/errors'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { countText, type Warning } from '#shared/records/warnings'
import type { CommittedWrite } from '#worker/catalog/schemas'

export interface EmptiedGuard {
  maxEmptied: number
  /** Names of fields that the write may clear in any number of records. */
  allowed: readonly string[]
}

/** Null if no guard applies. @throws ApiError 400 for unknown fields */
export function emptiedGuardOf(
  type: RecordType,
  {
    max_emptied,
    allow_emptied: allowed = [],
  }: { max_emptied?: number | undefined; allow_emptied?: readonly string[] | undefined },
): EmptiedGuard | null {
  const unknown = allowed.find((name) => fieldNamed(type, name) === undefined)
  if (unknown !== undefined) {
    const names = type.fields.map(({ name }) => name).join(', ')
    throw invalidField('allow_emptied', 'not_allowed', `must name fields of the type, which are ${names}`, unknown)
  }
  return max_emptied === undefined ? null : { maxEmptied: max_emptied, allowed }
}

export const guardedSlots = ({ fields }: RecordType, { allowed }: EmptiedGuard): number[] =>
  fields.flatMap(({ name, slot }) => (slot === null || allowed.includes(name) ? [] : [slot]))

/** The fields that would lose values, in the order of the type's definition. @param counts from `emptiedCounts` */
function emptiedIn({ fields }: RecordType, counts: string) {
  const bySlot: [slot: number, records: number, staying: number][] = JSON.parse(counts)
  return fields.flatMap(({ name: field, slot }) =>
    bySlot.filter((one) => one[0] === slot).map(([, records, staying]) => ({ field, records, staying })),
  )
}

/** The errors of the guard, in the order of the type's definition. @param counts from `emptiedCounts` */
export const emptiedGuardErrors = (
  type: RecordType,
  { maxEmptied, allowed }: EmptiedGuard,
  counts: string,
): EmptiedGuardError[] =>
  emptiedIn(type, counts)
    .filter(({ field, staying }) => staying > maxEmptied && !allowed.includes(field))
    .map(({ field, staying }) => ({ code: 'emptied_guard', field, emptied: staying, max_emptied: maxEmptied }))

/** The number of records that lose each field's value, and a warning for each. @param counts from `emptiedCounts` */
export function emptiedFields(type: RecordType, format: CommittedWrite['format'], counts: string) {
  const fields = emptiedIn(type, counts)
  const remedy = format === 'json' ? '; keep_missing=true keeps the values of fields that are not sent' : ''
  const warnings = fields.map(({ field, records }): Warning => {
    const msg = `is cleared in ${countText(records, 'record')}${remedy}`
    return { field, msg, code: 'emptied', count: records }
  })
  return { emptied: Object.fromEntries(fields.map(({ field, records }) => [field, records])), warnings }
}

/** The slots with a value before but not after, as bits of a number. @param before, after tables with `filled` */
export const emptiedSlots = (before: string, after: string): SQL => sql.raw(`${before}.filled & ~${after}.filled`)

const SLOTS = JSON.stringify([
  ...Array(Math.max(...Object.values(recordTypes).map((type) => type.storedFields.length))).keys(),
])

/**
 * The number of rows that clear each slot, as JSON: `[[slot, rows, rows that stay active or inactive], …]`. First
 * counts sets of slots. There are few, because all rows of a file lack the same columns.
 *
 * @param rows rows with the columns `emptied` and `change`
 */
export const emptiedCounts = (rows: SQL): SQL =>
  sql`(select json_group_array(json_array(slot, number, staying)) from (
      select slot.value as slot, sum(number) as number, sum(number * stays) as staying
      from (select emptied, change is not 'deactivated' as stays, count(*) as number from ${rows}
          where emptied <> 0 group by emptied, stays)
        cross join json_each(${SLOTS}) as slot
      where (emptied >> slot.value) & 1
      group by slot.value))`
