import { type SQL, sql } from 'drizzle-orm'
import { EXPORT_PAGE_ROWS } from '#shared/limits'
import { BYTE_ORDER_MARK, csvHeader, csvLine } from '#shared/records/csv/write'
import { type RecordRow, returnedForm } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import { returnedBytes, withinPageBytes } from '#worker/catalog/read/sql/page'
import { sortedNumbers } from '#worker/catalog/read/sql/scan'
import { textInSteps } from '#worker/http/steps'
import { type CatalogKey, catalogIdOf, firstRowId, numberColumn, withinCatalog } from '#worker/storage/catalog-key'
import { int, type WithSlot } from '#worker/storage/database'
import { isMatch, type ListFilter } from './filter'

type NumberedRow = RecordRow & { number: number }

const EXPORTED_COLUMNS = sql`${numberColumn} as number, record_id, is_active, written_at, data`

/** Work (`Work`) per record, in addition to its text. */
const RECORD_UNITS = 100

interface Export extends Catalog {
  filter: ListFilter
  /** Conditions on values of fields; see `fieldConditions`. */
  conditions: SQL
}

/** The CSV file in portions. A record that changes in the meantime keeps its place, so it appears exactly once. */
export async function* exportCsv(request: Export, withSlot: WithSlot, safe: boolean): AsyncGenerator<string> {
  const { type, filter } = request
  yield BYTE_ORDER_MARK + csvHeader(type)
  const portions = filter.sort === undefined ? inWrittenOrder(request, withSlot) : inSortOrder(request, withSlot)
  yield* textInSteps(portions, RECORD_UNITS, (row) => csvLine(type, returnedForm(type, row), safe))
}

/** Rows in the order in which records were first written, which changes do not affect. */
async function* inWrittenOrder(
  { db, catalogKey, filter, conditions }: Export,
  withSlot: WithSlot,
): AsyncGenerator<NumberedRow[]> {
  const condition = sql`${isMatch(catalogKey, filter)}${conditions}`
  let after = -1
  for (;;) {
    const portion = sql<NumberedRow>`select ${EXPORTED_COLUMNS} from records where row_id in (
        select row_id from (${withinPageBytes(
          sql`select row_id, ${returnedBytes} as bytes from records not indexed
            where ${withinCatalog(sql`row_id`, catalogKey, after + 1)} and ${condition}
            order by row_id limit ${int(EXPORT_PAGE_ROWS)}`,
          sql`row_id`,
        )}))
      order by row_id`
    const rows = await withSlot(() => db.all(portion))
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last.number
  }
}

/** Rows in the requested order, as of the start of the export. */
async function* inSortOrder(
  { db, catalogKey, filter, conditions }: Export,
  withSlot: WithSlot,
): AsyncGenerator<NumberedRow[]> {
  const portions = await withSlot(() => db.all(sortedNumbers(catalogKey, filter, conditions)))
  for (const { numbers } of portions) {
    let rest = numbers.split(',')
    while (rest.length > 0) {
      const rows = await withSlot(() => db.all(numberedRows(catalogKey, rest)))
      if (rows.length === 0) break
      yield rows
      rest = rest.slice(rows.length)
    }
  }
}

/** The first records of a list, in its order, up to `MAX_PAGE_BYTES`. */
function numberedRows(catalogKey: CatalogKey, numbers: readonly string[]): SQL<NumberedRow> {
  const catalog = catalogIdOf(catalogKey)
  const keys = sql`select number.key as n, row_id, ${returnedBytes} as bytes
    from json_each(${`[${numbers.join(',')}]`}) as number
      cross join records on row_id = ${firstRowId(catalog)} + number.value and catalog_id = ${catalog}`
  return sql`select ${EXPORTED_COLUMNS} from (${withinPageBytes(keys, sql`n`)}) as portion
    cross join records using (row_id) order by portion.n`
}
