import { CHANGES } from '../../catalog/change'
import type { Batch, WriteResult } from './service/answers'

/** What a write does to a record; the names of the lists of a diff. */
export type Change = (typeof CHANGES)[number]

type Counts = Pick<WriteResult, Change | 'unchanged'>

export const CHANGE_LABELS: Readonly<Record<Change | 'unchanged', string>> = {
  inserted: 'New',
  updated: 'Updated',
  reactivated: 'Reactivated',
  deactivated: 'Deactivated',
  unchanged: 'Unchanged',
}

/** How many records a write changes in one way. The service counts the unchanged among the updated. */
export const countOf = (counts: Counts, change: Change | 'unchanged'): number =>
  change === 'updated' ? counts.updated - counts.unchanged : counts[change]

/** How many records a write changes. */
export const changesIn = (counts: Counts): number =>
  CHANGES.reduce((sum, change) => sum + countOf(counts, change), 0)

/** What a write does about the records that are not in its file. */
export const MODE_LABELS: Readonly<Record<Batch['mode'], string>> = {
  upsert: 'Add and update',
  reconcile: 'Replace the whole catalog',
}
