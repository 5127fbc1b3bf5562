/** What one request cost the database; goes into its log line. */
export class Meter {
  rowsRead = 0
  rowsWritten = 0

  add(meta: { rows_read?: number; rows_written?: number }): void {
    this.rowsRead += meta.rows_read ?? 0
    this.rowsWritten += meta.rows_written ?? 0
  }
}
