/** Kinds of change, in the order of answers (docs/contract.md#kinds-of-change). An unchanged record has none. */
export const CHANGES = ['inserted', 'updated', 'reactivated', 'deactivated'] as const
export type Change = (typeof CHANGES)[number]
