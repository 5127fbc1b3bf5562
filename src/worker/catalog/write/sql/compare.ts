import { type SQL, sql } from 'drizzle-orm'
import { MAX_PAGE_BYTES } from '#shared/limits'
import { DIGEST_CHARACTERS } from '#shared/text/digest'
import { type CatalogKey, catalogIdOf, catalogRow, withinCatalog } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'
import { elementsOf } from './sent-records'
import { type CatalogState, stateColumns } from './state'

/** Slots as bits, like `records.filled`. */
export const slotBits = (slots: readonly number[]): SQL =>
  sql.raw(String(slots.reduce((bits, slot) => bits + 2 ** slot, 0)))

/** Most records of a catalog that show whether a request changes most of it. */
const SAMPLE_RECORDS = 500

/** A catalog before a large request is compared with it. */
export interface CatalogBefore extends CatalogState {
  total_records: number
  /** Slots that have a value in any record, or had one, as bits. */
  filled: number
  /** The oldest records, as a JSON list of `askedElement`s. */
  sample: string
}

/** @param unless condition: the sample is not needed */
export const catalogBefore = (catalogKey: CatalogKey, unless = sql`false`): SQL<CatalogBefore> =>
  sql`select ${stateColumns(catalogKey)},
    coalesce((select total_records from ${catalogRow(catalogKey)}), 0) as total_records,
    coalesce((select filled from ${catalogRow(catalogKey)}), 0) as filled,
    (select json_group_array(is_active || digest || record_id)
      from (select is_active, digest, record_id from records
        where ${withinCatalog(sql`row_id`, catalogKey)} and not (${unless})
        order by row_id limit ${int(SAMPLE_RECORDS)})) as sample`

/** How to compare stored records. */
export interface ComparedForm {
  /** Slots that keep their stored values and are not compared. */
  keptSlots: readonly number[]
  comparesActivity: boolean
}

/** An element of the question whether a record is stored as sent. @param digest digest of the sent form */
export const askedElement = (id: string, isActive: boolean, digest: string): string =>
  (isActive ? '1' : '0') + digest + id

const ACTIVITY_AND_DIGEST = sql.raw(`substr(element.value, 1, ${1 + DIGEST_CHARACTERS})`)
const DIGEST = sql.raw(`substr(element.value, 2, ${DIGEST_CHARACTERS})`)
const ID = sql.raw(`substr(element.value, ${2 + DIGEST_CHARACTERS})`)

/** The ID in an `askedElement`. */
export const askedId = (element: string): string => element.slice(1 + DIGEST_CHARACTERS)

/** A record that is not stored as sent, or whose digest does not show it. */
export interface DifferingRow {
  position: number
  /** Null if there is no record with this ID. */
  is_active: 0 | 1 | null
  /** Whether only the stored form shows a difference, because the record keeps values. */
  is_unknown: 0 | 1
  /** That stored form; also null once previous ones have used up `MAX_PAGE_BYTES`. */
  data: string | null
}

/**
 * The records with different digests, in any order.
 *
 * @param elements a JSON list of `askedElement`s
 * @param first position of the first element
 */
export function differingRecords(
  catalogKey: CatalogKey,
  elements: string,
  first: number,
  { keptSlots, comparesActivity }: ComparedForm,
): SQL<DifferingRow> {
  const isSame = comparesActivity
    ? sql`stored.is_active || stored.digest is ${ACTIVITY_AND_DIGEST}`
    : sql`stored.digest is ${DIGEST}`
  const differing = sql`select element.key + ${int(first)} as position, stored.is_active, stored.data,
      stored.row_id is not null and stored.filled & ${slotBits(keptSlots)} <> 0 as is_unknown
    from ${elementsOf([elements])}
      left join records stored on stored.catalog_id = ${catalogIdOf(catalogKey)} and stored.record_id = ${ID}
    where not (${isSame})`
  return sql`select position, is_active, is_unknown, iif(is_unknown and
        sum(iif(is_unknown, octet_length(data), 0)) over (rows unbounded preceding)
          <= ${int(MAX_PAGE_BYTES)},
      data, null) as data
    from (${differing})`
}
