const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** In every time zone, days start at a full quarter of an hour. */
const QUARTER_MS = HOUR_MS / 4

export interface Day {
  /** `2026-11-29`. */
  date: string
  /** Start of the day, in milliseconds since the epoch. */
  start: number
}

/**
 * The last days until now, oldest first.
 *
 * @param timeZone IANA name
 * @throws RangeError for an unknown time zone
 */
export function lastDays(now: Date, timeZone: string, count: number): Day[] {
  // The Canadian format is that of ISO 8601.
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const today = Date.parse(format.format(now))
  return Array.from({ length: count }, (_, n) => {
    const midnight = today - (count - 1 - n) * DAY_MS
    const date = new Date(midnight).toISOString().slice(0, 10)
    // Search for the start, because a day begins at 1:00 if the clocks change at midnight.
    let [before, start] = [midnight - 15 * HOUR_MS, midnight + 15 * HOUR_MS]
    while (start - before > QUARTER_MS) {
      const middle = Math.floor((before + start) / 2 / QUARTER_MS) * QUARTER_MS
      if (format.format(middle) < date) before = middle
      else start = middle
    }
    return { date, start }
  })
}
