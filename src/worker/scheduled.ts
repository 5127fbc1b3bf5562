import { logLine } from '#shared/errors/log-line'
import { purgeVersions, purgeWrites } from '#worker/catalog/history/purge'
import { expireFiles, purgeUploads } from '#worker/catalog/uploads/held-files'
import { removeBytes } from '#worker/documents/removals'
import { removeOldDocuments } from '#worker/documents/remove'
import { purgeKeys } from '#worker/documents/upload-keys'
import { errorFields } from '#worker/http/log'
import { purgeExpiredLogins } from '#worker/login/sessions'
import { purgeOldCopies } from '#worker/platform/erase'
import { removeOrphans } from '#worker/platform/orphans'
import { eraseWorkspaces } from '#worker/platform/scheduled-erasure'
import { purgeExpiredRegistrations } from '#worker/registration/registrations'
import { mergeSearchIndex, purgeWords } from '#worker/search/index/upkeep'
import { purgeMisses } from '#worker/search/misses'
import { openBucket, openBucketAnew } from '#worker/storage/bucket'
import {
  boundDatabase,
  boundDatabases,
  type DatabaseAccess,
  databaseAccess,
  runOn,
  statementOf,
} from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { type ScheduledDatabase, scheduledDatabase } from '#worker/storage/placement/served-database'
import {
  byLastRun,
  CONTROL_TASKS,
  isSizeDue,
  type Run,
  readState,
  storeState,
  withSize,
} from '#worker/storage/scheduled-runs'
import { notifyOfSync } from '#worker/sync/notify'
import { deliver } from '#worker/webhooks/deliver'
import { tendWebhooks } from '#worker/webhooks/upkeep'
import { configOf, type Env } from './env'

const DAY_MS = 24 * 3600 * 1000

/** Statements after which a run starts no further task. D1 allows 1000 per invocation. */
const MOST_STATEMENTS = 800

/** Statements for erasures and old copies. Each step takes about ten milliseconds in a database. */
const MOST_STATEMENTS_OF_CONTROL = 300

/** The part of these that erasures may use, so that some are left for old copies. */
const MOST_STATEMENTS_OF_ERASURES = 200

const MOST_STATEMENTS_WITH_MESSAGES = 950

/** How long one run sends messages, in milliseconds. The next run does the rest. */
const DELIVERING_MS = 5 * 60 * 1000

type Tasks = Readonly<Record<string, () => Promise<number>>>

/** Called for a fault that does not end its task. */
type OnFault = ScheduledRun['fault']

function controlTasks(env: Env, access: DatabaseAccess, now: Date, onFault: OnFault): Tasks {
  const mayGoOn = () => access.meter.statements < MOST_STATEMENTS_OF_CONTROL
  const bucket = openBucketAnew(env, access.control)
  const faultOf = (task: string) => (error: unknown, database: string) => onFault(error, task, database)
  const erasure = {
    access,
    bucket,
    bound: boundDatabases(env),
    now,
    mostStatements: MOST_STATEMENTS_OF_ERASURES,
    fault: faultOf('erased_workspaces'),
  }
  return {
    purged_logins: () => purgeExpiredLogins(access.control, now),
    erased_workspaces: () => eraseWorkspaces(erasure),
    purged_copy_steps: () => purgeOldCopies(access, now, mayGoOn, faultOf('purged_copy_steps')),
    removed_orphans: () => removeOrphans(env, access, bucket, now),
  }
}

async function databaseTasks(env: Env, access: DatabaseAccess, binding: string, now: Date): Promise<Tasks> {
  const mayGoOn = () => access.meter.statements < MOST_STATEMENTS
  const database = await scheduledDatabase(access, binding)
  const bucket = openBucket(env, access.control)
  const { historyDays, documentDays } = configOf(env)
  const time = now.getTime()
  const removeOld = () => removeOldDocuments(database, new Date(time - documentDays * DAY_MS), now)
  const tasks: Tasks = {
    notified_catalogs: () => notifyOfSync(database, time, mayGoOn),
    ...(documentDays > 0 && { removed_documents: removeOld }),
    removed_document_bytes: () => removeBytes(database, bucket, now),
    purged_document_keys: () => purgeKeys(database, now),
    expired_uploads: () => expireFiles(database, bucket, now),
    purged_uploads: () => purgeUploads(database, now),
    purged_registrations: () => purgeExpiredRegistrations(database, now),
    purged_version_steps: () => purgeVersions(database, time - historyDays * DAY_MS, mayGoOn),
    purged_write_steps: () => purgeWrites(database, time),
    purged_word_catalogs: () => purgeWords(database, time),
    purged_search_misses: () => purgeMisses(database, time),
    merge_steps: () => mergeSearchIndex(database),
    webhook_steps: () => tendWebhooks(database, time),
  }
  const afterLook = (run: Tasks[string]) => async () => {
    await database.refresh()
    return run()
  }
  return Object.fromEntries(Object.entries(tasks).map(([name, run]) => [name, afterLook(run)]))
}

