/**
 * The SQL of a copy, for a move and a backup. One database creates JSON lists of rows and the other one reads them,
 * without parsing in between. In the lists, a row ID is its number within the catalog, and the catalog ID is omitted,
 * so that the lists of two equal databases are equal. The search index is not copied, because its entries contain row
 * and catalog IDs, which differ between databases.
 */
import { type SQL, sql } from 'drizzle-orm'
import { belongsTo, type Unit, unitRows } from '#worker/platform/workspace-rows'
import { indexRecords, listNewWords, unindexRecords } from '#worker/search/index/word-index'
import { catalogIdOf, firstRowId, NUMBER_BITS, numberIn } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'

/** The position of a row in the order of its table. Null precedes all rows. */
export type Position = readonly [number, ...number[]] | null

/**
 * Bytes of JSON in one page. D1 accepts values of 2,000,000 bytes. A page has at least one row, whatever its length.
 */
const PAGE_BYTES = 900_000

const PAGE_ROWS = 2000

const identifiers = (names: readonly string[], prefix = ''): SQL =>
  sql.raw(names.map((name) => `${prefix}"${name}"`).join(', '))

const orderOf = ({ table }: Unit, { prefix = '', suffix = '' } = {}): SQL =>
  sql.raw(table.order.map((name) => prefix + name + suffix).join(', '))

const copiedColumns = ({ table }: Unit): string[] => table.columns.filter((name) => name !== 'catalog_id')

/** One row, `n`: the number of a unit's records without an entry in the search index. */
export const countUnindexed = (unit: Unit): SQL<{ n: number }> =>
  sql`select count(*) as n from (select row_id from ${unitRows(unit)})
    where row_id not in (select id from records_search_docsize)`

/** One row, `present`: a JSON list with 1 for each unit that has rows. */
export const unitsWithRows = (units: readonly Unit[]): SQL<{ present: string }> =>
  sql`select json_array(${sql.join(
    units.map((unit) => sql`exists (select 1 from ${unitRows(unit)})`),
    sql`, `,
  )}) as present`

/** The rows of a unit after a position. */
function rowsAfter(unit: Unit, after: Position): SQL {
  if (after === null) return unitRows(unit)
  // A lower bound of row IDs: with a second condition instead, each page would read all previous pages again.
  if (unit.table.searched && unit.catalog !== null) return unitRows(unit, (after[0] % 2 ** NUMBER_BITS) + 1)
  // Unary + disables the rowid index, so SQLite filters by workspace first.
  const prefix = unit.table.order[0] === 'rowid' ? '+' : ''
  return sql`${unitRows(unit)} and (${orderOf(unit, { prefix })}) > (${sql.join(after.map(int), sql`, `)})`
}

export interface Page {
  /** A JSON list of `n` rows. */
  rows: string
  n: number
  /** JSON of the position of the last row; null if there is none. */
  last: string | null
  /** Whether there may be more rows. */
  more: 0 | 1
}

/** The page of rows after a position. */
export function unitPage(unit: Unit, after: Position): SQL<Page> {
  const { table } = unit
  const columns = copiedColumns(unit)
  const order = orderOf(unit)
  const sizes = columns.map((name) => sql`coalesce(octet_length(json_quote(${identifiers([name])})), 4) + 1`)
  const values = columns.map((name) => {
    const column = identifiers([name], 'stored.')
    return table.rowIds.includes(name) ? numberIn(column) : column
  })
  return sql`with sized as materialized (
      select ${order}, ${sql.join(sizes, sql` + `)} as size from ${rowsAfter(unit, after)}
      order by ${order} limit ${int(PAGE_ROWS)}),
    page as materialized (
      select ${order} from (select ${order}, row_number() over (order by ${order}) as nth,
        sum(size) over (order by ${order}) as bytes from sized)
      where bytes <= ${int(PAGE_BYTES)} or nth = 1)
    select count(*) as n, json_group_array(json(line)) as rows,
      (select json_array(${order}) from page order by ${orderOf(unit, { suffix: ' desc' })} limit 1) as last,
      count(*) < (select count(*) from sized) or count(*) = ${int(PAGE_ROWS)} as more
    from (select json_array(${sql.join(values, sql`, `)}) as line
      from page cross join ${identifiers([table.name])} as stored
        on (${orderOf(unit, { prefix: 'stored.' })}) = (${orderOf(unit, { prefix: 'page.' })})
          and ${belongsTo(unit, 'stored.')}
      order by ${orderOf(unit, { prefix: 'page.' })})`
}

/**
 * Inserts the rows of a page. Existing rows are equal, because they come from an earlier attempt.
 *
 * @param rows of `unitPage`
 */
export function insertPage(unit: Unit, rows: string): [SQL, ...SQL[]] {
  const { table, catalog } = unit
  const columns = copiedColumns(unit)
  const value = (name: string): SQL => {
    const sent = sql.raw(`(sent.value ->> ${columns.indexOf(name)})`)
    return catalog !== null && table.rowIds.includes(name) ? sql`(${firstRowId(catalogIdOf(catalog))} + ${sent})` : sent
  }
  const owner =
    catalog !== null && table.owner === 'catalog_id' ? [{ name: 'catalog_id', value: catalogIdOf(catalog) }] : []
  const targets = [...owner, ...columns.map((name) => ({ name, value: value(name) }))]
  const insert = sql`insert or ignore into ${identifiers([table.name])} (${identifiers(targets.map(({ name }) => name))})
    select ${sql.join(
      targets.map((target) => target.value),
      sql`, `,
    )} from json_each(${rows}) as sent`
  if (!table.searched || catalog === null) return [insert]
  const sent = sql`row_id in (select ${value('row_id')} from json_each(${rows}) as sent)`
  return [insert, unindexRecords(sent), indexRecords(sent), listNewWords(catalogIdOf(catalog), sent, sql`true`)]
}
