import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { batches, catalogs, records, recordVersions } from '#storage/schema/catalogs'
import { documents, registrations, workspaceQuotas } from '#storage/schema/workspace'

/**
 * The tables whose rows move with a workspace to another database. A test fails when a table of a workspace is neither
 * here nor among those that stay.
 */

/** What can happen to a row after it was inserted. */
export type Changes =
  /**
   * Nothing, except that it may be deleted for its age. Rows that are added later come later in the table's order.
   */
  | 'appended'
  /**
   * It is written again, with a later time in `updated_at` than every earlier write of its catalog. Never deleted.
   */
  | 'rewritten'
  /** Anything, within minutes: its rows are copied last, all at once. */
  | 'short_lived'

export interface WorkspaceTable {
  name: string
  columns: readonly { name: string; isInteger: boolean }[]
  key: readonly string[]
  /** The column that names the owner of a row. A `catalog_id` differs between databases. */
  owner: 'workspace_id' | 'catalog_id'
  /**
   * Columns that hold a `records.row_id`. It begins with the catalog's id and is converted for the other database.
   */
  rowIds: readonly string[]
  /**
   * Integer columns in whose order pages are read, and which show which rows were added later; `rowid` by default.
   */
  order: readonly string[]
  changes: Changes
  /** Whether its `search_text` is in the full-text index. The index is built again from the rows. */
  searched: boolean
}

function describe(
  table: SQLiteTable,
  {
    changes,
    rowIds = [],
    order = ['rowid'],
    searched = false,
  }: Pick<WorkspaceTable, 'changes'> & Partial<WorkspaceTable>,
): WorkspaceTable {
  const { name, columns, primaryKeys } = getTableConfig(table)
  const names = columns.map((column) => column.name)
  const own = columns.filter(({ primary }) => primary).map((column) => column.name)
  return {
    name,
    columns: columns.map((column) => ({ name: column.name, isInteger: column.getSQLType() === 'integer' })),
    key: own.length > 0 ? own : primaryKeys[0]!.columns.map((column) => column.name),
    owner: names.includes('workspace_id') ? 'workspace_id' : 'catalog_id',
    rowIds,
    order,
    changes,
    searched,
  }
}

/**
 * Copied with a workspace. `catalogs` is copied too, but its rows get other ids (see `platform/move/catalogs.ts`).
 */
export const WORKSPACE_TABLES: readonly WorkspaceTable[] = [
  describe(records, { changes: 'rewritten', rowIds: ['row_id'], order: ['row_id'], searched: true }),
  // Without rowids: rows are in the order of the time at which a version ended.
  describe(recordVersions, { changes: 'appended', rowIds: ['row_id'], order: ['ended_at', 'row_id'] }),
  describe(batches, { changes: 'appended' }),
  describe(documents, { changes: 'appended' }),
  describe(registrations, { changes: 'short_lived' }),
]

/** The catalogs of a workspace: a handful of rows, with the counters that every write changes. */
export const CATALOGS = describe(catalogs, { changes: 'short_lived' })

/**
 * One row with the quotas of a workspace. Only its limits are copied: the target counts the rows that it gets.
 */
export const QUOTAS = describe(workspaceQuotas, { changes: 'short_lived' })
