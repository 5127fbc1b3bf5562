import { expect, it } from 'vitest'
import { dayText, periodText } from '#console/activity/activity-text'

const day = (date: string, counts: object = {}) => ({
  ...{ date, active: 1300, inserted: 0, updated: 0, reactivated: 0, deactivated: 0 },
  ...{ writes: 0, rejected: 0, not_sent: 0, upload_id: null, batch_id: null },
  ...counts,
})

it.each([
  [{}, '29 Nov: nothing was sent. 1,300 active.'],
  [{ writes: 2 }, '29 Nov: no changes. 1,300 active.'],
  [{ writes: 1, inserted: 2, deactivated: 4 }, '29 Nov: 2 added, 4 deactivated. 1,300 active.'],
  [{ rejected: 2 }, '29 Nov: 2 uploads rejected. 1,300 active.'],
  [{ writes: 1, rejected: 1, not_sent: 1 }, '29 Nov: no changes, 1 upload rejected, 1 file missing. 1,300 active.'],
])('a day with %j is described in a sentence', (counts, text) => {
  expect(dayText(day('2026-11-29', counts))).toBe(text)
})

it('several days are described together', () => {
  const days = [
    day('2026-11-28', { writes: 1, updated: 3 }),
    day('2026-11-29', { writes: 1, updated: 1, reactivated: 5 }),
  ]
  expect(periodText(days)).toBe('Last 2 days: 4 updated, 5 reactivated.')
})
