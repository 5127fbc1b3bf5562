/** The database cost of one request, for its log line. */
export class Meter {
  rowsRead = 0
  rowsWritten = 0
  /** Calls to databases that the answer waited for, one after another: those under way at the same time count once. */
  roundTrips = 0
  statements = 0
  #underWay = 0

  async trip<T>(statements: number, call: () => Promise<T>): Promise<T> {
    this.statements += statements
    if (this.#underWay++ === 0) this.roundTrips++
    try {
      return await call()
    } finally {
      this.#underWay--
    }
  }

  add(meta: { rows_read?: number; rows_written?: number }): void {
    this.rowsRead += meta.rows_read ?? 0
    this.rowsWritten += meta.rows_written ?? 0
  }
}

/** Counts rows for a request, but no trips: the answer does not wait for them. */
export class BackgroundMeter extends Meter {
  readonly #request: Meter

  constructor(request: Meter) {
    super()
    this.#request = request
  }

  override add(meta: { rows_read?: number; rows_written?: number }): void {
    this.#request.add(meta)
  }
}
