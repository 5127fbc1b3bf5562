import type * as z from 'zod'
import { apiErrorOf } from '#shared/errors/errors'
import { nameOf } from '#shared/errors/log-line'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { configOf, type Env, replayGuards } from '#worker/env'
import { readMetadata } from '#worker/login/provider'
import { openBucketAnew } from '#worker/storage/bucket'
import {
  boundDatabase,
  boundDatabases,
  controlDatabase,
  type Database,
  firstOf,
  runOn,
  statementOf,
} from '#worker/storage/database'
import { withinTime } from '#worker/storage/deadline'
import { countUnopenable, readLookupKey } from '#worker/storage/lookup-keys'
import type { Meter } from '#worker/storage/meter'
import { CONTROL_TASKS, daysLeft, type Runs, readState } from '#worker/storage/scheduled-runs'
import { version } from '../../../package.json'
import { unboundDatabases } from './databases'
import type { checkSchema, healthSchema } from './schemas'

type Check = z.output<typeof checkSchema>
type Health = z.output<typeof healthSchema>

const LONGEST_CHECK_MS = 5000

/**
 * Milliseconds by which a database's clock may differ: it sets the times of writes, and the Worker's clock decides on
 * expiry.
 */
const MOST_CLOCK_DIFFERENCE_MS = 5000

/** Milliseconds after which the scheduled run is late. It starts every ten minutes and serves some 30 databases. */
const LATE_RUN_MS = 30 * 60 * 1000
const BETWEEN_RUNS_MS = 10 * 60 * 1000
const DATABASES_PER_RUN = 30

/** Capacity of a D1 database in bytes (Cloudflare, limits of D1), and the size at which to make room. */
const MOST_DATABASE_BYTES = 10_000_000_000
const NEARLY_FULL_BYTES = 8_000_000_000

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

/** A problem, with a message that may be shown. */
class Problem extends Error {}

/** Runs a check. For any other exception, it only reports the kind. */
async function runCheck<T>(run: () => Promise<T>): Promise<{ check: Check; value: T | null }> {
  const startedAt = Date.now()
  try {
    const value = await withinTime(run(), LONGEST_CHECK_MS, () => {
      throw new Problem(`no response within ${LONGEST_CHECK_MS} ms`)
    })
    return { check: { ok: true, problem: null, ms: Date.now() - startedAt }, value }
  } catch (error) {
    const problem = error instanceof Problem ? error.message : `it does not respond as expected (${nameOf(error)})`
    return { check: { ok: false, problem, ms: Date.now() - startedAt }, value: null }
  }
}

const CLOCK_QUERY = statementOf<{ now: number }>("select unixepoch('subsec') * 1000 as now, count(*) from catalogs")

function requireRoom(bytes: number, days: number | null): void {
  if (bytes < NEARLY_FULL_BYTES) return
  const until = days === null ? '' : `, and is full in ${days} days if it grows as in the last weeks`
  throw new Problem(
    `it has ${gigabytes(bytes)} of ${gigabytes(MOST_DATABASE_BYTES)}${until}: move workspaces to another database`,
  )
}

async function checkDatabase(env: Env, database: string, meter: Meter, runs: Promise<Runs>, now: Date) {
  let state: { size_bytes: number; days_left: number | null; clock_ms: number } | null = null
  const { check } = await runCheck(async () => {
    const before = Date.now()
    const [{ results, meta }] = await runOn(boundDatabase(env, database), meter)([CLOCK_QUERY])
    const difference = Math.round(firstOf(results).now - (before + Date.now()) / 2)
    const days = daysLeft((await runs)[database], meta.size_after, MOST_DATABASE_BYTES, now)
    state = { size_bytes: meta.size_after, days_left: days, clock_ms: difference }
    if (Math.abs(difference) > MOST_CLOCK_DIFFERENCE_MS)
      throw new Problem(`its clock differs from that of the Worker by ${difference} ms`)
    requireRoom(meta.size_after, days)
  })
  return { database, ...check, ...(state ?? UNKNOWN) }
}

const UNKNOWN = { size_bytes: null, days_left: null, clock_ms: null }

const unboundCheck = (database: string) => {
  const problem = 'it contains workspaces but is not bound'
  return { database, ok: false, problem, ms: 0, ...UNKNOWN }
}

