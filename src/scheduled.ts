import { logLine } from '#http/log'
import { purgeExpiredLogins } from '#login/purge'
import { purgeExpiredRegistrations } from '#registration/purge'
import { mergeSearchIndex } from '#search/index-merge'
import { catalogDatabases } from '#storage/catalog-databases'
import { controlDatabase } from '#storage/database'
import { Meter } from '#storage/meter'
import type { Env } from './env'

/**
 * What the service does by itself, every few minutes (`triggers` in `wrangler.toml`): forgets what has expired, and keeps the
 * search index compact.
 *
 * @param now by which things have expired
 * @throws what a database throws; the run counts as failed, and the next one catches up
 */
export async function runScheduled(env: Env, now: Date): Promise<void> {
  const meter = new Meter()
  const logins = await purgeExpiredLogins(controlDatabase(env, meter), now)
  let registrations = 0
  let mergeSteps = 0
  for (const database of await catalogDatabases(env, meter)) {
    registrations += await purgeExpiredRegistrations(database, now)
    mergeSteps += await mergeSearchIndex(database)
  }
  const done = { purged_logins: logins, purged_registrations: registrations, merge_steps: mergeSteps }
  logLine({ scheduled: 'housekeeping', ...done, rows_read: meter.rowsRead, rows_written: meter.rowsWritten })
}
