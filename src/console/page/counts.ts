import { CHANGES, type Change } from '#records/change'
import type { Batch, WriteResult } from './service/answers'

/** What became of a record that was written: one of the changes, or none. */
type Outcome = Change | 'unchanged'

/** In the order in which they are shown. */
export const OUTCOMES: readonly Outcome[] = [...CHANGES, 'unchanged']

type Counts = Pick<WriteResult, Outcome>

export const OUTCOME_LABELS: Readonly<Record<Outcome, string>> = {
  inserted: 'New',
  updated: 'Updated',
  reactivated: 'Reactivated',
  deactivated: 'Deactivated',
  unchanged: 'Unchanged',
}

/** How many records had one outcome. The service counts the unchanged among the updated. */
export const countOf = (counts: Counts, outcome: Outcome): number =>
  outcome === 'updated' ? counts.updated - counts.unchanged : counts[outcome]

/** How many records a write changes. */
export const changesIn = (counts: Counts): number =>
  CHANGES.reduce((sum, change) => sum + countOf(counts, change), 0)

/** What a write does about the records that are not in its file. */
export const MODE_LABELS: Readonly<Record<Batch['mode'], string>> = {
  upsert: 'Add and update',
  reconcile: 'Replace the whole catalog',
}
