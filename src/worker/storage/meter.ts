/** Rows that a database reads within a millisecond: the least time of a query if the database tells less. */
const ROWS_READ_PER_MS = 2500

/** A call of the database counts more from this time on, in proportion, and at most so many times as much. */
const SHORT_QUERY_MS = 10
export const MOST_QUERY_WEIGHT = 4

/** What a database says about a statement. */
type Cost = Partial<Pick<D1Meta, 'duration' | 'rows_read' | 'rows_written'>>

/** The database cost of one request, for its log line. */
export class Meter {
  rowsRead = 0
  rowsWritten = 0
  /** Calls to databases that the answer waited for, one after another: those under way at the same time count once. */
  roundTrips = 0
  statements = 0
  /** Time of the databases themselves, without the way there, in milliseconds. */
  databaseMs = 0
  /**
   * The same, weighted by what others notice of it. A database does one call at a time, so nobody notices a hundred
   * calls of 2 ms with room between them, but one of 200 ms stops everybody.
   */
  noticedMs = 0
  #underWay = 0

  async roundTrip<T>(statements: number, call: () => Promise<T>): Promise<T> {
    this.statements += statements
    if (this.#underWay++ === 0) this.roundTrips++
    try {
      return await call()
    } finally {
      this.#underWay--
    }
  }

  /** Adds the statements of one call. */
  add(...costs: Cost[]): void {
    let callMs = 0
    for (const { duration = 0, rows_read = 0, rows_written = 0 } of costs) {
      this.rowsRead += rows_read
      this.rowsWritten += rows_written
      callMs += Math.max(duration, rows_read / ROWS_READ_PER_MS)
    }
    this.databaseMs += callMs
    this.noticedMs += callMs * Math.min(MOST_QUERY_WEIGHT, Math.max(1, callMs / SHORT_QUERY_MS))
  }
}

/** Counts rows for a request, but no round trips: the answer does not wait for them. */
export class BackgroundMeter extends Meter {
  readonly #request: Meter

  constructor(request: Meter) {
    super()
    this.#request = request
  }

  override add(...costs: Cost[]): void {
    this.#request.add(...costs)
  }
}
