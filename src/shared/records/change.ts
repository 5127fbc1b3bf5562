/** Kinds of change, in the order of responses (docs/contract.md#kinds-of-change). An unchanged record has none. */
export const CHANGES = ['inserted', 'updated', 'reactivated', 'deactivated'] as const
export type ChangeKind = (typeof CHANGES)[number]

/** Counts of a write (docs/contract.md#write-counts). The unchanged are among the updated. */
type ChangeCounts = Record<ChangeKind | 'unchanged', number>

/** How many records had one outcome: unlike in the counts, the unchanged are not among the updated. */
export const countOf = (counts: ChangeCounts, outcome: ChangeKind | 'unchanged'): number =>
  outcome === 'updated' ? counts.updated - counts.unchanged : counts[outcome]

export const changesIn = (counts: ChangeCounts): number =>
  CHANGES.reduce((sum, change) => sum + countOf(counts, change), 0)
