import { expect, it } from 'vitest'
import { lastDays } from '#worker/sync/days'

const starts = (now: string, timeZone: string, count: number) =>
  lastDays(new Date(now), timeZone, count).map(({ date, start }) => [date, new Date(start).toISOString().slice(0, 16)])

it.each([
  [
    '2026-11-29T20:00Z',
    'UTC',
    [
      ['2026-11-28', '2026-11-28T00:00'],
      ['2026-11-29', '2026-11-29T00:00'],
    ],
  ],
  // Already the next day there.
  [
    '2026-11-29T20:00Z',
    'Asia/Kolkata',
    [
      ['2026-11-29', '2026-11-28T18:30'],
      ['2026-11-30', '2026-11-29T18:30'],
    ],
  ],
  [
    '2026-11-29T20:00Z',
    'Pacific/Kiritimati',
    [
      ['2026-11-29', '2026-11-28T10:00'],
      ['2026-11-30', '2026-11-29T10:00'],
    ],
  ],
  [
    '2026-11-29T20:00Z',
    'Pacific/Pago_Pago',
    [
      ['2026-11-28', '2026-11-28T11:00'],
      ['2026-11-29', '2026-11-29T11:00'],
    ],
  ],
  // A day of 25 hours.
  [
    '2026-10-26T12:00Z',
    'Europe/Berlin',
    [
      ['2026-10-25', '2026-10-24T22:00'],
      ['2026-10-26', '2026-10-25T23:00'],
    ],
  ],
  // The clocks go from 00:00 to 01:00, where the day begins.
  [
    '2026-04-24T12:00Z',
    'Africa/Cairo',
    [
      ['2026-04-23', '2026-04-22T22:00'],
      ['2026-04-24', '2026-04-23T22:00'],
    ],
  ],
])('the days until %s in %s begin where they do there', (now, timeZone, expected) => {
  expect(starts(now, timeZone, 2)).toEqual(expected)
})
