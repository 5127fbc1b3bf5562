import { type SQL, sql } from 'drizzle-orm'
import type { FieldError } from '#shared/errors/errors'
import { isJsonObject } from '#shared/json/exact-numbers'
import type { RawRecord } from '#shared/records/record-type'
import type { RecordSource, SourceRecord } from '#shared/records/source'
import { storedValues } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import { returnedBytes, withinPageBytes } from '#worker/catalog/read/sql/page'
import {
  asExpectedState,
  type CatalogState,
  type ExpectedState,
  requireState,
  stateStatement,
} from '#worker/catalog/write/sql/state'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'

/** Records of a request that are looked up at a time: 400,000 take 400 of the 1,000 queries of one invocation. */
export const LOOKED_UP_RECORDS = 1000

/**
 * Gives records the stored values that they do not send (docs/contract.md#kept-fields), which are read while the
 * records are checked, some at a time, because of their memory.
 */
export class KeptFields {
  readonly #catalog: Catalog
  readonly #isEmpty: boolean
  /** The state in which the reading began. A write must expect it, so that all that was read is of that state. */
  readonly expected: ExpectedState

  constructor(catalog: Catalog, state: CatalogState) {
    this.#catalog = catalog
    this.#isEmpty = state.revision === 0
    this.expected = asExpectedState(state)
  }

  /** @throws ApiError 409 when the catalog is in another state than the request expects */
  static async begin(catalog: Catalog, expected: ExpectedState): Promise<KeptFields> {
    const state = await catalog.db.one(stateStatement(catalog.catalogKey))
    requireState(state, expected)
    return new KeptFields(catalog, state)
  }

  /** The source without errors about fields that may be stored. */
  withoutMissing(source: RecordSource): RecordSource {
    // Not the id: without it nothing can be looked up.
    const hasNoColumn = ({ code, field }: FieldError) => code === 'required' && field !== this.#catalog.type.idField
    const stored = source.errors.filter(hasNoColumn).map(({ field }) => field)
    return {
      ...source,
      errors: source.errors.filter((error) => !hasNoColumn(error)),
      unreadFields: new Set([...source.unreadFields].filter((field) => !stored.includes(field))),
    }
  }

  /** @param columns see `RecordSource` @param records at most `LOOKED_UP_RECORDS` */
  async complete(records: readonly SourceRecord[], columns: RecordSource['columns']): Promise<void> {
    if (this.#isEmpty) return
    const { db, catalogKey, type } = this.#catalog
    for (let start = 0; start < records.length; ) {
      const ids = records.slice(start).map(({ record }) => idIn(record, type.idField))
      const rows = await db.all(keptRows(catalogKey, ids))
      const storedById = new Map(rows.map(({ id, data }) => [id, storedValues(type, data)]))
      const count = countCovered(rows, ids.length)
      for (const { record } of records.slice(start, start + count)) {
        const values = storedById.get(idIn(record, type.idField))
        if (values !== undefined && isJsonObject(record)) fillMissing(record, values, columns)
      }
      start += count
    }
  }
}

/** The id of a record; if it has none, the empty text, which is the id of no stored record. */
const idIn = (record: unknown, idField: string): string => {
  const id = isJsonObject(record) ? record[idField] : undefined
  return typeof id === 'string' ? id : ''
}

/** Records for which the rows are complete: a page of the database ends early. */
const countCovered = (rows: readonly KeptRow[], requestedCount: number): number => {
  const last = rows.at(-1)
  return last === undefined || rows.length === last.key_count ? requestedCount : last.position + 1
}

/** @param columns the fields that a file has columns for; a JSON record itself says what it sends */
function fillMissing(record: RawRecord, stored: RawRecord, columns: ReadonlySet<string> | undefined): void {
  for (const [field, value] of Object.entries(stored)) {
    const isSent = columns === undefined ? record[field] !== undefined : columns.has(field)
    if (!isSent) record[field] = value
  }
}

interface KeptRow {
  /** Position of its id among those that were asked for. */
  position: number
  id: string
  data: string
  /** Number of the stored records among those that were asked for. */
  key_count: number
}

/** What is stored of some records, in the order of their ids in the list, up to `MAX_PAGE_BYTES`. */
function keptRows(catalogKey: CatalogKey, ids: readonly string[]): SQL<KeptRow> {
  const keys = sql`select id.key as position, row_id, ${returnedBytes} as bytes
    from json_each(${JSON.stringify(ids)}) as id
      cross join records on catalog_id = ${catalogIdOf(catalogKey)} and record_id = id.value`
  return sql`select portion.position, record_id as id, data, portion.key_count
    from (${withinPageBytes(keys, sql`position`)}) as portion cross join records using (row_id)
    order by portion.position`
}
