import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { catalogs, records, recordVersions, uploads } from '#worker/storage/schema/catalogs'
import { watches, webhookMessages, webhooks } from '#worker/storage/schema/sync'
import { documents, registrations, workspaceQuotas } from '#worker/storage/schema/workspace'

/**
 * The tables whose rows move with a workspace to another database. A test fails when a table of a workspace is neither
 * here nor among those that stay.
 */

/** What can happen to a row after it was inserted. */
export type RowChanges =
  /**
   * Nothing, except that it may be deleted for its age. Rows that are added later come later in the table's order.
   */
  | 'appended'
  /**
   * It is written again, with a later time in `updated_at` than every earlier write of its catalog. Never deleted.
   */
  | 'rewritten'
  /** Anything. There are few of its rows, and they are copied last, all at once. */
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
  order: readonly [string, ...string[]]
  changes: RowChanges
  /** Whether its `search_text` is in the full-text index. The index is built again from the rows. */
  searched: boolean
}

function workspaceTable(
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
    key: [...own, ...primaryKeys.flatMap((primary) => primary.columns.map((column) => column.name))],
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
  workspaceTable(records, { changes: 'rewritten', rowIds: ['row_id'], order: ['row_id'], searched: true }),
  // Without rowids: rows are in the order of the time at which a version ended.
  workspaceTable(recordVersions, { changes: 'appended', rowIds: ['row_id'], order: ['ended_at', 'row_id'] }),
  workspaceTable(documents, { changes: 'appended' }),
  workspaceTable(registrations, { changes: 'short_lived' }),
  workspaceTable(uploads, { changes: 'appended' }),
]

/** The catalogs of a workspace: a handful of rows, with the counters that every write changes. */
export const CATALOGS = workspaceTable(catalogs, { changes: 'short_lived' })

/**
 * One row with the quotas of a workspace. Only its limits are copied: the target counts the rows that it gets.
 */
export const QUOTAS = workspaceTable(workspaceQuotas, { changes: 'short_lived' })

/**
 * Webhooks, the messages that wait for them, and watches: a handful of rows that change at any time. They are copied
 * whole.
 */
export const SYNC_TABLES: readonly WorkspaceTable[] = [webhooks, webhookMessages, watches].map((table) =>
  workspaceTable(table, { changes: 'short_lived' }),
)
