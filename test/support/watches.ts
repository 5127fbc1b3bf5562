import { env } from 'cloudflare:workers'
import type { Watch } from '#worker/sync/schemas'
import type { TestCatalog } from './catalog'
import { CATALOGS } from './history'
import { callService, jsonBody } from './service'

export const HOUR_MS = 3600 * 1000

export const watchPath = ({ type }: TestCatalog): string => `${CATALOGS}/${type}/watch`

/** Sets the watch of a catalog. */
export async function setWatch(
  catalog: TestCatalog,
  body: { every_hours: number; grace_hours?: number },
): Promise<Watch> {
  const headers = { Authorization: `Bearer ${catalog.workspace.token}` }
  const response = await callService(watchPath(catalog), { method: 'PUT', ...jsonBody(body, headers) })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json<{ data: Watch }>()).data
}

/** Makes the times of a catalog's rows earlier. */
export async function ageOf(
  { workspace, type }: TestCatalog,
  table: 'watches' | 'batches',
  column: 'set_at' | 'written_at',
  hours: number,
): Promise<void> {
  const rows =
    table === 'batches'
      ? 'catalog_id in (select catalog_id from catalogs where workspace_id = ? and type = ?)'
      : 'workspace_id = ? and type = ?'
  await env.DB.prepare(`update ${table} set ${column} = ${column} - ${hours * HOUR_MS} where ${rows}`)
    .bind(workspace.workspaceId, type)
    .run()
}

/** A row of `uploads`, as a refusal leaves it. @returns its id */
export async function refusedUpload(
  { workspace, type }: TestCatalog,
  {
    outcome = 'invalid',
    held = false,
    at = Date.now(),
  }: { outcome?: string; held?: boolean; at?: number } = {},
): Promise<string> {
  const uploadId = crypto.randomUUID()
  await env.DB.prepare(
    `insert into uploads (upload_id, workspace_id, type, noted_at, created_at, created_by, by_program, mode, outcome, message,
        error_count, errors, revision, request_id, last_at, expires_at, held_for, held_until, stored_bytes)
      values (?1, ?2, ?3, ?4, ?4, ?5, 1, 'reconcile', ?6, 'refused', 0, '[]', 0, 'a-request', ?4, ?7, ?8, ?9, 1)`,
  )
    .bind(
      uploadId,
      workspace.workspaceId,
      type,
      at,
      workspace.clientId,
      held ? 'held' : outcome,
      at + 90 * 24 * HOUR_MS,
      held ? 'shrink_guard' : null,
      held ? at + 7 * 24 * HOUR_MS : null,
    )
    .run()
  return uploadId
}
