import { forgetVersions } from '#catalog/forget'
import { logLine } from '#http/log'
import { purgeExpiredLogins } from '#login/purge'
import { forgetCopies } from '#platform/move/forget'
import { purgeExpiredRegistrations } from '#registration/purge'
import { mergeSearchIndex } from '#search/index-merge'
import { boundDatabases } from '#storage/bound-databases'
import { catalogDatabase, controlDatabase } from '#storage/database'
import { Meter } from '#storage/meter'
import { reviveMove, stuckMoves } from '#storage/moves'
import { configOf, type Env } from './env'

const DAY_MS = 24 * 3600 * 1000

/** Statements after which a run begins nothing more, of the 1000 that D1 takes from one invocation. */
const MOST_STATEMENTS = 800

/** How often the service is called, in milliseconds (`triggers` in `wrangler.toml`). */
const INTERVAL_MS = 10 * 60 * 1000

type Done = Record<string, number>

/** One thing to do; what it did is counted under its name. */
interface Task {
  name: string
  run(): Promise<number>
}

/** Moves that were interrupted while they refused writes. */
async function reviveMoves(env: Env, now: Date, meter: Meter): Promise<number> {
  const moves = await stuckMoves(env, now.getTime(), meter)
  for (const move of moves) await reviveMove(env, move, now.getTime(), meter)
  return moves.length
}

const controlTasks = (env: Env, now: Date, meter: Meter): Task[] => [
  { name: 'purged_logins', run: () => purgeExpiredLogins(controlDatabase(env, meter), now) },
  { name: 'revived_moves', run: () => reviveMoves(env, now, meter) },
]

function databaseTasks(env: Env, binding: string, now: Date, meter: Meter): Task[] {
  const mayGoOn = () => meter.statements < MOST_STATEMENTS
  const database = catalogDatabase(env, binding, meter)
  const oldest = now.getTime() - configOf(env).historyDays * DAY_MS
  return [
    { name: 'purged_registrations', run: () => purgeExpiredRegistrations(database, now) },
    { name: 'forget_steps', run: () => forgetVersions(database, oldest) },
    { name: 'forget_copy_steps', run: () => forgetCopies(database, now.getTime(), mayGoOn) },
    { name: 'merge_steps', run: () => mergeSearchIndex(database) },
  ]
}

/** Another one begins in each run: where there are too many for one, none is always left out. */
function rotated(databases: readonly string[], now: Date): string[] {
  const first = Math.floor(now.getTime() / INTERVAL_MS) % databases.length
  return [...databases.slice(first), ...databases.slice(0, first)]
}

/**
 * What the service does by itself, every few minutes (`triggers` in `wrangler.toml`), in every database: forgets what has
 * expired or was left behind, and keeps the search index compact. What does not fit into one run is for the next.
 *
 * @param now by which things have expired
 * @throws AggregateError with what the databases threw, when everything else is done; the run counts as failed, and the
 *   next one catches up
 */
export async function runScheduled(env: Env, now: Date): Promise<void> {
  const meter = new Meter()
  const done: Done = {}
  const faults: unknown[] = []
  const attempt = async (tasks: readonly Task[], database: string) => {
    for (const { name, run } of tasks) {
      if (meter.statements >= MOST_STATEMENTS) return
      try {
        done[name] = (done[name] ?? 0) + (await run())
      } catch (error) {
        faults.push(error)
        logLine({
          scheduled: 'fault',
          task: name,
          database,
          error: error instanceof Error ? error.name : 'unknown',
        })
      }
    }
  }
  await attempt(controlTasks(env, now, meter), 'DB')
  for (const binding of rotated(boundDatabases(env), now)) {
    await attempt(databaseTasks(env, binding, now, meter), binding)
  }
  const { rowsRead, rowsWritten, statements } = meter
  logLine({ scheduled: 'housekeeping', ...done, statements, rows_read: rowsRead, rows_written: rowsWritten })
  if (faults.length > 0) throw new AggregateError(faults, 'housekeeping: not everything was done')
}
