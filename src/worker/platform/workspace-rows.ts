import { type SQL, sql } from 'drizzle-orm'
import { RECORD_TYPES, type RecordTypeName } from '#shared/records/record-type'
import { indexRecords, listNewWords, unindexRecords } from '#worker/search/index/word-index'
import {
  type CatalogKey,
  catalogIdOf,
  firstRowId,
  NUMBER_BITS,
  numberIn,
  withinCatalog,
} from '#worker/storage/catalog-key'
import { type Database, int } from '#worker/storage/database'
import { WORKSPACE_TABLES, type WorkspaceTable } from '#worker/storage/placement/workspace-tables'

/**
 * The search index of records that are copied or deleted. The index itself is not copied, because its entries hold
 * ids of rows and catalogs, which differ between databases. No other file of a copy knows how the index is made.
 */

const LISTS_PER_STEP = 1000

/** One row: how many of some rows of `records` have no entry in the index. */
export const countUnindexed = (rows: SQL): SQL<{ n: number }> =>
  sql`select count(*) as n from (select row_id from ${rows})
    where row_id not in (select id from records_search_docsize)`

const wordsOf = (workspaceId: string): SQL =>
  sql`search_words where catalog_id in (select catalog_id from catalogs where workspace_id = ${workspaceId})`

/** Deletes some of the words of a workspace. */
const purgeWords = (workspaceId: string): SQL =>
  sql`delete from search_words where (catalog_id, beginning) in (
    select catalog_id, beginning from ${wordsOf(workspaceId)} limit ${int(LISTS_PER_STEP)})`

const hasWords = (workspaceId: string): SQL => sql`exists (select 1 from ${wordsOf(workspaceId)})`

/**
 * The SQL of a copy. One database makes JSON lists of rows and the other one reads them. The Worker passes them on
 * without parsing them. In the lists a row id is its number within the catalog, and the id of the catalog is left
 * out, so that the lists of two equal databases are equal.
 */

/** Bytes of JSON in one page; D1 takes 2,000,000 for a value, and a page has at least one row of any length. */
const PAGE_BYTES = 900_000

const PAGE_ROWS = 2000

/**
 * The rows of one table that belong to one catalog, or to a workspace if the table has no catalogs, or all of them if
 * it has no workspaces.
 */
export interface Unit {
  name: string
  table: WorkspaceTable
  workspaceId: string | null
  catalog: CatalogKey | null
}

const catalogUnit = (table: WorkspaceTable, workspaceId: string, type: RecordTypeName): Unit => ({
  name: `${table.name}/${type}`,
  table,
  workspaceId,
  catalog: { workspaceId, type },
})

export const unitsOf = (workspaceId: string, tables: readonly WorkspaceTable[] = WORKSPACE_TABLES): Unit[] =>
  tables.flatMap((table) =>
    table.owner === 'catalog_id' || table.name === 'catalogs'
      ? RECORD_TYPES.map((type) => catalogUnit(table, workspaceId, type))
      : [{ name: table.name, table, workspaceId, catalog: null }],
  )

/** All rows of a table. */
export const wholeTable = (table: WorkspaceTable): Unit => ({
  name: table.name,
  table,
  workspaceId: null,
  catalog: null,
})

const identifiers = (names: readonly string[], prefix = ''): SQL =>
  sql.raw(names.map((name) => `${prefix}"${name}"`).join(', '))

const orderOf = ({ table }: Unit, { prefix = '', suffix = '' } = {}): SQL =>
  sql.raw(table.order.map((name) => prefix + name + suffix).join(', '))

const tableOf = ({ table }: Unit): SQL => identifiers([table.name])

/** Condition on the table: the row belongs to the unit. */
function belongsTo({ workspaceId, catalog }: Unit, prefix = ''): SQL {
  if (workspaceId === null) return sql`true`
  return catalog === null
    ? sql`${sql.raw(prefix)}workspace_id = ${workspaceId}`
    : sql`${sql.raw(prefix)}catalog_id = ${catalogIdOf(catalog)}`
}

/** The position of a row in the order of its table: the values of those columns. Null comes before all rows. */
type Position = readonly [number, ...number[]] | null

/** The rows of a unit after a position, with table and condition. */
export function unitRows(unit: Unit, after: Position = null): SQL {
  const { table, catalog } = unit
  if (table.searched && catalog !== null) {
    // By the tree of the table itself, which has the records of a catalog side by side. Its lower bound is the
    // position: with a second condition, each page would read the pages before it again.
    const from = after === null ? 0 : (after[0] % 2 ** NUMBER_BITS) + 1
    return sql`${tableOf(unit)} not indexed where ${withinCatalog(sql`row_id`, catalog, from)}`
  }
  const rows = sql`${tableOf(unit)} where ${belongsTo(unit)}`
  if (after === null) return rows
  // The plus keeps the planner from reading the rows of all workspaces in the order of rowids.
  const prefix = table.order[0] === 'rowid' ? '+' : ''
  return sql`${rows} and (${orderOf(unit, { prefix })}) > (${sql.join(after.map(int), sql`, `)})`
}

/** One row: a JSON list with 1 for each unit that has rows. */
export const unitsWithRows = (units: readonly Unit[]): SQL<{ present: string }> =>
  sql`select json_array(${sql.join(
    units.map((unit) => sql`exists (select 1 from ${unitRows(unit)})`),
    sql`, `,
  )}) as present`

const copiedColumns = ({ table }: Unit) => table.columns.filter((name) => name !== 'catalog_id')

