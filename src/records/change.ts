/** What a write does to a record, in the order in which answers name them. A record that stays as it is has none. */
export const CHANGES = ['inserted', 'updated', 'reactivated', 'deactivated'] as const
export type Change = (typeof CHANGES)[number]
