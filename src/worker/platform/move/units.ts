import { type SQL, sql } from 'drizzle-orm'
import { RECORD_TYPES, type RecordTypeName } from '#shared/records/record-type'
import {
  type CatalogKey,
  catalogIdOf,
  firstRowId,
  numberIn,
  withinCatalog,
} from '#worker/storage/catalog-scope'
import { int } from '#worker/storage/database'
import { mayFill } from '#worker/storage/placement/fences'
import { WORKSPACE_TABLES, type WorkspaceTable } from '#worker/storage/placement/workspace-tables'
import { indexRows, unindexRows } from './search-index'

/**
 * The SQL of a copy. One database makes JSON lists of rows and the other one reads them. The Worker passes them on
 * without parsing them. In the lists a row id is its number within the catalog, and the id of the catalog is left
 * out.
 */

/** Bytes of JSON in one page; D1 takes 2,000,000 for a value, and a page has at least one row of any length. */
const PAGE_BYTES = 900_000

const PAGE_ROWS = 2000

/** The rows of one table that belong to one catalog, or to the workspace if the table has no catalogs. */
export interface Unit {
  name: string
  table: WorkspaceTable
  workspaceId: string
  /** Null if the table has no catalogs. */
  type: RecordTypeName | null
}

export const unitsOf = (workspaceId: string): Unit[] =>
  WORKSPACE_TABLES.flatMap((table): Unit[] =>
    table.owner === 'workspace_id'
      ? [{ name: table.name, table, workspaceId, type: null }]
      : RECORD_TYPES.map((type) => ({ name: `${table.name}/${type}`, table, workspaceId, type })),
  )

/** Only for tables with catalogs. */
export const scopeOf = ({ workspaceId, type }: Unit): CatalogKey => ({ workspaceId, type: type! })

const unitCatalog = (unit: Unit): SQL => catalogIdOf(scopeOf(unit))

const identifier = (name: string): SQL => sql.raw(`"${name}"`)

export const tableOf = ({ table }: Unit): SQL => identifier(table.name)

export const owned = (unit: Unit): SQL =>
  unit.type === null ? sql`workspace_id = ${unit.workspaceId}` : sql`catalog_id = ${unitCatalog(unit)}`

/** The same as a further condition of a join, for tables whose order does not identify a row. */
const ownedIn = (unit: Unit, alias: string): SQL =>
  unit.type === null ? sql.empty() : sql` and ${sql.raw(alias)}catalog_id = ${unitCatalog(unit)}`

/**
 * A moment in the life of a unit: the time of a change if rows are rewritten, a rowid if they are appended. For
 * short-lived rows a time: the rows that expire later. Null when there is no such moment.
 */
export type Mark = number | null

/** Rows of a unit: those that were added or changed after one mark and not after another. */
export interface MarkRange {
  since: Mark
  upTo: Mark
}

export const EVERYTHING: MarkRange = { since: null, upTo: null }

/** The columns of the order, each with the alias of the table if there is one. */
const unitOrder = ({ table }: Unit, alias = ''): SQL =>
  sql.join(
    table.order.map((name) => sql.raw(alias + name)),
    sql`, `,
  )

/** The position of a row in the order of its table: the values of those columns. Null comes before all rows. */
export type Position = readonly number[] | null

/** @param alias a unary plus keeps the planner from reading the rows of other tenants in that order */
const afterPosition = (unit: Unit, after: Position, alias: '' | '+'): SQL =>
  after === null
    ? sql.empty()
    : sql` and (${unitOrder(unit, alias)}) > (${sql.join(after.map(int), sql`, `)})`

/** Condition on the first column of the order, or on the time of the last change. */
const between = (column: SQL, { since, upTo }: MarkRange): SQL =>
  sql`${since === null ? sql.empty() : sql` and ${column} > ${int(since)}`}${
    upTo === null ? sql.empty() : sql` and ${column} <= ${int(upTo)}`
  }`

/** The rows of a unit after a row, with table and condition. */
export function unitRows(unit: Unit, span: MarkRange, after: Position): SQL {
  const { changes, order } = unit.table
  if (changes === 'rewritten') {
    const scope = scopeOf(unit)
    const settled = between(sql`updated_at`, span)
    return span.since === null
      ? sql`${tableOf(unit)} not indexed
          where ${withinCatalog(sql`row_id`, scope)}${afterPosition(unit, after, '')}${settled}`
      : sql`${tableOf(unit)} where ${owned(unit)} and is_active in (0, 1)${afterPosition(unit, after, '+')}${settled}`
  }
  const alias = order[0] === 'rowid' ? '+' : ''
  const rows = sql`${tableOf(unit)} where ${owned(unit)}${afterPosition(unit, after, alias)}`
  return changes === 'appended'
    ? sql`${rows}${between(sql.raw(alias + order[0]), span)}`
    : sql`${rows}${between(sql`expires_at`, span)}`
}

const copiedColumns = ({ table }: Unit) => table.columns.filter(({ name }) => name !== 'catalog_id')

const sourceValue = (unit: Unit, name: string, alias = ''): SQL => {
  const column = sql`${sql.raw(alias)}${identifier(name)}`
  return unit.table.rowIds.includes(name) ? numberIn(column) : column
}