interface UnitPage {
  /** JSON list of rows. */
  rows: string
  n: number
  /** JSON of the position of the last row; null when there is none. */
  last: string | null
  more: 0 | 1
}

/** One row. */
export function unitPage(unit: Unit, after: Position): SQL<UnitPage> {
  const { table } = unit
  const columns = copiedColumns(unit)
  const order = orderOf(unit)
  const sizes = columns.map((name) => sql`coalesce(octet_length(json_quote(${identifiers([name])})), 4) + 1`)
  const values = columns.map((name) => {
    const column = identifiers([name], 'stored.')
    return table.rowIds.includes(name) ? numberIn(column) : column
  })
  return sql`with sized as materialized (
      select ${order}, ${sql.join(sizes, sql` + `)} as size from ${unitRows(unit, after)}
      order by ${order} limit ${int(PAGE_ROWS)}),
    page as materialized (
      select ${order} from (select ${order}, row_number() over (order by ${order}) as nth,
        sum(size) over (order by ${order}) as bytes from sized)
      where bytes <= ${int(PAGE_BYTES)} or nth = 1)
    select count(*) as n, json_group_array(json(line)) as rows,
      (select json_array(${order}) from page order by ${orderOf(unit, { suffix: ' desc' })} limit 1) as last,
      count(*) < (select count(*) from sized) or count(*) = ${int(PAGE_ROWS)} as more
    from (select json_array(${sql.join(values, sql`, `)}) as line
      from page cross join ${tableOf(unit)} as stored
        on (${orderOf(unit, { prefix: 'stored.' })}) = (${orderOf(unit, { prefix: 'page.' })})
          and ${belongsTo(unit, 'stored.')}
      order by ${orderOf(unit, { prefix: 'page.' })})`
}

/** Inserts the rows of a page. Rows that are there already are the same ones, of a page that was sent before. */
export function insertPage(unit: Unit, rows: string): SQL[] {
  const { table, catalog } = unit
  const columns = copiedColumns(unit)
  const value = (name: string): SQL => {
    const sent = sql.raw(`(sent.value ->> ${columns.indexOf(name)})`)
    return catalog !== null && table.rowIds.includes(name) ? sql`(${firstRowId(catalogIdOf(catalog))} + ${sent})` : sent
  }
  const isOfCatalog = catalog !== null && table.owner === 'catalog_id'
  const owner = isOfCatalog ? [{ name: 'catalog_id', value: catalogIdOf(catalog) }] : []
  const targetColumns = [...owner, ...columns.map((name) => ({ name, value: value(name) }))]
  const into = identifiers(targetColumns.map(({ name }) => name))
  const values = targetColumns.map((column) => column.value)
  const insert = sql`insert or ignore into ${tableOf(unit)} (${into})
    select ${sql.join(values, sql`, `)} from json_each(${rows}) as sent`
  if (!table.searched || catalog === null) return [insert]
  const sent = sql`row_id in (select ${value('row_id')} from json_each(${rows}) as sent)`
  return [insert, unindexRecords(sent), indexRecords(sent), listNewWords(catalogIdOf(catalog), sent, sql`true`)]
}

function deleteSome(unit: Unit, most: number): SQL[] {
  const order = orderOf(unit)
  const some = sql`select ${order} from ${unitRows(unit)} order by ${order} limit ${int(most)}`
  const rows = sql`delete from ${tableOf(unit)} where ${belongsTo(unit)} and (${order}) in (${some})`
  return unit.table.searched ? [unindexRecords(sql`row_id in (${some})`), rows] : [rows]
}

// The deletion of a workspace.

/**
 * Rows of one table that one step deletes. It takes some ten milliseconds, during which the database answers nothing
 * else.
 */
const ROWS_PER_STEP = 500

interface PurgeStep {
  /** Condition: it has something to do. */
  remains: SQL
  statements: () => SQL[]
}

/** Catalogs come last, because their rows and words are found by them. */
function stepsOf(workspaceId: string): PurgeStep[] {
  const ofUnit = (unit: Unit): PurgeStep => ({
    remains: sql`exists (select 1 from ${unitRows(unit)})`,
    statements: () => deleteSome(unit, ROWS_PER_STEP),
  })
  const units = unitsOf(workspaceId).reverse()
  return [
    ...units.filter(({ table }) => table.name !== 'catalogs').map(ofUnit),
    { remains: hasWords(workspaceId), statements: () => [purgeWords(workspaceId)] },
    {
      remains: sql`exists (select 1 from document_removals where workspace_id = ${workspaceId})`,
      statements: () => [
        sql`delete from document_removals where rowid in (
          select rowid from document_removals where workspace_id = ${workspaceId} limit ${int(ROWS_PER_STEP)})`,
      ],
    },
    ...units.filter(({ table }) => table.name === 'catalogs').map(ofUnit),
  ]
}

/**
 * The statements of the next step that deletes rows of a workspace from a database.
 *
 * @returns null when none are left
 */
export async function nextPurge(database: Pick<Database, 'one'>, workspaceId: string): Promise<SQL[] | null> {
  const steps = stepsOf(workspaceId)
  const remaining = steps.map(({ remains }) => remains)
  const row = await database.one(
    sql<{ remaining: string }>`select json_array(${sql.join(remaining, sql`, `)}) as remaining`,
  )
  const flags: number[] = JSON.parse(row.remaining)
  return steps.find((_, n) => flags[n] === 1)?.statements() ?? null
}
