import type { RecordType } from '#shared/records/record-type'
import type { Warning } from '#shared/records/warnings'

/**
 * What a dry run says of the fields that would lose their values: how many records have one now and would have none
 * after the write, by field in the order of the type's definition, and a warning for each.
 *
 * @param counts those of `emptiedCounts`
 */
export function emptiedFields(type: RecordType, counts: string) {
  const bySlots: [slots: number, records: number][] = JSON.parse(counts)
  const emptied: Record<string, number> = {}
  for (const { name } of type.fields) {
    const slot = type.storedFields.findIndex((field) => field.name === name)
    if (slot < 0) continue
    const records = bySlots.reduce((sum, [slots, count]) => sum + ((slots >> slot) & 1) * count, 0)
    if (records > 0) emptied[name] = records
  }
  const warnings = Object.entries(emptied).map(
    ([field, records]): Warning => ({
      field,
      msg: `would become empty in ${records} ${records === 1 ? 'record that has' : 'records that have'} a value now`,
    }),
  )
  return { emptied, warnings }
}
