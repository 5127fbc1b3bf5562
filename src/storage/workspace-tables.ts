import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  apiKeys,
  clients,
  encryptionKeys,
  finishedLogins,
  loginCodes,
  members,
  partnerCredentials,
  sessions,
  workspaceMoves,
  workspaces,
} from './schema/control'
import {
  batches,
  catalogs,
  documents,
  records,
  recordVersions,
  registrations,
  workspaceFences,
} from './schema/workspace'

/**
 * Every table, by what becomes of its rows when a workspace moves to another database. A test fails where a table of
 * the schema stands in no list.
 */

/** What can happen to a row after it was inserted. */
export type Changes =
  /** Nothing; at the most it is deleted for its age. Rows that are added later come later in the table's order. */
  | 'appended'
  /** It is written again, with a time in `updated_at` that no earlier write of its catalog has. Never deleted. */
  | 'rewritten'
  /** Anything, within minutes: its rows are copied last, all at once. */
  | 'short_lived'

/** A table whose rows move with a workspace. */
export interface WorkspaceTable {
  name: string
  /** In the order of the table. */
  columns: readonly { name: string; isInteger: boolean }[]
  /** Columns of the primary key. */
  key: readonly string[]
  /** Which of its columns says whose a row is; a `catalog_id` is another one in another database. */
  owner: 'workspace_id' | 'catalog_id'
  /** Columns that hold a `records.row_id`, which begins with the catalog's id and is re-based. */
  rowIds: readonly string[]
  /** Integer columns by which pages are read and rows that were added later are told from others; `rowid` by default. */
  order: readonly string[]
  changes: Changes
  /** Whether its `search_text` is in the full-text index, which is filled again from the rows. */
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

/** Copied with a workspace; `catalogs` besides, whose rows get other ids (see `platform/move/catalogs.ts`). */
export const WORKSPACE_TABLES: readonly WorkspaceTable[] = [
  describe(records, { changes: 'rewritten', rowIds: ['row_id'], order: ['row_id'], searched: true }),
  // Without rowids: rows lie in the order of the time at which a version ended.
  describe(recordVersions, { changes: 'appended', rowIds: ['row_id'], order: ['ended_at', 'row_id'] }),
  describe(batches, { changes: 'appended' }),
  describe(documents, { changes: 'appended' }),
  describe(registrations, { changes: 'short_lived' }),
]

/** The catalogs of a workspace: a handful of rows, with the counters that every write changes. */
export const CATALOGS = describe(catalogs, { changes: 'short_lived' })

/** In the control database, wherever a workspace's catalogs are. */
export const CONTROL_TABLES: readonly SQLiteTable[] = [
  workspaces,
  clients,
  apiKeys,
  partnerCredentials,
  encryptionKeys,
  members,
  sessions,
  loginCodes,
  finishedLogins,
  workspaceMoves,
]

/** Of the database itself. */
export const LOCAL_TABLES: readonly SQLiteTable[] = [workspaceFences]

/** Made from the rows of other tables: the word index. */
export const DERIVED_TABLES: readonly string[] = ['records_search', 'records_terms', 'search_words']
