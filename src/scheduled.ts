import { forgetVersions } from '#catalog/forget'
import { logLine } from '#http/log'
import { purgeExpiredLogins } from '#login/purge'
import { purgeExpiredRegistrations } from '#registration/purge'
import { mergeSearchIndex } from '#search/index-merge'
import { catalogDatabases } from '#storage/catalog-databases'
import { controlDatabase } from '#storage/database'
import { Meter } from '#storage/meter'
import { configOf, type Env } from './env'

const DAY_MS = 24 * 3600 * 1000

/**
 * The scheduled run, every few minutes (`triggers` in `wrangler.toml`): deletes what has expired and keeps
 * the search index compact.
 *
 * @param now decides what has expired
 * @throws what a database throws; the run counts as failed, and the next one catches up
 */
export async function runScheduled(env: Env, now: Date): Promise<void> {
  const meter = new Meter()
  const logins = await purgeExpiredLogins(controlDatabase(env, meter), now)
  let registrations = 0
  let forgetSteps = 0
  let mergeSteps = 0
  for (const database of await catalogDatabases(env, meter)) {
    registrations += await purgeExpiredRegistrations(database, now)
    forgetSteps += await forgetVersions(database, now.getTime() - configOf(env).historyDays * DAY_MS)
    mergeSteps += await mergeSearchIndex(database)
  }
  const done = {
    purged_logins: logins,
    purged_registrations: registrations,
    forget_steps: forgetSteps,
    merge_steps: mergeSteps,
  }
  logLine({ scheduled: 'housekeeping', ...done, rows_read: meter.rowsRead, rows_written: meter.rowsWritten })
}
