/** The database cost of one request, for its log line. */
export class Meter {
  rowsRead = 0
  rowsWritten = 0
  /** Calls to a database, each of them one round trip: a single statement or a batch. */
  roundTrips = 0
  /** Statements in these calls. */
  statements = 0

  add(meta: { rows_read?: number; rows_written?: number }): void {
    this.rowsRead += meta.rows_read ?? 0
    this.rowsWritten += meta.rows_written ?? 0
  }
}
