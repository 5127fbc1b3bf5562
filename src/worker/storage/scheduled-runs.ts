import type { Env } from '#worker/env'

/**
 * When the scheduled run was last at each database, and where the next one goes on. It is in the KV namespace for two
 * reasons: a run that does not come looks different from a database that does not answer, and noting it takes no turn
 * of a database.
 */

/** What one run did for a database, or for the control database. */
export interface Run {
  /** ISO 8601. */
  at: string
  /** Whether none of its tasks had a fault. */
  ok: boolean
  /** The task with which the next run begins, if this one did not come to all. */
  next?: string
}

/** Runs by the name of the binding, and of `CONTROL_TASKS`. */
export type Runs = Readonly<Record<string, Run>>

/** The tasks of the control database, which are done in each run. */
export const CONTROL_TASKS = 'control'

/** Ids of tokens are longer, and have no colon. */
const KEY = 'scheduled:runs'

export const readRuns = async (env: Env): Promise<Runs> => (await env.SEEN_JTI.get<Runs>(KEY, 'json')) ?? {}

/** Databases that this run did not reach keep their entry. */
export const storeRuns = (env: Env, before: Runs, runs: Runs): Promise<void> =>
  env.SEEN_JTI.put(KEY, JSON.stringify({ ...before, ...runs }))

/** The databases in the order in which a run serves them: first the one that has waited longest. */
export const byLastRun = (databases: readonly string[], runs: Runs): string[] =>
  databases.toSorted((a, b) => (runs[a]?.at ?? '').localeCompare(runs[b]?.at ?? ''))
