import type { RecordType } from '#records/record-type'
import type { Warning } from '#records/warnings'

/** How many records have a value in a field now and would have none after the write, by field. */
export type Emptied = Record<string, number>

/** In the order of the type's definition. `counts` are those of `emptiedCounts`. */
export function emptiedFields(type: RecordType, counts: string): Emptied {
  const bySlots = JSON.parse(counts) as [slots: number, records: number][]
  const emptied: Emptied = {}
  for (const { name } of type.fields) {
    const slot = type.storedFields.findIndex((field) => field.name === name)
    if (slot < 0) continue
    const records = bySlots.reduce((sum, [slots, count]) => sum + ((slots >> slot) & 1) * count, 0)
    if (records > 0) emptied[name] = records
  }
  return emptied
}

export const emptiedWarnings = (emptied: Emptied): Warning[] =>
  Object.entries(emptied).map(([field, records]) => ({
    field,
    msg: `would become empty in ${records} ${records === 1 ? 'record that has' : 'records that have'} a value now`,
  }))