/** Sends the messages of all databases together, so that no receiver waits for those of another one. Runs last. */
function deliveryTask(env: Env, access: DatabaseAccess, now: Date, onFault: OnFault): Tasks {
  const { meter } = access
  const until = Date.now() + DELIVERING_MS
  const mayGoOn = () => meter.statements < MOST_STATEMENTS_WITH_MESSAGES && Date.now() < until
  const open = async (binding: string): Promise<ScheduledDatabase[]> => {
    try {
      return [await scheduledDatabase(access, binding)]
    } catch (error) {
      onFault(error, 'webhook_attempts', binding)
      return []
    }
  }
  const sendAll = async () => {
    const databases = (await Promise.all(boundDatabases(env).map(open))).flat()
    return deliver(env, databases, { now, exclusiveBy: 'workspace_id', mayGoOn })
  }
  return { webhook_attempts: sendAll }
}

/** One scheduled run: its results and faults. */
class ScheduledRun {
  readonly done: Record<string, number> = {}
  readonly faults: unknown[] = []
  readonly runs: Record<string, Run> = {}
  readonly sizes: Record<string, Run['sizes']> = {}
  /** Databases for which not all tasks were started. */
  readonly unfinished: string[] = []
  readonly #meter: Meter

  constructor(meter: Meter) {
    this.#meter = meter
  }

  /** Counts and logs a fault as for a request: without its message, which may contain values. */
  readonly fault = (error: unknown, task: string, database: string | null): void => {
    this.faults.push(error)
    logLine({ scheduled: 'fault', task, database, ...errorFields(error) })
  }

  /**
   * Runs the tasks of a database until the run's statements are used up, starting where the `last` run ended.
   *
   * @param open returns the tasks; may fail like a task
   */
  async serve(
    database: string,
    open: () => Tasks | Promise<Tasks>,
    { last, most = MOST_STATEMENTS }: { last?: Run | undefined; most?: number } = {},
  ): Promise<void> {
    if (this.#meter.statements >= most) {
      this.unfinished.push(database)
      return
    }
    const before = this.faults.length
    const allTasks = await this.#tasksOf(database, open)
    let next = allTasks.length === 0 ? last?.next : undefined
    const first = Math.max(
      0,
      allTasks.findIndex(([name]) => name === last?.next),
    )
    for (const [name, run] of [...allTasks.slice(first), ...allTasks.slice(0, first)]) {
      if (this.#meter.statements >= most) {
        this.unfinished.push(database)
        next = name
        break
      }
      try {
        this.done[name] = (this.done[name] ?? 0) + (await run())
      } catch (error) {
        this.fault(error, name, database)
      }
    }
    const ok = this.faults.length === before
    const sizes = this.sizes[database] ?? last?.sizes
    const more = { ...(next === undefined ? {} : { next }), ...(sizes === undefined ? {} : { sizes }) }
    this.runs[database] = { at: new Date().toISOString(), ok, ...more }
  }

  async #tasksOf(database: string, open: () => Tasks | Promise<Tasks>) {
    try {
      return Object.entries(await open())
    } catch (error) {
      this.fault(error, 'open_database', database)
      return []
    }
  }
}

/**
 * The scheduled run (`triggers` in `wrangler.toml`). The next run continues where it ends.
 *
 * @throws AggregateError all faults
 */
export async function runScheduled(env: Env, now: Date): Promise<void> {
  const meter = new Meter()
  const access = databaseAccess(env, meter)
  const run = new ScheduledRun(meter)
  const before = await readState(access.control, 'runs').catch((error: unknown) => {
    run.fault(error, 'read_runs', null)
    return null
  })
  await run.serve(CONTROL_TASKS, () => controlTasks(env, access, now, run.fault))
  for (const binding of byLastRun(boundDatabases(env), before ?? {})) {
    const last = before?.[binding]
    const stored_sizes = async () => {
      if (!isSizeDue(last, now)) return 0
      const [{ meta }] = await runOn(boundDatabase(env, binding), meter)([statementOf('select 1 as one')])
      run.sizes[binding] = withSize(last, meta.size_after, now)
      return 1
    }
    await run.serve(binding, async () => ({ stored_sizes, ...(await databaseTasks(env, access, binding, now)) }), {
      last,
    })
  }
  await run.serve('messages', () => deliveryTask(env, access, now, run.fault), { most: MOST_STATEMENTS_WITH_MESSAGES })
  if (before !== null) {
    // Databases that this run did not reach keep their entries. If those could not be read, nothing is stored.
    await storeState(access.control, 'runs', { ...before, ...run.runs }).catch((error: unknown) =>
      run.fault(error, 'store_runs', null),
    )
  }
  const { rowsRead, rowsWritten, statements } = meter
  logLine({
    scheduled: 'housekeeping',
    ...run.done,
    unfinished: run.unfinished,
    statements,
    rows_read: rowsRead,
    rows_written: rowsWritten,
  })
  if (run.faults.length > 0) throw new AggregateError(run.faults, 'housekeeping: not everything was done')
}
