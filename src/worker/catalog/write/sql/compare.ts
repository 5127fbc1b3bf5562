import { type SQL, sql } from 'drizzle-orm'
import { MAX_PAGE_BYTES } from '#shared/limits'
import { DIGEST_CHARACTERS } from '#shared/text/digest'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'
import { elementsOf } from './sent-records'

/** How to compare stored records. */
export interface ComparedForm {
  /** Slots that keep their stored values and are not compared. */
  keptSlots: readonly number[]
  comparesActivity: boolean
}

/** Slots as bits, like `records.filled`. */
export const slotBits = (slots: readonly number[]): SQL =>
  sql.raw(String(slots.reduce((bits, slot) => bits + 2 ** slot, 0)))

/** An element of the question whether a record is stored as sent. @param digest digest of the sent form */
export const askedElement = (id: string, isActive: boolean, digest: string): string =>
  JSON.stringify((isActive ? '1' : '0') + digest + id)

const ACTIVITY_AND_DIGEST = sql.raw(`substr(element.value, 1, ${1 + DIGEST_CHARACTERS})`)
const DIGEST = sql.raw(`substr(element.value, 2, ${DIGEST_CHARACTERS})`)
const ID = sql.raw(`substr(element.value, ${2 + DIGEST_CHARACTERS})`)

/** A record that is not stored as sent, or whose digest does not show it. */
export interface DifferingRow {
  position: number
  /** Null if there is no record with this ID. */
  is_active: 0 | 1 | null
  /** Whether only the stored form shows a difference, because the record keeps values or has no digest. */
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
      stored.row_id is not null and (stored.digest is null or stored.filled & ${slotBits(keptSlots)} <> 0) as is_unknown
    from ${elementsOf([elements])}
      left join records stored on stored.catalog_id = ${catalogIdOf(catalogKey)} and stored.record_id = ${ID}
    where not (${isSame})`
  return sql`select position, is_active, is_unknown, iif(is_unknown and
        sum(iif(is_unknown, octet_length(data), 0)) over (rows unbounded preceding)
          <= ${int(MAX_PAGE_BYTES)},
      data, null) as data
    from (${differing})`
}
