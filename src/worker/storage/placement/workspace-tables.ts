import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { catalogs, records, recordVersions, searchWords } from '#worker/storage/schema/catalogs'
import {
  apiKeys,
  clients,
  deployment,
  encryptionKeys,
  members,
  partnerCredentials,
  partnerOrigins,
  workspaces,
} from '#worker/storage/schema/control'
import { acceptedProblems, searchMisses } from '#worker/storage/schema/quality'
import { watches, webhookMessages, webhooks } from '#worker/storage/schema/sync'
import { uploads } from '#worker/storage/schema/uploads'
import {
  documentKeys,
  documentRemovals,
  documents,
  registrations,
  workspaceQuotas,
} from '#worker/storage/schema/workspace'

/** A table whose rows move with a workspace to another database, or one of `CONTROL_TABLES`. */
export interface WorkspaceTable {
  name: string
  columns: readonly string[]
  owner: 'workspace_id' | 'catalog_id'
  /** Columns that hold a `records.row_id`. It begins with the id of the catalog, which differs between databases. */
  rowIds: readonly string[]
  /** Integer columns in whose order pages are read: the order in which rows were added. It identifies a row. */
  order: readonly [string, ...string[]]
  /** Whether its `search_text` is in the full-text index. The index is built again from the rows. */
  searched: boolean
}

const workspaceTable = (table: SQLiteTable, special: Partial<WorkspaceTable> = {}): WorkspaceTable => {
  const { name, columns } = getTableConfig(table)
  const names = columns.map((column) => column.name)
  const owner = names.includes('workspace_id') ? 'workspace_id' : 'catalog_id'
  return { name, columns: names, owner, rowIds: [], order: ['rowid'], searched: false, ...special }
}

/** In the order in which they are copied: the rows of a catalog need its id in the other database. */
export const WORKSPACE_TABLES: readonly WorkspaceTable[] = [
  workspaceTable(catalogs),
  workspaceTable(records, { rowIds: ['row_id'], order: ['row_id'], searched: true }),
  // Has no rowids.
  workspaceTable(recordVersions, { rowIds: ['row_id'], order: ['ended_at', 'row_id'] }),
  workspaceTable(acceptedProblems, { rowIds: ['row_id'] }),
  workspaceTable(searchMisses),
  workspaceTable(uploads),
  workspaceTable(documents),
  workspaceTable(documentKeys),
  workspaceTable(registrations),
  workspaceTable(webhooks),
  workspaceTable(webhookMessages),
  workspaceTable(watches),
  workspaceTable(workspaceQuotas),
]

/** Those, and what does not move with a workspace but ends with it. */
export const ERASED_TABLES: readonly WorkspaceTable[] = [
  ...WORKSPACE_TABLES,
  workspaceTable(searchWords, { order: ['beginning'] }),
  workspaceTable(documentRemovals),
]

/** The control tables of a backup, in the order of copying; no logins, and no id of a deployment. */
export const CONTROL_TABLES: readonly WorkspaceTable[] = [
  workspaceTable(workspaces),
  workspaceTable(clients),
  workspaceTable(apiKeys),
  workspaceTable(partnerCredentials),
  workspaceTable(partnerOrigins),
  workspaceTable(encryptionKeys),
  workspaceTable(members),
  workspaceTable(deployment, { columns: [deployment.number.name, deployment.sealedLookupKey.name] }),
]
