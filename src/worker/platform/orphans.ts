import { sql } from 'drizzle-orm'
import { logLine } from '#shared/errors/log-line'
import { HELD_FOLDER } from '#worker/catalog/uploads/held-files'
import type { Env } from '#worker/env'
import { type Bucket, MARK_KEY } from '#worker/storage/bucket'
import { boundDatabases, type Database, type DatabaseAccess, notBound } from '#worker/storage/database'
import { readState, type ScheduledState, storeState } from '#worker/storage/scheduled-runs'
import { requireEveryWorkspace, unboundDatabases } from './databases'

/**
 * Orphans: bytes in the bucket without a row, because a request died between the two, a deletion failed, or the
 * workspace was erased. Deleted only if the bucket is this deployment's and every database with workspaces responds.
 */

const OBJECTS_PER_RUN = 1000

interface Kind {
  name: keyof ScheduledState['orphans']
  prefix?: string
  waitMs: number
}

const KINDS: readonly Kind[] = [
  // The request may be about to write the row.
  { name: 'held_files', prefix: HELD_FOLDER, waitMs: 3600 * 1000 },
  // As long as Time Travel can restore the row.
  { name: 'documents', waitMs: 30 * 24 * 3600 * 1000 },
]

async function knownKeys({ all }: Database, keys: readonly string[]): Promise<string[]> {
  const heldIds = keys.filter((key) => key.startsWith(HELD_FOLDER)).map((key) => key.slice(HELD_FOLDER.length))
  // No workspace ID contains a slash.
  const documents = keys.filter((key) => !key.startsWith(HELD_FOLDER)).map((key) => key.split('/', 2))
  const rows = await all(
    sql<{ key: string }>`select ${HELD_FOLDER} || upload_id as key from uploads
        where outcome = 'held' and upload_id in (select value from json_each(${JSON.stringify(heldIds)}))
      union all select workspace_id || '/' || document_id from documents
        where (workspace_id, document_id) in (
          select value ->> 0, value ->> 1 from json_each(${JSON.stringify(documents)}))`,
  )
  return rows.map(({ key }) => key)
}

const KEYS_PER_LINE = 100

/**
 * Deletes the next objects without a row in any database, and logs their keys.
 *
 * @returns how many
 * @throws Error if a workspace's database is not bound, or a different database is bound in its place
 */
export async function removeOrphans(env: Env, access: DatabaseAccess, bucket: Bucket, now: Date): Promise<number> {
  const [unbound] = await unboundDatabases(env, access.control)
  if (unbound !== undefined) throw notBound(unbound)
  const positions = await readState(access.control, 'orphans')
  const next: ScheduledState['orphans'] = {}
  const candidates: string[] = []
  for (const { name, prefix, waitMs } of KINDS) {
    const startAfter = positions[name]
    const { objects, truncated } = await bucket.list({
      limit: OBJECTS_PER_RUN,
      ...(prefix === undefined ? {} : { prefix }),
      ...(startAfter === undefined ? {} : { startAfter }),
    })
    const ofKind = objects.filter(
      ({ key }) => prefix !== undefined || !(key.startsWith(HELD_FOLDER) || key === MARK_KEY),
    )
    const old = ofKind.filter(({ uploaded }) => now.getTime() - uploaded.getTime() > waitMs)
    candidates.push(...old.map(({ key }) => key))
    const last = objects.at(-1)
    if (truncated && last) next[name] = last.key
  }
  const orphans = await unknownAmong(boundDatabases(env).map(access.catalog), candidates)
  if (orphans.length > 0) await requireEveryWorkspace(access)
  for (let n = 0; n < orphans.length; n += KEYS_PER_LINE) {
    const keys = orphans.slice(n, n + KEYS_PER_LINE)
    await bucket.delete(keys)
    logLine({ scheduled: 'removed_orphans', keys })
  }
  if (JSON.stringify(next) !== JSON.stringify(positions)) await storeState(access.control, 'orphans', next)
  return orphans.length
}

async function unknownAmong(databases: readonly Database[], keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const keysWithRow = new Set((await Promise.all(databases.map((database) => knownKeys(database, keys)))).flat())
  return keys.filter((key) => !keysWithRow.has(key))
}
