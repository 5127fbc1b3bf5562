import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import type { Env } from '#worker/env'
import { retry, retryIf } from '#worker/storage/database-faults'
import type { Deadline } from '#worker/storage/deadline'
import type { Meter } from '#worker/storage/meter'

declare const row: unique symbol

/** A statement, not bound to a database. `Row` is the type of its rows. */
export interface Statement<Row = unknown> {
  /** Phantom type: the type of the rows, at compile time only. */
  readonly [row]?: Row
  sql: string
  params: readonly unknown[]
  /** Whether it is safe to repeat. */
  readOnly: boolean
}

type ResultsOf<Statements extends readonly Statement[]> = {
  -readonly [N in keyof Statements]: Statements[N] extends Statement<infer Row> ? D1Result<Row> : never
}

/** Runs statements in one transaction and one round trip. Returns a result for each. */
export type RunStatements = <const Statements extends readonly Statement[]>(
  statements: Statements,
) => Promise<ResultsOf<Statements>>

const isReadOnly = (sql: string): boolean => /^\s*(select|with|explain)\b/i.test(sql)

/** Creates a statement. Its first word decides whether it counts as read-only. */
export const statementOf = <Row>(sql: string, params: readonly unknown[] = []): Statement<Row> => ({
  sql,
  params,
  readOnly: isReadOnly(sql),
})

export const areReadOnly = (statements: readonly Statement[]): boolean => statements.every(({ readOnly }) => readOnly)

/** Runs statements on one database and counts their cost. Reads are retried; a write is sent once. */
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
    // D1 returns one result per statement. Only the statement knows the type of its rows.
    return results as ResultsOf<Statements>
  }
}

const proxied = <Row>({ results }: D1Result<Row>) => ({ rows: results.map((row) => Object.values(row as object)) })

/** Drizzle over any way to run statements. A result must not have two columns of the same name. */
const ormOver = (run: RunStatements) =>
  drizzle(
    async (text, params) => proxied(firstOf(await run([statementOf(text, params)]))),
    async (queries) => (await run(queries.map(({ sql, params }) => statementOf(sql, params)))).map(proxied),
  )

/**
 * The values of a statement written as text. Drizzle takes longer to build a large statement than D1 to run it.
 */
export class Parameters {
  readonly #numbers = new Map<string, number>()

  /** @returns the parameter for a value. The text must use it: D1 rejects unused values */
  of(value: string): string {
    const number = this.#numbers.get(value) ?? this.#numbers.size + 1
    this.#numbers.set(value, number)
    return `?${number}`
  }

