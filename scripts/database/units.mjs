/**
 * Rows that are read in pages, each by its key, for a move and a backup. No page makes anybody wait for longer than a
 * list of the service does.
 */
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { unitsOf } from '#worker/platform/workspace-rows'
import { CONTROL_TABLES, WORKSPACE_TABLES } from '#worker/storage/placement/workspace-tables'
import { unitPage, unitsWithRows } from './copy-sql.mjs'

/**
 * @typedef {import('#worker/platform/workspace-rows').Unit} Unit
 * @typedef {(sql: string, params: unknown[]) => Promise<Record<string, any>[]>} Run runs one statement
 */

/** The tables of a backup. */
export const TABLES_OF_BACKUP = [...CONTROL_TABLES, ...WORKSPACE_TABLES].map(({ name }) => name)

/** Rows that are digested together. */
const ROWS_OF_DIGEST = 1000

const dialect = new SQLiteSyncDialect()

/** @param {Run} run @param {import('drizzle-orm').SQL} statement */
export function runStatement(run, statement) {
  const { sql, params } = dialect.sqlToQuery(statement)
  return run(sql, params)
}

/** @param {Run} run @param {Unit} unit */
export async function* pagesOf(run, unit) {
  for (let after = null, more = 1; more === 1; ) {
    const [page] = await runStatement(run, unitPage(unit, after))
    if (page.n > 0) yield page
    after = page.last === null ? null : JSON.parse(page.last)
    more = page.more
  }
}

async function sha256(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * The digest of the rows of a unit, wherever its pages end: row ids can be longer in another database.
 *
 * @param {Run} run @param {Unit} unit
 */
export async function digestOf(run, unit) {
  let digest = ''
  let count = 0
  let rows = []
  for await (const page of pagesOf(run, unit)) {
    count += page.n
    rows.push(...JSON.parse(page.rows))
    for (; rows.length >= ROWS_OF_DIGEST; rows = rows.slice(ROWS_OF_DIGEST))
      digest = await sha256(digest + JSON.stringify(rows.slice(0, ROWS_OF_DIGEST)))
  }
  return { rows: count, digest: await sha256(digest + JSON.stringify(rows)) }
}

/** @param {Run} run @param {Unit[]} units @returns {Promise<Unit[]>} those that have rows */
export async function withRows(run, units) {
  const [{ present }] = await runStatement(run, unitsWithRows(units))
  const flags = JSON.parse(present)
  return units.filter((_, index) => flags[index] === 1)
}

// By name, because D1 refuses to describe tables of its own.
const COLUMNS = `SELECT tables.value AS name, json_group_array(columns.name) AS columns
  FROM json_each(?1) AS tables JOIN pragma_table_info(tables.value) AS columns GROUP BY tables.value`

/**
 * The units of a database, without what it does not have because it lacks migrations of this release.
 *
 * @param {Run} run
 */
export async function unitsIn(run) {
  const described = await run(COLUMNS, [JSON.stringify(TABLES_OF_BACKUP)])
  const columns = new Map(described.map((row) => [row.name, JSON.parse(row.columns)]))
  const present = (tables) =>
    tables
      .filter(({ name }) => columns.has(name))
      .map((table) => ({ ...table, columns: table.columns.filter((name) => columns.get(table.name).includes(name)) }))
  const ofWorkspaces = present(WORKSPACE_TABLES)
  return {
    /** Of the control database. */
    control: present(CONTROL_TABLES).map((table) => ({ name: table.name, table, workspaceId: null, catalog: null })),
    of: (workspaceId) => unitsOf(workspaceId, ofWorkspaces),
  }
}

/** Each workspace that is not erased, and its database: `[workspace_id, database_binding]`. */
export const PLACES = `SELECT workspace_id, database_binding FROM workspaces WHERE state NOT IN ('erasing', 'erased')
  ORDER BY workspace_id`

/**
 * The workspaces of a database.
 *
 * @param {import('./sqlite.mjs').Sqlite} control a copy of the control database
 * @returns {string[]}
 */
export const workspacesIn = ({ read }, binding) =>
  read(PLACES).flatMap(([workspaceId, database]) => (database === binding ? [workspaceId] : []))
