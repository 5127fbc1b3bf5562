import { type SQL, sql } from 'drizzle-orm'
import { MAX_PAGE_BYTES } from '#shared/limits'
import type { RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'
import { elementsOf } from './write-records'

/** What is compared: a list that begins with the activity and goes on with the values at some slots. */
export interface ComparedForm {
  slots: readonly number[] | 'all'
  /** Whether the stored activity is compared; else it is taken as 1. */
  comparesActivity: boolean
}

/** The list of a stored record, as `ComparedRecords` makes it of a sent one. */
function storedList(type: RecordTypeName, { slots, comparesActivity }: ComparedForm): SQL {
  const activity = comparesActivity ? 'stored.is_active' : "'1'"
  if (slots === 'all') return sql.raw(`'[' || ${activity} || ',' || substr(stored.data, 2)`)
  const values = slots.map((slot) => {
    const blank = JSON.stringify(recordTypes[type].blankSlots[slot])
    return `coalesce(stored.data -> ${slot}, '${blank}')`
  })
  return sql.raw(`'[' || ${[activity, ...values].join(` || ',' || `)} || ']'`)
}

/** A record that is not stored as it was sent. */
export interface DifferingRow {
  id: string
  /** Null if there is none of this id. */
  is_active: 0 | 1 | null
  /** The stored form; null also if those before it have `MAX_PAGE_BYTES`, or if nobody needs it. */
  data: string | null
}

/**
 * The records that are not stored as they were sent, in any order.
 *
 * @param pieces JSON objects, from ids to lists
 * @param most rows; null if all of them and their stored forms are needed
 */
export function differingRecords(
  catalogKey: CatalogKey,
  pieces: readonly string[],
  form: ComparedForm,
  most: number | null,
): SQL<DifferingRow> {
  const differing = (columns: SQL): SQL => sql`select element.key as id, stored.is_active, ${columns}
    from ${elementsOf(pieces)}
      left join records stored
        on stored.catalog_id = ${catalogIdOf(catalogKey)} and stored.record_id = element.key
    where stored.row_id is null or ${storedList(catalogKey.type, form)} <> element.value`
  if (most !== null) return sql`${differing(sql`null as data`)} limit ${int(most)}`
  return sql`select id, is_active,
      iif(sum(octet_length(data)) over (rows unbounded preceding) <= ${int(MAX_PAGE_BYTES)}, data, null) as data
    from (${differing(sql`stored.data`)})`
}
