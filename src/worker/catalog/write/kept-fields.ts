import { type SQL, sql } from 'drizzle-orm'
import type { FieldError } from '#shared/errors/errors'
import { isJsonObject } from '#shared/json/exact-numbers'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import type { RecordSource, SourceRecord } from '#shared/records/source'
import { storedValues } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import { returnedBytes, withinPageBytes } from '#worker/catalog/read/sql/page'
import { slotBits } from '#worker/catalog/write/sql/compare'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'

/** Fields that a request does not send and that keep their stored values (docs/contract.md#keeping-existing-values). */

/** Records of a request that are looked up at a time: 400,000 take 80 of the 1,000 queries of one invocation. */
export const LOOKED_UP_RECORDS = 5000

/** The source without errors about fields that may be stored: not about the id, by which they are looked up. */
export function withoutMissing(source: RecordSource, { idField }: RecordType): RecordSource {
  const hasNoColumn = ({ code, field }: FieldError) => code === 'required' && field !== idField
  const stored = source.errors.filter(hasNoColumn).map(({ field }) => field)
  return {
    ...source,
    errors: source.errors.filter((error) => !hasNoColumn(error)),
    unreadFields: new Set([...source.unreadFields].filter((field) => !stored.includes(field))),
  }
}

/**
 * Gives records the stored values that they do not send.
 *
 * @param columns see `RecordSource`
 * @param kept the slots that all of them keep, none if each record says it; whether `is_active` is kept, too
 */
export async function fillFromStored(
  catalog: Catalog,
  records: readonly SourceRecord[],
  columns: RecordSource['columns'],
  kept: KeptSlots,
): Promise<void> {
  const { type } = catalog
  for (let start = 0; start < records.length; ) {
    const ids = records.slice(start).map(({ record }) => idIn(record, type.idField))
    const { rows, covered } = await readStored(catalog, ids, kept)
    const storedById = new Map(rows.map((row) => [row.id, row]))
    for (const { record } of records.slice(start, start + covered)) {
      const row = storedById.get(idIn(record, type.idField))
      if (row === undefined || !isJsonObject(record)) continue
      const stored = storedValues(type, row.data)
      if (kept.keepsActivity) stored.is_active = row.is_active === 1
      fillMissing(record, stored, columns)
    }
    start += covered
  }
}

/** The id of a record; if it has none, the empty text, which is the id of no stored record. */
const idIn = (record: unknown, idField: string): string => {
  const id = isJsonObject(record) ? record[idField] : undefined
  return typeof id === 'string' ? id : ''
}

/** @param columns the fields that a file has columns for; a JSON record itself says what it sends */
function fillMissing(record: RawRecord, stored: RawRecord, columns: ReadonlySet<string> | undefined): void {
  for (const [field, value] of Object.entries(stored)) {
    const isSent = columns === undefined ? record[field] !== undefined : columns.has(field)
    if (!isSent) record[field] = value
  }
}

interface KeptSlots {
  slots: readonly number[]
  keepsActivity: boolean
}

interface StoredRow {
  /** Position of its id among those that were asked for. */
  position: number
  id: string
  is_active: 0 | 1
  data: string
  /** Number of the stored records among those that were asked for. */
  key_count: number
}

/**
 * What is stored of some records, without those that have nothing to keep.
 *
 * @returns also for how many of the ids: a page of the database ends early
 */
export async function readStored(
  { db, catalogKey }: Catalog,
  ids: readonly string[],
  kept: KeptSlots,
): Promise<{ rows: StoredRow[]; covered: number }> {
  const rows = await db.all(storedRows(catalogKey, ids, kept))
  const last = rows.at(-1)
  return { rows, covered: last === undefined || rows.length === last.key_count ? ids.length : last.position + 1 }
}

/** What is stored of some records, in the order of their ids in the list, up to `MAX_PAGE_BYTES`. */
function storedRows(
  catalogKey: CatalogKey,
  ids: readonly string[],
  { slots, keepsActivity }: KeptSlots,
): SQL<StoredRow> {
  const hasKept = slots.length > 0 && !keepsActivity ? sql`and filled & ${slotBits(slots)}` : sql.empty()
  const keys = sql`select id.key as position, row_id, ${returnedBytes} as bytes
    from json_each(${JSON.stringify(ids)}) as id
      cross join records on catalog_id = ${catalogIdOf(catalogKey)} and record_id = id.value ${hasKept}`
  return sql`select portion.position, record_id as id, is_active, data, portion.key_count
    from (${withinPageBytes(keys, sql`position`)}) as portion cross join records using (row_id)
    order by portion.position`
}
