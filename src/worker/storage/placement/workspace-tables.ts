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
  /** Columns that contain a `records.row_id`. It begins with the catalog ID, which differs between databases. */
  rowIds: readonly string[]
  /** Integer columns that identify a row and grow with each new row. Pages are read in their order. */
  order: readonly [string, ...string[]]
  /** Whether its `search_text` is in the full-text index, which is rebuilt from the rows. */
  searched: boolean
}

const workspaceTable = (table: SQLiteTable, special: Partial<WorkspaceTable> = {}): WorkspaceTable => {
  const { name, columns } = getTableConfig(table)
  const names = columns.map((column) => column.name)
  const owner = names.includes('workspace_id') ? 'workspace_id' : 'catalog_id'
  return { name, columns: names, owner, rowIds: [], order: ['rowid'], searched: false, ...special }
}

/** In the order of copying: the rows of a catalog need its ID in the target database. */
export const WORKSPACE_TABLES: readonly WorkspaceTable[] = [
  workspaceTable(catalogs),
  workspaceTable(records, { rowIds: ['row_id'], order: ['row_id'], searched: true }),
  // This table has no rowids.
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

/** Those tables, and those that do not move with a workspace but are erased with it. */
export const ERASED_TABLES: readonly WorkspaceTable[] = [
  ...WORKSPACE_TABLES,
  workspaceTable(searchWords, { order: ['beginning'] }),
  workspaceTable(documentRemovals),
]

/** The control tables of a backup, in the order of copying, without logins and the deployment ID. */
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
