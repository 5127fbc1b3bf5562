import { wasRolledBack } from './database-faults'

/** Rows that a database reads per millisecond: the least duration of a query if the database reports less. */
const ROWS_READ_PER_MS = 2500

type Cost = Partial<Pick<D1Meta, 'duration' | 'rows_read' | 'rows_written'>>

export class Meter {
  rowsRead = 0
  rowsWritten = 0
  /** Consecutive round trips to databases that delayed the response. Simultaneous ones count once. */
  roundTrips = 0
  statements = 0
  /** Duration in the databases, in milliseconds: without the network, except for rejected statements. */
  databaseMs = 0
  #underWay = 0

  async roundTrip<T>(statements: number, call: () => Promise<T>): Promise<T> {
    this.statements += statements
    if (this.#underWay++ === 0) this.roundTrips++
    const startedAt = Date.now()
    try {
      return await call()
    } catch (error) {
      // The database reports nothing about a rejected batch.
      if (wasRolledBack(error)) this.databaseMs += Date.now() - startedAt
      throw error
    } finally {
      this.#underWay--
    }
  }

  add(...costs: Cost[]): void {
    for (const { duration = 0, rows_read = 0, rows_written = 0 } of costs) {
      this.rowsRead += rows_read
      this.rowsWritten += rows_written
      this.databaseMs += Math.max(duration, rows_read / ROWS_READ_PER_MS)
    }
  }
}
