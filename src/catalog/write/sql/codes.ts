import { type SQL, sql } from 'drizzle-orm'
import { firstRowId } from '#storage/catalog-scope'
import type { Write } from './commit'
import { type Chunk, elementsOf } from './elements'

/** A list may hold lists of codes, or records whose codes the database takes. Text that looks so costs a little time. */
const mayHold = (codes: readonly Chunk[], element: RegExp): Chunk[] =>
  codes.filter(({ json }) => element.test(json))
const LIST = /[[,]\[/
const BY_DATABASE = /[[,]1[,\]]/

/**
 * Adds the ids and codes of the records that a write has inserted, in their order: added record by record, they take a third
 * of a first load. Triggers add those of records that change.
 *
 * @param codes lists of `SentCodes`, without those that have none
 */
export function addNewCodes({ catalog, batch }: Write, codes: readonly Chunk[]): SQL[] {
  const firstNumber = sql`(select first_number from batches where ${batch})`
  const first = sql`${firstRowId(catalog)} + ${firstNumber}`
  // A trigger has noted that the records from the first one on have no codes.
  const settle = sql`delete from uncoded_catalogs where catalog_id = ${catalog} and next_row_id = ${first}`
  if (codes.length === 0) return [settle]
  const [lists, others] = [mayHold(codes, LIST), mayHold(codes, BY_DATABASE)]
  const place = sql.raw('chunk.column2 + j.key')
  const alone = sql`select ${place} as place, j.value as code from ${elementsOf(codes)} where j.type = 'text'`
  const several = sql` union all select ${place}, item.value from ${elementsOf(lists)} cross join json_each(j.value) as item
    where j.type = 'array'`
  // A record has the row id of its place only if it is new.
  const isNew = sql`(${firstNumber} = 0 or exists (select 1 from records where row_id = place + ${first}))`
  const byDatabase = sql`insert into record_code_values (row_id, catalog_id, record_id, data)
    select row_id, catalog_id, record_id, data from records
    where row_id in (select ${place} + ${first} from ${elementsOf(others)} where j.value = 1)`
  return [
    sql`insert into record_codes (catalog_id, code, row_id, folding)
      select ${catalog}, code, place + ${first}, 0 from (${alone}${lists.length > 0 ? several : sql.empty()})
      where ${isNew} order by code, place on conflict do nothing`,
    ...(others.length > 0 ? [byDatabase] : []),
    settle,
  ]
}
