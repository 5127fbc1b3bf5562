import type { Check, WriteResult } from './use-upload'

/** A list of a diff. */
export type Change = keyof Check['diff']

/** In the order in which they are shown. */
export const CHANGES: readonly Change[] = ['inserted', 'updated', 'reactivated', 'deactivated']

export const CHANGE_LABELS: Readonly<Record<Change, string>> = {
  inserted: 'New',
  updated: 'Updated',
  reactivated: 'Reactivated',
  deactivated: 'Deactivated',
}

/** How many records a write changes in one way. The service counts the unchanged among the updated. */
export const countOf = (counts: WriteResult, change: Change): number =>
  change === 'updated' ? counts.updated - counts.unchanged : counts[change]

/** How many records a write changes. */
export const changesIn = (counts: WriteResult): number =>
  CHANGES.reduce((sum, change) => sum + countOf(counts, change), 0)
