import { type SQL, sql } from 'drizzle-orm'
import type { CatalogKey } from '#worker/storage/catalog-scope'
import { int } from '#worker/storage/database'
import type { HeldBody, NewUpload } from './note'
import { isHeld } from './rows'

/** The row of a file that waits, as far as it is needed to write it. */
export interface HeldRow {
  upload_id: string
  mode: NewUpload['mode']
  file_name: string | null
  confirm_shrink: 0 | 1
  max_shrink: number | null
  max_emptied: number | null
  /** Names, separated by commas. */
  allow_emptied: string | null
  keep_missing: 0 | 1
  content_type: string
  stored_bytes: HeldBody['storedBytes']
}

const heldUpload = ({ workspaceId, type }: CatalogKey, uploadId: string): SQL =>
  sql`upload_id = ${uploadId} and workspace_id = ${workspaceId} and type = ${type}`

/** One row if the file waits, else none. */
export const heldFile = (scope: CatalogKey, uploadId: string, now: number): SQL<HeldRow> =>
  sql`select upload_id, mode, file_name, confirm_shrink, max_shrink, max_emptied, allow_emptied, keep_missing, content_type,
      stored_bytes from uploads where ${heldUpload(scope, uploadId)} and ${isHeld(now)}`

/** One row if the file waited until now. */
export const discardFile = (scope: CatalogKey, uploadId: string, now: number): SQL<{ upload_id: string }> =>
  sql`update uploads set outcome = 'discarded', ended_at = ${int(now)}
    where ${heldUpload(scope, uploadId)} and ${isHeld(now)} returning upload_id`

/** Bytes of the files of a workspace that wait. They count for its quota. */
export const heldBytes = (workspaceId: SQL): SQL =>
  sql`(select coalesce(sum(stored_bytes), 0) from uploads where workspace_id = ${workspaceId} and outcome = 'held')`
