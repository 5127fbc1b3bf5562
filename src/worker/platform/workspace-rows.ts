import { type SQL, sql } from 'drizzle-orm'
import { RECORD_TYPES } from '#shared/records/record-type'
import { unindexRecords } from '#worker/search/index/word-index'
import { type CatalogKey, catalogIdOf, withinCatalog } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'
import { ERASED_TABLES, WORKSPACE_TABLES, type WorkspaceTable } from '#worker/storage/placement/workspace-tables'

/** The rows of one table that belong to one catalog, to a workspace, or to neither. */
export interface Unit {
  name: string
  table: WorkspaceTable
  workspaceId: string | null
  catalog: CatalogKey | null
}

export const unitsOf = (workspaceId: string, tables: readonly WorkspaceTable[] = WORKSPACE_TABLES): Unit[] =>
  tables.flatMap((table): Unit[] =>
    table.owner === 'catalog_id' || table.name === 'catalogs'
      ? RECORD_TYPES.map((type) => {
          const catalog = { workspaceId, type }
          return { name: `${table.name}/${type}`, table, workspaceId, catalog }
        })
      : [{ name: table.name, table, workspaceId, catalog: null }],
  )

export function belongsTo({ workspaceId, catalog }: Unit, prefix = ''): SQL {
  if (workspaceId === null) return sql`true`
  return catalog === null
    ? sql`${sql.raw(prefix)}workspace_id = ${workspaceId}`
    : sql`${sql.raw(prefix)}catalog_id = ${catalogIdOf(catalog)}`
}

/** The rows of a unit, to be continued with `and`. @param from number of the first record, for a unit of records */
export function unitRows(unit: Unit, from = 0): SQL {
  const { table, catalog } = unit
  const name = sql.identifier(table.name)
  // Uses the table's own B-tree, which has the records of a catalog next to each other.
  return table.searched && catalog !== null
    ? sql`${name} not indexed where ${withinCatalog(sql`row_id`, catalog, from)}`
    : sql`${name} where ${belongsTo(unit)}`
}

/**
 * Rows of one table deleted per step: about 10 ms, which block the database.
 */
const ROWS_PER_STEP = 500

interface PurgeStep {
  rows: SQL
  statements: SQL[]
}

function unitStep(unit: Unit): PurgeStep {
  const rows = unitRows(unit)
  const order = sql.raw(unit.table.order.join(', '))
  const some = sql`select ${order} from ${rows} order by ${order} limit ${int(ROWS_PER_STEP)}`
  const deletion = sql`delete from ${sql.identifier(unit.table.name)}
    where ${belongsTo(unit)} and (${order}) in (${some})`
  return { rows, statements: unit.table.searched ? [unindexRecords(sql`row_id in (${some})`), deletion] : [deletion] }
}

/** Runs a statement that returns one row. */
interface OneRow {
  one<Row>(query: SQL<Row>): Promise<Row>
}

/** The statements of the next step that deletes rows of a workspace; null if none are left. */
export async function nextPurge(database: OneRow, workspaceId: string): Promise<SQL[] | null> {
  // Catalogs come last, because other rows are found by their IDs.
  const steps = unitsOf(workspaceId, ERASED_TABLES).reverse().map(unitStep)
  const remaining = steps.map(({ rows }) => sql`exists (select 1 from ${rows})`)
  const row = await database.one(
    sql<{ remaining: string }>`select json_array(${sql.join(remaining, sql`, `)}) as remaining`,
  )
  const flags: number[] = JSON.parse(row.remaining)
  return steps.find((_, n) => flags[n] === 1)?.statements ?? null
}
