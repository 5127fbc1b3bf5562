import { type SQL, sql } from 'drizzle-orm'
import { retryIf } from './d1'
import type { Meter } from './meter'

declare const row: unique symbol

/**
 * A statement that is not bound to a database, so that it can be sent again, also to another database. `Row` is the
 * type of its rows.
 */
export interface Statement<Row = unknown> {
  /** A type only; no statement has it. */
  readonly [row]?: Row
  sql: string
  params: readonly unknown[]
  /** Whether it can be repeated without harm. */
  readOnly: boolean
}

type ResultsOf<Statements extends readonly Statement[]> = {
  -readonly [N in keyof Statements]: Statements[N] extends Statement<infer Row> ? D1Result<Row> : never
}

/** Runs statements in one transaction and one round trip; a result for each. */
export type RunStatements = <const Statements extends readonly Statement[]>(
  statements: Statements,
) => Promise<ResultsOf<Statements>>

const isReadOnly = (sql: string): boolean => /^\s*(select|with|explain)\b/i.test(sql)

/** A statement from its SQL. It counts as read-only by its first word. */
export const statementOf = <Row>(sql: string, params: readonly unknown[] = []): Statement<Row> => ({
  sql,
  params,
  readOnly: isReadOnly(sql),
})

export const areReadOnly = (statements: readonly Statement[]): boolean => statements.every(({ readOnly }) => readOnly)

/**
 * Runs statements on one database and counts what they cost.
 *
 * Statements that only read are retried; a write is sent once, and a transient fault of it reaches the caller, who
 * knows whether repeating it is safe.
 */
export function runOn(database: D1Database | D1DatabaseSession, meter: Meter): RunStatements {
  const send = (statements: readonly Statement[]): Promise<D1Result[]> => {
    const d1Statements = statements.map(({ sql, params }) => database.prepare(sql).bind(...params))
    const [first, second] = d1Statements
    return first && !second ? first.all().then((result) => [result]) : database.batch(d1Statements)
  }
  return async <const Statements extends readonly Statement[]>(statements: Statements) => {
    const results = await retryIf(areReadOnly(statements), () =>
      meter.roundTrip(statements.length, () => send(statements)),
    )
    meter.add(...results.map(({ meta }) => meta))
    // D1 gives one result per statement. What its rows are is known from the statement alone.
    return results as ResultsOf<Statements>
  }
}

/**
 * An object that Drizzle uses as a D1 database, over any way to run statements. A result must not have two columns of
 * the same name.
 */
export function drizzleDriver(run: RunStatements): D1Database {
  const statements = new WeakMap<object, Statement>()

  const driverOf = (statement: Statement): D1PreparedStatement => {
    const all = async <T>() => (await run([statement]))[0] as D1Result<T>
    const driver = {
      bind: (...params: unknown[]) => driverOf({ ...statement, params }),
      all,
      run: all,
      // Through all(), because raw() returns no figures.
      raw: async () => (await all<Record<string, unknown>>()).results.map((row) => Object.values(row)),
    } as unknown as D1PreparedStatement
    statements.set(driver, statement)
    return driver
  }

  return {
    prepare: (sql: string) => driverOf(statementOf(sql)),
    batch: (list: D1PreparedStatement[]) => run(list.map((driver) => statements.get(driver)!)),
  } as unknown as D1Database
}

/**
 * The values of a statement that is written as text with numbered parameters. Drizzle takes longer to put a large
 * statement together than its database needs to run it.
 */
export class Parameters {
  readonly #numbers = new Map<string, number>()

  /** @returns the parameter that stands for a value. The text must use it: D1 refuses values that nothing uses */
  of(value: string): string {
    const number = this.#numbers.get(value) ?? this.#numbers.size + 1
    this.#numbers.set(value, number)
    return `?${number}`
  }

  /** @param text must hold no question mark but those of parameters */
  statement<Row>(text: string): Statement<Row> {
    return statementOf(text, [...this.#numbers.keys()])
  }

  /** Such a text as a part of a statement of Drizzle. */
  sql(text: string): SQL {
    const values = [...this.#numbers.keys()]
    const parts = text.split(/\?(\d+)/)
    return sql.join(parts.map((part, n) => (n % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`)))
  }
}
