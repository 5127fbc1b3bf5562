/** The counts in the result of a write. */
export const RESULT_COUNTS = [
  'total',
  'inserted',
  'updated',
  'reactivated',
  'unchanged',
  'deactivated',
] as const
