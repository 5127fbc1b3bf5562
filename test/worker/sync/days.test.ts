import { expect, it } from 'vitest'
import { lastDays } from '#worker/sync/days'

/** The last two days as `date from start`. */
const twoDays = (now: string, timeZone: string) =>
  lastDays(new Date(now), timeZone, 2).map(
    ({ date, start }) => `${date} from ${new Date(start).toISOString().slice(0, 16)}`,
  )

it.each([
  ['2026-11-29T20:00Z', 'UTC', '2026-11-28 from 2026-11-28T00:00', '2026-11-29 from 2026-11-29T00:00'],
  // It is already the next day there.
  ['2026-11-29T20:00Z', 'Asia/Kolkata', '2026-11-29 from 2026-11-28T18:30', '2026-11-30 from 2026-11-29T18:30'],
  ['2026-11-29T20:00Z', 'Pacific/Kiritimati', '2026-11-29 from 2026-11-28T10:00', '2026-11-30 from 2026-11-29T10:00'],
  ['2026-11-29T20:00Z', 'Pacific/Pago_Pago', '2026-11-28 from 2026-11-28T11:00', '2026-11-29 from 2026-11-29T11:00'],
  // A day of 25 hours.
  ['2026-10-26T12:00Z', 'Europe/Berlin', '2026-10-25 from 2026-10-24T22:00', '2026-10-26 from 2026-10-25T23:00'],
  // The clocks go from 00:00 to 01:00, where the day begins.
  ['2026-04-24T12:00Z', 'Africa/Cairo', '2026-04-23 from 2026-04-22T22:00', '2026-04-24 from 2026-04-23T22:00'],
])('the days until %s in %s begin with the local day', (now, timeZone, ...days) => {
  expect(twoDays(now, timeZone)).toEqual(days)
})