export interface UnitPage {
  /** JSON list of rows. */
  rows: string
  n: number
  /** JSON of the position of the last row; null when there is none. */
  last: string | null
  more: 0 | 1
}

/** One row. */
export function unitPage(unit: Unit, span: MarkRange, after: Position): SQL<UnitPage> {
  const columns = copiedColumns(unit)
  const order = unitOrder(unit)
  const same = unit.table.order.map((name) => sql.raw(`t.${name} = page.${name}`))
  const sizes = columns.map(({ name }) => sql`coalesce(octet_length(json_quote(${identifier(name)})), 4) + 1`)
  const values = columns.map(({ name }) => sourceValue(unit, name, 't.'))
  const last = unit.table.order.map((name) => sql.raw(`${name} desc`))
  return sql`with sized as materialized (
      select ${order}, ${sql.join(sizes, sql` + `)} as size from ${unitRows(unit, span, after)}
      order by ${order} limit ${int(PAGE_ROWS)}),
    running as materialized (select ${order}, row_number() over (order by ${order}) as nth,
      sum(size) over (order by ${order}) as bytes from sized),
    page as materialized (select ${order} from running where bytes <= ${int(PAGE_BYTES)} or nth = 1)
    select count(*) as n, json_group_array(json(line)) as rows,
      (select json_array(${order}) from page order by ${sql.join(last, sql`, `)} limit 1) as last,
      count(*) < (select count(*) from sized) or count(*) = ${int(PAGE_ROWS)} as more
    from (select json_array(${sql.join(values, sql`, `)}) as line
      from page cross join ${tableOf(unit)} as t on ${sql.join(same, sql` and `)}${ownedIn(unit, 't.')}
      order by ${unitOrder(unit, 'page.')})`
}

/** How many rows a pass would copy, counted up to a limit. */
export const unitCount = (unit: Unit, since: Mark, limit: number): SQL<{ n: number }> =>
  sql`select count(*) as n from (select 1 from ${unitRows(unit, { since, upTo: null }, null)} limit ${int(limit)})`

/** The present mark, after which everything comes that happens from now on. */
export function unitMark(unit: Unit, now: number): SQL<{ mark: number }> {
  const { changes } = unit.table
  if (changes === 'short_lived') return sql`select ${int(now)} as mark`
  return changes === 'rewritten'
    ? sql`select coalesce((select changed_at from catalogs where catalog_id = ${unitCatalog(unit)}), -1) as mark`
    : sql`select coalesce(max(${sql.raw(unit.table.order[0])}), -1) as mark from ${tableOf(unit)} where ${owned(unit)}`
}

/** A value of a copied row in the form that its column has in the target. */
function targetValue(unit: Unit, name: string): SQL {
  if (name === 'catalog_id') return unitCatalog(unit)
  const place = copiedColumns(unit).findIndex((column) => column.name === name)
  const value = sql`(j.value ->> ${sql.raw(String(place))})`
  return unit.table.rowIds.includes(name) ? sql`(${firstRowId(unitCatalog(unit))} + ${value})` : value
}

export function insertPage(unit: Unit, rows: string): SQL[] {
  const { table, workspaceId, type } = unit
  const columns = table.columns.map(({ name }) => identifier(name))
  const values = table.columns.map(({ name }) => targetValue(unit, name))
  const fill = mayFill(workspaceId)
  // A replacement runs no triggers of deletions, so the replaced row would stay counted. Short-lived
  // rows were cleared before, so only a repeated statement finds one.
  const how = sql.raw(table.changes === 'rewritten' ? 'replace' : 'ignore')
  const statements = [
    sql`insert or ${how} into ${tableOf(unit)} (${sql.join(columns, sql`, `)})
      select ${sql.join(values, sql`, `)} from json_each(${rows}) as j where ${fill}`,
  ]
  const rowIds = sql`select ${targetValue(unit, 'row_id')} from json_each(${rows}) as j where ${fill}`
  if (type !== null) {
    statements.unshift(sql`insert into catalogs (workspace_id, type)
      select ${workspaceId}, ${type} where ${fill} on conflict do nothing`)
  }
  if (!table.searched) return statements
  return [...statements, unindexRows(rowIds), ...indexRows(unitCatalog(unit), rowIds)]
}

/** How many rows of a page are missing or different in the database. */
export function countDifferent(unit: Unit, rows: string): SQL<{ wrong: number }> {
  const { table } = unit
  const same = table.key.map((name) => sql`r.${identifier(name)} = ${targetValue(unit, name)}`)
  const differs = table.columns.map(
    ({ name }) => sql`r.${identifier(name)} is not ${targetValue(unit, name)}`,
  )
  return sql`select count(*) as wrong from json_each(${rows}) as j
    left join ${tableOf(unit)} as r on ${sql.join(same, sql` and `)}
    where ${sql.join(differs, sql` or `)}`
}

/** Deletes the short-lived rows before they are copied, for `fill`. */
export const clear = (unit: Unit): SQL =>
  sql`delete from ${tableOf(unit)} where ${owned(unit)} and ${mayFill(unit.workspaceId)}`
