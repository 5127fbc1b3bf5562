import { type SQL, sql } from 'drizzle-orm'
import { firstRowId } from '#worker/storage/catalog-scope'
import type { Write } from './commit'
import { type Chunk, elementsOf } from './elements'

/**
 * A list may hold lists of codes, or records whose codes the database takes. Text that looks so costs a little time.
 */
const chunksThatMayHold = (codes: readonly Chunk[], element: RegExp): Chunk[] =>
  codes.filter(({ json }) => element.test(json))
const LIST = /[[,]\[/
const BY_DATABASE = /[[,]1[,\]]/

/**
 * Adds the ids and codes of the records that a write has inserted, in their order: added record by record, they take
 * a third of a first load. Triggers add those of records that change.
 *
 * @param codes lists of `SentCodes`, without those that have none
 */
export function addNewCodes({ row }: Write, codes: readonly Chunk[]): SQL[] {
  const first = sql`${firstRowId(sql.raw('catalog_id'))} + first_number`
  const start = sql`start as materialized (select catalog_id, first_number, ${first} as first from uploads where ${row} and inserted > 0)`
  const sent = (chunks: readonly Chunk[]) =>
    sql`with ${start}, sent as not materialized (select chunk.column2 + j.key as nth, j.type, j.value from ${elementsOf(chunks)})`
  const several = sql` union all select nth, item.value from sent cross join json_each(sent.value) as item
    where sent.type = 'array'`
  const add = (lists: readonly Chunk[]) =>
    // A record has the row id of its place in the request only if it is new. `records` has a column `place` too.
    sql`insert into record_codes (catalog_id, code, row_id, folding) ${sent(codes)}
      select catalog_id, code, nth + first, 0 from start cross join
        (select nth, value as code from sent where type = 'text'${lists.length > 0 ? several : sql.empty()})
      where first_number = 0 or exists (select 1 from records where row_id = nth + first)
      order by code, nth on conflict do nothing`
  const addByDatabase = (chunks: readonly Chunk[]) =>
    sql`insert into record_code_values (row_id, catalog_id, record_id, data) ${sent(chunks)}
      select row_id, catalog_id, record_id, data from record_code_values
      where row_id in (select nth + first from start cross join sent where value = 1)`
  const others = chunksThatMayHold(codes, BY_DATABASE)
  return [
    ...(codes.length > 0 ? [add(chunksThatMayHold(codes, LIST))] : []),
    ...(others.length > 0 ? [addByDatabase(others)] : []),
    // A trigger has noted that the records from the first one on have no codes.
    sql`delete from uncoded_catalogs where (catalog_id, next_row_id) in (select catalog_id, ${first} from uploads where ${row})`,
  ]
}
