import { sql } from 'drizzle-orm'
import { check } from 'drizzle-orm/sqlite-core'

/** Constraints that the database enforces, whatever the code does. The migration has the same conditions. */

export const checkOneOf = (table: string, column: string, values: readonly (string | number)[]) => {
  const list = values.map((value) => (typeof value === 'string' ? `'${value}'` : value)).join(', ')
  return check(`${table}_${column}`, sql.raw(`${column} in (${list})`))
}

export const checkFlag = (table: string, column: string) => checkOneOf(table, column, [0, 1])
