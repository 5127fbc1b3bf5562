/**
 * Rows that a move or a backup reads in pages, by key. No page blocks the database for longer than one of the service's
 * lists.
 */
import type { SQL } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { type Unit, unitsOf } from '#worker/platform/workspace-rows'
import { firstOf } from '#worker/storage/database'
import { CONTROL_TABLES, WORKSPACE_TABLES, type WorkspaceTable } from '#worker/storage/placement/workspace-tables'
import { type Page, type Position, unitPage, unitsWithRows } from './copy-sql.ts'

export type { Unit }

/** Runs one statement. */
export type Run = (sql: string, params: unknown[]) => Promise<Record<string, unknown>[]>

/** The tables of a backup. */
export const TABLES_OF_BACKUP = [...CONTROL_TABLES, ...WORKSPACE_TABLES].map(({ name }) => name)

/** Rows that share a digest. */
const ROWS_OF_DIGEST = 1000

const dialect = new SQLiteSyncDialect()

/** Runs a statement. @returns rows of the type argument */
export function runStatement<Row>(run: Run, statement: SQL<Row>): Promise<Row[]> {
  const { sql, params } = dialect.sqlToQuery(statement)
  return run(sql, params) as Promise<Row[]>
}

/** Runs a statement that returns one row. */
export const oneRow = async <Row>(run: Run, statement: SQL<Row>): Promise<Row> =>
  firstOf(await runStatement(run, statement))

export async function* pagesOf(run: Run, unit: Unit): AsyncGenerator<Page> {
  let after: Position = null
  for (let more = 1; more === 1; ) {
    const page: Page = await oneRow(run, unitPage(unit, after))
    if (page.n > 0) yield page
    after = page.last === null ? null : JSON.parse(page.last)
    more = page.more
  }
}

async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export interface Digest {
  rows: number
  digest: string
}

/** The digest of the rows of a unit. Independent of page boundaries: row IDs can be longer in another database. */
export async function digestOf(run: Run, unit: Unit): Promise<Digest> {
  let digest = ''
  let count = 0
  let rows: unknown[] = []
  for await (const page of pagesOf(run, unit)) {
    count += page.n
    rows.push(...JSON.parse(page.rows))
    for (; rows.length >= ROWS_OF_DIGEST; rows = rows.slice(ROWS_OF_DIGEST))
      digest = await sha256(digest + JSON.stringify(rows.slice(0, ROWS_OF_DIGEST)))
  }
  return { rows: count, digest: await sha256(digest + JSON.stringify(rows)) }
}

/** The units that have rows. */
export async function withRows(run: Run, units: readonly Unit[]): Promise<Unit[]> {
  const { present } = await oneRow(run, unitsWithRows(units))
  const flags: number[] = JSON.parse(present)
  return units.filter((_, index) => flags[index] === 1)
}

// Tables by name, because D1 does not allow describing its own tables.
const COLUMNS = `SELECT tables.value AS name, json_group_array(columns.name) AS columns
  FROM json_each(?1) AS tables JOIN pragma_table_info(tables.value) AS columns GROUP BY tables.value`

/** The units of a database, without tables and columns that it lacks because migrations of this release are missing. */
export async function unitsIn(run: Run) {
  const described = await run(COLUMNS, [JSON.stringify(TABLES_OF_BACKUP)])
  const columns = new Map(described.map((row) => [row.name, new Set<string>(JSON.parse(String(row.columns)))]))
  const present = (tables: readonly WorkspaceTable[]) =>
    tables.flatMap((table) => {
      const known = columns.get(table.name)
      return known ? [{ ...table, columns: table.columns.filter((name) => known.has(name)) }] : []
    })
  const ofWorkspaces = present(WORKSPACE_TABLES)
  const control = present(CONTROL_TABLES).map(
    (table): Unit => ({ name: table.name, table, workspaceId: null, catalog: null }),
  )
  return {
    /** Of the control database. */
    control,
    of: (workspaceId: string) => unitsOf(workspaceId, ofWorkspaces),
  }
}

/** Each workspace that is not erased, with its database: `[workspace_id, database_binding]`. */
export const PLACES = `SELECT workspace_id, database_binding FROM workspaces WHERE state NOT IN ('erasing', 'erased')
  ORDER BY workspace_id`

/** The workspaces of a database, from a copy of the control database. */
export const workspacesIn = ({ read }: { read: (sql: string) => unknown[][] }, binding: string): string[] =>
  read(PLACES).flatMap(([workspaceId, database]) => (database === binding ? [String(workspaceId)] : []))
