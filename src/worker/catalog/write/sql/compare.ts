import { type SQL, sql } from 'drizzle-orm'
import { MAX_PAGE_BYTES } from '#shared/limits'
import type { RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'
import { elementsOf } from './write-records'

/** How records are compared: as lists that begin with the activity and go on with the stored form. */
export interface ComparedForm {
  /** Slots that keep their stored values, and are not compared. */
  keptSlots: readonly number[]
  /** Whether the stored activity is compared; else it is taken as 1, which is sent then. */
  comparesActivity: boolean
}

/** Slots as bits, as `records.filled` has them. */
export const slotBits = (slots: readonly number[]): SQL =>
  sql.raw(String(slots.reduce((bits, slot) => bits + 2 ** slot, 0)))

/** Condition: a stored record is not as it was sent. Value by value only if it has values that it keeps. */
function differs(type: RecordTypeName, { keptSlots, comparesActivity }: ComparedForm): SQL {
  const activity = sql.raw(comparesActivity ? 'stored.is_active' : "'1'")
  const whole = sql`'[' || ${activity} || ',' || substr(stored.data, 2) <> element.value`
  if (keptSlots.length === 0) return whole
  const sentSlots = recordTypes[type].storedFields.map(({ slot }) => slot).filter((slot) => !keptSlots.includes(slot))
  const values = sentSlots.map((slot) => {
    const blank = JSON.stringify(recordTypes[type].blankSlots[slot])
    const at = (form: string, place: number) => `coalesce(${form} -> ${place}, '${blank}')`
    return sql.raw(`${at('stored.data', slot)} <> ${at('element.value', slot + 1)}`)
  })
  const activities = comparesActivity ? [sql`stored.is_active <> element.value ->> 0`] : []
  const byValue = sql.join([...activities, ...values, sql`0`], sql` or `)
  return sql`iif(stored.filled & ${slotBits(keptSlots)}, ${byValue}, ${whole})`
}

/** A record that is not stored as it was sent. */
export interface DifferingRow {
  id: string
  /** Null if there is none of this id. */
  is_active: 0 | 1 | null
  /** Whether it has values that it keeps. */
  keeps: 0 | 1
  /** The stored form, if it has such values; null also if those before it have `MAX_PAGE_BYTES`. */
  data: string | null
}

/**
 * The records that are not stored as they were sent, in any order.
 *
 * @param pieces JSON objects, from ids to lists
 * @param most rows; null if all of them are needed
 */
export function differingRecords(
  catalogKey: CatalogKey,
  pieces: readonly string[],
  form: ComparedForm,
  most: number | null,
): SQL<DifferingRow> {
  const differing = sql`select element.key as id, stored.is_active,
      coalesce(stored.filled & ${slotBits(form.keptSlots)}, 0) <> 0 as keeps, stored.data
    from ${elementsOf(pieces)}
      left join records stored
        on stored.catalog_id = ${catalogIdOf(catalogKey)} and stored.record_id = element.key
    where stored.row_id is null or ${differs(catalogKey.type, form)}
    limit ${int(most ?? -1)}`
  return sql`select id, is_active, keeps, iif(keeps and
        sum(iif(keeps, octet_length(data), 0)) over (rows unbounded preceding) <= ${int(MAX_PAGE_BYTES)},
      data, null) as data
    from (${differing})`
}
