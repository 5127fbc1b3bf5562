import { type SQL, sql } from 'drizzle-orm'
import { int } from '#worker/storage/database'

/**
 * Bytes that a write takes until its changes are purged: its row and three indexes. Each revision is one such write.
 */
export const WRITE_BYTES = sql.raw('500')

/** Bytes of the history of a workspace: earlier versions, and the writes that made them. A sum over `catalogs`. */
export const historyBytes = sql`coalesce(sum(version_bytes) + ${WRITE_BYTES} * sum(revision - history_from), 0)`

/**
 * Bytes that the history of a workspace may take: as much as its quota, or as its records if they take more. Beside a
 * sum over its `catalogs`.
 */
export const historyLimit = sql`max(sum(stored_bytes),
  (select bytes from workspace_quotas where workspace_id = catalogs.workspace_id))`

/**
 * Whether the history of a workspace takes more than so many times what it may.
 *
 * @param workspaceId of the workspace, as an expression
 */
export const isHistoryOver = (workspaceId: SQL, times: number): SQL =>
  sql`(select ${historyBytes} > ${int(times)} * ${historyLimit} from catalogs where workspace_id = ${workspaceId})`
