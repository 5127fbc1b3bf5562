import { eq } from 'drizzle-orm'
import type { Database } from './database'
import { scheduledState } from './schema/control'

/** The state that a scheduled run stores for the next one, in the control database. */

export interface Run {
  /** ISO 8601. */
  at: string
  ok: boolean
  /** The task with which the next run starts, if this run did not reach all tasks. */
  next?: string
  /** One size per week, oldest first. */
  sizes?: readonly Size[]
}

interface Size {
  at: string
  bytes: number
}

const DAY_MS = 24 * 3600 * 1000
/** Days between two stored sizes, and the number of stored sizes. */
const SIZE_DAYS = 7
const MOST_SIZES = 5

const daysSince = ({ at }: Size, now: Date): number => (now.getTime() - Date.parse(at)) / DAY_MS

export function isSizeDue(run: Run | undefined, now: Date): boolean {
  const last = run?.sizes?.at(-1)
  return last === undefined || daysSince(last, now) >= SIZE_DAYS
}

export const withSize = (run: Run | undefined, bytes: number, now: Date): readonly Size[] =>
  [...(run?.sizes ?? []), { at: now.toISOString(), bytes }].slice(-MOST_SIZES)

/** Days until a database of `most` bytes is full at the growth of the last weeks; null if unknown. */
export function daysLeft(run: Run | undefined, bytes: number, most: number, now: Date): number | null {
  const [first] = run?.sizes ?? []
  if (first === undefined || daysSince(first, now) < SIZE_DAYS || bytes <= first.bytes) return null
  return Math.max(0, Math.floor(((most - bytes) * daysSince(first, now)) / (bytes - first.bytes)))
}

/** Runs by binding, and by `CONTROL_TASKS`. */
export type Runs = Readonly<Record<string, Run>>

/** Key of the control database's tasks, which every run performs. */
export const CONTROL_TASKS = 'control'

export interface ScheduledState {
  runs: Runs
  /** The last checked key of the bucket, by kind of object (`platform/orphans.ts`). */
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

/** The databases in the order of a run: first the one that has waited longest. */
export const byLastRun = (databases: readonly string[], runs: Runs): string[] =>
  databases.toSorted((a, b) => (runs[a]?.at ?? '').localeCompare(runs[b]?.at ?? ''))