/** Checks that configured master keys decrypt every secret in the database, and the keys of keyed hashes. */
async function checkMasterKey(env: Env, meter: Meter): Promise<void> {
  const control = controlDatabase(env, meter)
  const masterKeys = await masterKeysOf(env)
  const count = await countUnopenable(control, masterKeys)
  if (count > 0)
    throw new Problem(
      `${count} stored secrets are encrypted with a master key that is neither MASTER_KEY nor in PREVIOUS_MASTER_KEYS`,
    )
  await readLookupKey(control, masterKeys)
}

async function checkBucket(env: Env, control: Database): Promise<void> {
  try {
    await openBucketAnew(env, control).get('health')
  } catch (error) {
    const reason = apiErrorOf(error)?.details.reason
    throw reason?.startsWith('configuration:') ? new Problem(reason) : error
  }
}

function requireRecent(runs: Runs, databases: readonly string[], now: number): void {
  const lateMs = LATE_RUN_MS * Math.ceil(databases.length / DATABASES_PER_RUN)
  for (const database of [...databases, CONTROL_TASKS]) {
    const run = runs[database]
    if (run === undefined) {
      const next = new Date(Math.ceil(now / BETWEEN_RUNS_MS) * BETWEEN_RUNS_MS)
      throw new Problem(`${database}: it has not run yet; the next run comes at ${next.toISOString()}`)
    }
    if (!run.ok) throw new Problem(`${database}: the run at ${run.at} had an error; see the log`)
    if (now - Date.parse(run.at) > lateMs) throw new Problem(`${database}: the last run was at ${run.at}`)
  }
}

/** Checks every part of the service at the same time (docs/contract.md#operator-health). The response lists faults. */
export async function checkHealth(env: Env, now: Date, meter: Meter): Promise<Health> {
  const control = controlDatabase(env, meter)
  const names = boundDatabases(env)
  const { loginProvider } = configOf(env)
  const guards = replayGuards(env)
  const readingRuns = readState(control, 'runs')
  // Their absence does not prevent a report of the sizes.
  const knownRuns = readingRuns.catch((): Runs => ({}))
  const [databases, unbound, runs, bucket, filter, guard, masterKey, login] = await Promise.all([
    Promise.all(names.map((database) => checkDatabase(env, database, meter, knownRuns, now))),
    runCheck(() => unboundDatabases(env, control)),
    runCheck(() => readingRuns),
    runCheck(() => checkBucket(env, control)),
    runCheck(() => env.SEEN_JTI.get('health')),
    // Releases a claim that does not exist.
    runCheck(() => guards.get(guards.idFromName('health')).release('health', 0)),
    runCheck(() => checkMasterKey(env, meter)),
    loginProvider === undefined ? null : runCheck(() => readMetadata(loginProvider)),
  ])
  const lastRuns = runs.value ?? {}
  const scheduled =
    runs.value === null ? runs : await runCheck(async () => requireRecent(lastRuns, names, now.getTime()))
  const parts = {
    databases: [...databases, ...(unbound.value ?? []).map(unboundCheck)].map((one) => ({
      ...one,
      last_run: lastRuns[one.database]?.at ?? null,
    })),
    scheduled_run: scheduled.check,
    bucket: bucket.check,
    replay_filter: filter.check,
    replay_guard: guard.check,
    master_key: masterKey.check,
    login_provider: login?.check ?? null,
  }
  const ok = partsOf(parts).every(({ check }) => check.ok)
  return { ok, release: version, time: now.toISOString(), ...parts }
}

type Parts = Omit<Health, 'ok' | 'release' | 'time'>

function partsOf({ databases, ...others }: Parts): { name: string; check: Check }[] {
  const databaseChecks = databases.map((check) => ({ name: check.database, check }))
  const namedChecks = Object.entries(others).flatMap(([name, check]) => (check === null ? [] : [{ name, check }]))
  return [...databaseChecks, ...namedChecks]
}

export const problemsOf = ({ ok, release, time, ...parts }: Health): string[] =>
  partsOf(parts).flatMap(({ name, check }) => (check.ok ? [] : [`${name}: ${check.problem}`]))
