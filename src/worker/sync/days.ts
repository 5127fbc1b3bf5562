const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The clocks of all time zones agree on when a quarter of an hour begins. */
const QUARTER_MS = HOUR_MS / 4

export interface Day {
  /** `2026-11-29`. */
  date: string
  /** When it begins, in milliseconds since the epoch. */
  start: number
}

/**
 * The last days until now, oldest first.
 *
 * @param timeZone IANA name
 * @throws RangeError if there is no such time zone
 */
export function lastDays(now: Date, timeZone: string, count: number): Day[] {
  // The form of Canada is that of ISO 8601.
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const today = Date.parse(format.format(now))
  return Array.from({ length: count }, (_, n) => {
    const midnight = today - (count - 1 - n) * DAY_MS
    const date = new Date(midnight).toISOString().slice(0, 10)
    // A day may begin at one o'clock, because the clocks change at midnight, so it is looked for.
    let [before, start] = [midnight - 15 * HOUR_MS, midnight + 15 * HOUR_MS]
    while (start - before > QUARTER_MS) {
      const middle = Math.floor((before + start) / 2 / QUARTER_MS) * QUARTER_MS
      if (format.format(middle) < date) before = middle
      else start = middle
    }
    return { date, start }
  })
}
