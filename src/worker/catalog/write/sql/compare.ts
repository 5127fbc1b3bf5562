import { type SQL, sql } from 'drizzle-orm'
import { DIGEST_CHARACTERS } from '#shared/text/digest'
import { type CatalogKey, catalogIdOf, catalogRow, withinCatalog } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'
import { elementsOf } from './sent-records'
import { type CatalogState, stateColumns } from './state'

/** Slots as bits, like `records.filled`. */
export const slotBits = (slots: readonly number[]): SQL =>
  sql.raw(String(slots.reduce((bits, slot) => bits + 2 ** slot, 0)))

/** Records of a sample. */
const SAMPLE_RECORDS = 500

/** A catalog as a large request needs to know it. */
export interface CatalogFacts extends CatalogState {
  total_records: number
  /** The oldest records, as a JSON list of `askedElement`s. Only a guess: a request may have none of them. */
  sample: string
}

/** @param isKnown condition: the sample is not needed */
export const catalogFacts = (catalogKey: CatalogKey, isKnown = sql`false`): SQL<CatalogFacts> =>
  sql`select ${stateColumns(catalogKey)},
    coalesce((select total_records from ${catalogRow(catalogKey)}), 0) as total_records,
    (select json_group_array(is_active || digest || record_id)
      from (select is_active, digest, record_id from records
        where ${withinCatalog(sql`row_id`, catalogKey)}
        order by row_id limit iif(${isKnown}, 0, ${int(SAMPLE_RECORDS)}))) as sample`

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
  /** That stored form; also null once previous ones have used up the bytes of the answer. */
  data: string | null
}

export interface Question {
  /** A JSON list of `askedElement`s. */
  elements: string
  /** Position of the first one. */
  first: number
}

/** The records with different digests, in any order. @param maxBytes most bytes of stored forms */
export function differingRecords(
  catalogKey: CatalogKey,
  { elements, first }: Question,
  { keptSlots, comparesActivity }: ComparedForm,
  maxBytes: number,
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
          <= ${int(maxBytes)},
      data, null) as data
    from (${differing})`
}
