import { type SQL, sql } from 'drizzle-orm'

/**
 * A statement that stops its transaction if it finds a row, with a message that may hold figures of that moment. SQL
 * has no statement for that outside of triggers, but a path that is none stops it, and is named in the message.
 *
 * @param message an expression that names a column of the row: SQLite may evaluate a constant even if there is no row
 * @param from where the row is looked for, with its condition
 */
export const stopIf = (message: SQL, from: SQL): SQL => sql`select json_extract('{}', ${message}) from ${from}`
