import type { Env } from '#worker/env'

/**
 * When the scheduled run was last at each database. It is in the KV namespace for two reasons: a run that does not come
 * looks different from a database that does not answer, and noting it takes no turn of a database.
 */

/** The run of one database. */
export interface Run {
  /** ISO 8601. */
  at: string
  /** Whether all of its tasks ended without a fault. */
  ok: boolean
}

/** Ids of tokens are longer, and have no colon. */
const KEY = 'scheduled:runs'

/** By the name of the binding. */
export const readRuns = async (env: Env): Promise<Record<string, Run>> =>
  (await env.SEEN_JTI.get<Record<string, Run>>(KEY, 'json')) ?? {}

/** Notes the databases of one run. One that the run did not come to keeps its time. */
export async function noteRuns(env: Env, runs: Readonly<Record<string, Run>>): Promise<void> {
  await env.SEEN_JTI.put(KEY, JSON.stringify({ ...(await readRuns(env)), ...runs }))
}
