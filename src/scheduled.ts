import { purgeExcess, purgeVersions, purgeWrites } from '#catalog/history/purge'
import { removeBytes, removeOldDocuments } from '#documents/remove'
import { logLine } from '#http/log'
import { purgeExpiredLogins } from '#login/purge'
import { purgeCopies } from '#platform/move/purge'
import { purgeExpiredRegistrations } from '#registration/purge'
import { mergeSearchIndex } from '#search/index/index-merge'
import { listWords } from '#search/index/list-words'
import { purgeWords } from '#search/index/purge-words'
import { type DatabaseAccess, databaseAccess } from '#storage/database'
import { Meter } from '#storage/meter'
import { boundDatabases } from '#storage/placement/bound-databases'
import { copiedWorkspaces, reviveMove, stuckMoves } from '#storage/placement/moves'
import { configOf, type Env } from './env'

const DAY_MS = 24 * 3600 * 1000

/** Statements after which a run starts no further task. D1 takes 1000 from one invocation. */
const MOST_STATEMENTS = 800

/** How often the service is called, in milliseconds (`triggers` in `wrangler.toml`). */
const INTERVAL_MS = 10 * 60 * 1000

/** One step of a run. Its result is counted under its name. */
interface Task {
  name: string
  run(): Promise<number>
}

/** Lets writes go on in workspaces whose move was interrupted while it refused them. */
async function reviveMoves(access: DatabaseAccess, now: Date): Promise<number> {
  const moves = await stuckMoves(access, now.getTime())
  for (const move of moves) await reviveMove(access, move, now.getTime())
  return moves.length
}

const controlTasks = (access: DatabaseAccess, now: Date): Task[] => [
  { name: 'purged_logins', run: () => purgeExpiredLogins(access.control, now) },
  { name: 'revived_moves', run: () => reviveMoves(access, now) },
]

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS)

function databaseTasks(env: Env, access: DatabaseAccess, binding: string, now: Date): Task[] {
  const mayGoOn = () => access.meter.statements < MOST_STATEMENTS
  const database = access.catalog(binding)
  const { historyDays, documentDays } = configOf(env)
  const time = now.getTime()
  const oldest = daysBefore(now, historyDays).getTime()
  const removeOld = () => removeOldDocuments(database, daysBefore(now, documentDays), now)
  const copied = () => copiedWorkspaces(access, time)
  return [
    ...(documentDays > 0 ? [{ name: 'removed_documents', run: removeOld }] : []),
    { name: 'removed_document_bytes', run: () => removeBytes(database, env.DOCUMENTS) },
    { name: 'purged_registrations', run: () => purgeExpiredRegistrations(database, now) },
    { name: 'forget_steps', run: async () => purgeVersions(database, oldest, await copied()) },
    { name: 'forget_excess_steps', run: async () => purgeExcess(database, await copied()) },
    { name: 'forget_write_steps', run: async () => purgeWrites(database, time, await copied()) },
    { name: 'forget_copy_steps', run: () => purgeCopies(database, time, mayGoOn) },
    { name: 'forget_word_steps', run: () => purgeWords(database, time) },
    { name: 'word_list_steps', run: () => listWords(database) },
    { name: 'merge_steps', run: () => mergeSearchIndex(database) },
  ]
}

/** Each run begins with another database. When there are too many for one run, none is always left out. */
function rotated(databases: readonly string[], now: Date): string[] {
  const first = Math.floor(now.getTime() / INTERVAL_MS) % databases.length
  return [...databases.slice(first), ...databases.slice(0, first)]
}

/**
 * The scheduled run, every few minutes (`triggers` in `wrangler.toml`): deletes expired data and keeps the search
 * index compact and complete.
 *
 * @param now time against which expiry is checked
 * @throws the faults of databases; the run then counts as failed, and the next run does the rest
 */
export async function runScheduled(env: Env, now: Date): Promise<void> {
  const meter = new Meter()
  const access = databaseAccess(env, meter)
  const done: Record<string, number> = {}
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
  await attempt(controlTasks(access, now), 'DB')
  for (const binding of rotated(boundDatabases(env), now)) {
    await attempt(databaseTasks(env, access, binding, now), binding)
  }
  const { rowsRead, rowsWritten, statements } = meter
  logLine({ scheduled: 'housekeeping', ...done, statements, rows_read: rowsRead, rows_written: rowsWritten })
  if (faults.length > 0) throw new AggregateError(faults, 'housekeeping: not everything was done')
}
