import type { Watch } from '#worker/sync/schemas'
import type { TestCatalog } from './catalog'
import { execute } from './databases'
import { CATALOGS } from './history'
import { bearer, callService, dataFrom, jsonBody } from './service'

export const HOUR_MS = 3600 * 1000

export const watchPath = ({ type }: Pick<TestCatalog, 'type'>): string => `${CATALOGS}/${type}/watch`

export const setWatch = (catalog: TestCatalog, body: { every_hours: number; grace_hours?: number }) =>
  dataFrom<Watch>(
    callService(watchPath(catalog), { method: 'PUT', ...jsonBody(body, bearer(catalog.workspace.token)) }),
  )

/** Moves a time of a catalog or of its monitoring into the past. */
export async function ageOf(
  { workspace, type }: TestCatalog,
  table: 'watches' | 'catalogs',
  column: 'set_at' | 'last_success_at',
  hours: number,
): Promise<void> {
  await execute(
    `update ${table} set ${column} = ${column} - ${hours * HOUR_MS} where workspace_id = ? and type = ?`,
    workspace.workspaceId,
    type,
  )
}

/** A row of `uploads` as after a rejection. @returns its ID */
export async function refusedUpload(
  { workspace, type }: TestCatalog,
  { outcome = 'invalid', held = false, at = Date.now() }: { outcome?: string; held?: boolean; at?: number } = {},
): Promise<string> {
  const uploadId = crypto.randomUUID()
  await execute(
    `insert into catalogs (workspace_id, type) values (?, ?) on conflict do nothing`,
    workspace.workspaceId,
    type,
  )
  await execute(
    `insert into uploads (upload_id, catalog_id, received_at, created_at, created_by, by_program, mode, outcome, message,
        revision, request_id, last_at, held_for, held_until, held_since, size_bytes)
      select ?1, catalog_id, ?4, ?4, ?5, 1, 'reconcile', ?6, 'refused', 0, 'a-request', ?4, ?7, ?8, ?4, 1
      from catalogs where workspace_id = ?2 and type = ?3`,
    uploadId,
    workspace.workspaceId,
    type,
    at,
    workspace.clientId,
    held ? 'held' : outcome,
    held ? 'shrink_guard' : null,
    held ? at + 7 * 24 * HOUR_MS : null,
  )
  return uploadId
}
