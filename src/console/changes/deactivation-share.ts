import type { Preview } from '../service/answers'

/** Percent of the active records from which on one click is not enough to confirm. */
const ASKING_PERCENT = 10

/** Whether the user must type the number of records that would be deactivated. */
export const asksForNumber = (check: Pick<Preview, 'shrink_guard' | 'deactivated' | 'active_before'>): boolean =>
  check.shrink_guard !== undefined ||
  (check.deactivated > 0 && check.deactivated * 100 >= check.active_before * ASKING_PERCENT)
