import { type EmptiedGuardError, invalidField } from '#shared/errors/errors'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import type { Warning } from '#shared/records/warnings'

/** How many records a write may empty in a field. */
export interface EmptiedGuard {
  maxEmptied: number
  /** Names of fields that it may empty in any number of records. */
  allowed: readonly string[]
}

interface EmptiedParameters {
  max_emptied?: number | undefined
  allow_emptied?: readonly string[] | undefined
}

/** Null when no guard applies. @throws ApiError 400 for fields that the type does not have */
export function emptiedGuardOf(
  type: RecordType,
  { max_emptied, allow_emptied: allowed = [] }: EmptiedParameters,
): EmptiedGuard | null {
  const unknown = allowed.find((name) => fieldNamed(type, name) === undefined)
  if (unknown !== undefined) {
    const names = type.fields.map(({ name }) => name).join(', ')
    throw invalidField('allow_emptied', 'not_allowed', `must name fields of the type, which are ${names}`, unknown)
  }
  return max_emptied === undefined ? null : { maxEmptied: max_emptied, allowed }
}

/** Slots of the stored form whose fields a guard watches. */
export const guardedSlots = (type: RecordType, { allowed }: EmptiedGuard): number[] =>
  type.storedFields.flatMap(({ name }, slot) => (allowed.includes(name) ? [] : [slot]))

/** The errors of the guard, in the order of the type's definition. @param counts of the fields beyond it, by slot */
export const emptiedGuardErrors = (
  type: RecordType,
  { maxEmptied }: EmptiedGuard,
  counts: readonly (readonly [slot: number, records: number])[],
): EmptiedGuardError[] =>
  type.fields.flatMap(({ name: field }) =>
    counts
      .filter(([slot]) => type.storedFields[slot]?.name === field)
      .map(([, emptied]) => ({ code: 'emptied_guard', field, emptied, max_emptied: maxEmptied })),
  )

/**
 * What a dry run says of the fields that would lose their values: how many records have one now and would have none
 * after the write, by field in the order of the type's definition, a warning for each, and the errors of the guard.
 *
 * @param counts those of `emptiedCounts`
 */
export function emptiedFields(type: RecordType, counts: string, guard: EmptiedGuard | null = null) {
  const bySlots: [slots: number, records: number, isDeactivated: 0 | 1][] = JSON.parse(counts)
  const countIn = (slot: number, rows: typeof bySlots) =>
    rows.reduce((sum, [slots, records]) => sum + ((slots >> slot) & 1) * records, 0)
  const emptied: Record<string, number> = {}
  for (const { name } of type.fields) {
    const slot = type.storedFields.findIndex((field) => field.name === name)
    const records = slot < 0 ? 0 : countIn(slot, bySlots)
    if (records > 0) emptied[name] = records
  }
  const warnings = Object.entries(emptied).map(
    ([field, records]): Warning => ({
      field,
      msg: `would become empty in ${records} ${records === 1 ? 'record that has' : 'records that have'} a value now`,
    }),
  )
  if (guard === null) return { emptied, warnings }
  const staying = bySlots.filter(([, , isDeactivated]) => isDeactivated === 0)
  const beyond = guardedSlots(type, guard)
    .map((slot) => [slot, countIn(slot, staying)] as const)
    .filter(([, records]) => records > guard.maxEmptied)
  const errors = emptiedGuardErrors(type, guard, beyond)
  return { emptied, warnings, ...(errors.length > 0 ? { emptied_guard: errors } : {}) }
}
