import { type SQL, sql } from 'drizzle-orm'
import type { FieldError } from '#shared/errors/errors'
import { isJsonObject } from '#shared/json/exact-numbers'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import type { RecordSource, SourceRecord } from '#shared/records/source'
import { hasSlot, storedValues } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import { returnedBytes, withinPageBytes } from '#worker/catalog/read/sql/page'
import { type CatalogFacts, type ComparedForm, slotBits } from '#worker/catalog/write/sql/compare'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'

/** Missing fields that keep their stored values (docs/contract.md#keeping-existing-values). */

/** Records per lookup: 400,000 need 80 of the 1,000 queries of an invocation. */
export const LOOKED_UP_RECORDS = 5000

/** The source without errors about missing fields that may be stored. Errors about the ID stay: lookups need it. */
export function withoutMissing(source: RecordSource, { idField }: RecordType): RecordSource {
  const hasNoColumn = ({ code, field }: FieldError) => code === 'required' && field !== idField
  const stored = source.errors.filter(hasNoColumn).map(({ field }) => field)
  return {
    ...source,
    errors: source.errors.filter((error) => !hasNoColumn(error)),
    unreadFields: new Set([...source.unreadFields].filter((field) => !stored.includes(field))),
  }
}

/** Which stored values a request keeps, and how its records are compared with the stored ones. */
interface StoredUse {
  /** Whether records cannot be completed without stored values. */
  needsStored: boolean
  /** Whether a missing `is_active` keeps its stored value. */
  keepsActivity: boolean
  /** Null for JSON records that keep values: each may send different fields, so all records are looked up. */
  form: ComparedForm | null
  /** Fields without a column that some record uses. */
  keptFields: ReadonlySet<string>
  /** Slots without a column that no record uses. */
  unusedSlots: readonly number[]
}

/**
 * A CSV file shows by its columns which fields it sends, a JSON record by its properties.
 *
 * @param facts of the catalog; without them, each field counts as used
 */
export function storedUseOf(
  type: RecordType,
  source: RecordSource,
  { mode, keepsMissing }: { mode: 'upsert' | 'reconcile'; keepsMissing: boolean | undefined },
  facts: CatalogFacts | undefined,
): StoredUse {
  const { columns } = source
  const keepsActivity = keepsMissing === true && mode === 'upsert'
  if (columns === undefined) {
    const form = keepsMissing ? null : { keptSlots: [], comparesActivity: true }
    return { needsStored: keepsMissing === true, keepsActivity, form, keptFields: new Set(), unusedSlots: [] }
  }
  const missing = keepsMissing === false ? [] : type.storedFields.filter(({ name }) => !columns.has(name))
  const isUsed = ({ slot }: { slot: number }) => facts === undefined || hasSlot(facts.used_slots, slot)
  const keptFields = missing.filter(isUsed)
  const comparesActivity = !keepsActivity || columns.has('is_active')
  return {
    needsStored: keptFields.length > 0 || !comparesActivity,
    keepsActivity,
    form: { keptSlots: missing.map(({ slot }) => slot), comparesActivity },
    keptFields: new Set(keptFields.map(({ name }) => name)),
    unusedSlots: missing.filter((field) => !isUsed(field)).map(({ slot }) => slot),
  }
}

/**
 * Fills in the stored values of missing fields.
 *
 * @param columns see `RecordSource`
 * @param kept the slots that all records keep (none if each record decides), and whether they keep `is_active`
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

/** The ID of a record; if it has none, an empty text, which no stored record has as its ID. */
const idIn = (record: unknown, idField: string): string => {
  const id = isJsonObject(record) ? record[idField] : undefined
  return typeof id === 'string' ? id : ''
}

/** @param columns the fields with columns in the file; a JSON record shows by itself which fields it sends */
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
  /** Position of its ID in the lookup. */
  position: number
  id: string
  is_active: 0 | 1
  data: string
  /** Number of stored records found by the lookup. */
  key_count: number
}

/**
 * Looks up stored records, except those without anything to keep.
 *
 * @returns also the number of IDs looked up, because a page may end early
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

/** Stored records in the order of the list of IDs, up to `MAX_PAGE_BYTES`. */
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