  /** @param text contains no question marks other than those of parameters */
  statement<Row>(text: string): Statement<Row> {
    return statementOf(text, [...this.#numbers.keys()])
  }

  /** Such a text as a fragment of a Drizzle statement. */
  sql(text: string): SQL {
    const values = [...this.#numbers.keys()]
    const parts = text.split(/\?(\d+)/)
    return sql.join(parts.map((part, n) => (n % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`)))
  }
}

const dialect = new SQLiteAsyncDialect()

/** A statement and the type of its rows. The type must match the SQL; nothing checks it. */
export type Query<Row = unknown> = SQL<Row> | Statement<Row>

type RowsOf<Queries extends readonly Query[]> = {
  -readonly [N in keyof Queries]: Queries[N] extends Query<infer Row> ? Row[] : never
}

/** A batch whose last statement returns `Row`s. */
export type Ending<Row> = readonly [...Query[], Query<Row>]

export const lastOf = <Row>(queries: Ending<Row>): Query<Row> => queries.at(-1) as Query<Row>

/** The database interface of the service: Drizzle for ordinary queries, batches of SQL for catalogs. */
export interface Database {
  orm: ReturnType<typeof ormOver>
  all<Row>(query: Query<Row>): Promise<Row[]>
  one<Row>(query: Query<Row>): Promise<Row>
  /** Runs all statements in one transaction. Returns the rows of each. */
  batch<const Queries extends readonly Query[]>(queries: Queries): Promise<RowsOf<Queries>>
  /** The same for a batch whose last statement reports the result. @returns the rows of the last statement */
  batchEnding<Row>(queries: Ending<Row>): Promise<Row[]>
  /** Runs a write that is safe to repeat, and retries it after transient faults while there is time. */
  retry<T>(write: (requireTime: () => void) => Promise<T>): Promise<T>
}

// Drizzle itself would return rows of raw SQL without column names.
export const prepare = <Row>(query: SQL<Row>): Statement<Row> => {
  const { sql: text, params } = dialect.sqlToQuery(query)
  return statementOf(text, params)
}

const asStatement = <Row>(query: Query<Row>): Statement<Row> => ('params' in query ? query : prepare(query))

/** The first row of a statement that always returns one. @throws Error if it returned none */
export function firstOf<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('database: a statement that always gives a row gave none')
  return row
}

export function databaseOver(run: RunStatements, deadline?: Deadline): Database {
  const all = async <Row>(query: Query<Row>): Promise<Row[]> => {
    const [{ results }] = await run([asStatement(query)])
    return results
  }
  const batch = async <const Queries extends readonly Query[]>(queries: Queries) => {
    const results = await run(queries.map(asStatement))
    // `map` keeps number and order, but not the types.
    return results.map((result) => result.results) as RowsOf<Queries>
  }
  return {
    orm: ormOver(run),
    all,
    one: async (query) => firstOf(await all(query)),
    batch,
    batchEnding: async <Row>(queries: Ending<Row>) => (await batch(queries)).at(-1) as Row[],
    retry: (write) => retry(write, { deadline }),
  }
}

/** A database in which each read waits for a slot. */
export const databaseInSlots = (db: Database, withSlot: WithSlot): Database => ({
  ...db,
  all: (query) => withSlot(() => db.all(query)),
  one: (query) => withSlot(() => db.one(query)),
  batch: (queries) => withSlot(() => db.batch(queries)),
})

export const controlDatabase = (env: Env, meter: Meter, deadline?: Deadline): Database =>
  databaseOver(runOn(env.DB, meter), deadline)

/** A database by its binding, for jobs across workspaces. Requests use `workspaceDatabase`. @throws Error */
export const catalogDatabase = (env: Env, binding: string, meter: Meter): Database =>
  databaseOver(runOn(boundDatabase(env, binding), meter))

/** The databases of the service for one request or run, for code that uses several of them. */
export const databaseAccess = (env: Env, meter: Meter) => ({
  meter,
  control: controlDatabase(env, meter),
  catalog: (binding: string) => catalogDatabase(env, binding, meter),
})

export type DatabaseAccess = ReturnType<typeof databaseAccess>

/** Runs a read or a write once there is a slot. */
export type WithSlot = <T>(run: () => Promise<T>) => Promise<T>

/** A number that SQLite treats as an integer: D1 binds every JavaScript number as REAL. */
export const int = (value: number): SQL => sql`cast(${value} as integer)`

/**
 * A statement that stops its transaction if it finds a row; see `stopOf`. `json_extract` with an invalid path raises an
 * error that quotes the path: our message.
 *
 * @param message `'reason:' || figure`, with a column of the row: SQLite may evaluate a constant without a row
 */
export const stopIf = (message: SQL, from: SQL): SQL => sql`select json_extract('{}', ${message}) from ${from}`

/** A `select` of one row, or none unless a condition is true. Missing columns get their defaults. */
export function rowIf<T extends SQLiteTable>(table: T, row: T['$inferInsert'], condition: SQL): SQL {
  const given: Record<string, unknown> = row
  // In the order of the table's columns, as the insert expects.
  const values = Object.entries(getTableColumns(table)).map(([name, column]) =>
    sql.param(given[name] ?? column.default ?? null, column),
  )
  return sql`select ${sql.join(values, sql`, `)} where ${condition}`
}

export const intOrNull = (value: number | null): SQL => (value === null ? sql`null` : int(value))

// A binding of another Worker or of static assets is a proxy that seems to have every method.
const isDatabase = (binding: unknown): binding is D1Database =>
  typeof binding === 'object' && binding !== null && 'prepare' in binding && 'batch' in binding && !('fetch' in binding)

/** Names of the D1 databases that are bound in `wrangler.toml`; workspaces can live in each of them. */
export const boundDatabases = (env: Env): string[] =>
  Object.entries(env)
    .filter(([, binding]) => isDatabase(binding))
    .map(([name]) => name)
    .sort()

export const notBound = (name: string): Error => new Error(`configuration: no D1 database is bound as ${name}`)

/** @throws Error if no database is bound under this name; this only affects the workspaces in it */
export function boundDatabase(env: Env, name: string): D1Database {
  const binding: unknown = Reflect.get(env, name)
  if (!isDatabase(binding)) throw notBound(name)
  return binding
}
