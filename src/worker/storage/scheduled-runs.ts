import { eq } from 'drizzle-orm'
import type { Database } from './database'
import { scheduledState } from './schema/control'

/** What a scheduled run leaves for the next one, in the control database. */

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

export interface ScheduledState {
  /** When the last run was at each database, and where the next one goes on. */
  runs: Runs
  /** The last key of the bucket that was looked at, by the kind of object (`platform/orphans.ts`). */
  orphans: { held_files?: string; documents?: string }
}

/** Empty if nothing is stored yet. */
export async function readState<Name extends keyof ScheduledState>(
  { orm }: Database,
  name: Name,
): Promise<ScheduledState[Name]> {
  const [row] = await orm.select().from(scheduledState).where(eq(scheduledState.name, name))
  return JSON.parse(row?.value ?? '{}')
}

export async function storeState<Name extends keyof ScheduledState>(
  { orm, retry }: Database,
  name: Name,
  state: ScheduledState[Name],
): Promise<void> {
  const value = JSON.stringify(state)
  await retry(() =>
    orm
      .insert(scheduledState)
      .values({ name, value })
      .onConflictDoUpdate({ target: scheduledState.name, set: { value } }),
  )
}

/** The databases in the order in which a run serves them: first the one that has waited longest. */
export const byLastRun = (databases: readonly string[], runs: Runs): string[] =>
  databases.toSorted((a, b) => (runs[a]?.at ?? '').localeCompare(runs[b]?.at ?? ''))
