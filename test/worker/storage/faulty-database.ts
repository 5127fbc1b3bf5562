import { env } from 'cloudflare:workers'
import { createApp } from '#worker/app'
import { calling, type Fetch } from '../../support/service'

export interface DatabaseCall {
  kind: 'all' | 'batch'
  statements: string[]
  writes: boolean
  run: () => Promise<unknown>
}

/** Decides the result of a call. By default, the call is executed. */
export type Fault = (call: DatabaseCall) => Promise<unknown>

const isWrite = (sql: string): boolean => !/^\s*(select|with)\b/i.test(sql)

/** A database with errors like those of the network between a Worker and D1. By default, that of the tests. */
export function faultyDatabase(fault: Fault, real: D1Database = env.DB): D1Database {
  const originals = new WeakMap<object, { statement: D1PreparedStatement; sql: string }>()
  const called = (kind: DatabaseCall['kind'], statements: string[], run: () => Promise<unknown>) =>
    fault({ kind, statements, writes: statements.some(isWrite), run })
  const wrap = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), sql),
      all: () => called('all', [sql], () => statement.all()),
    } as unknown as D1PreparedStatement
    originals.set(wrapped, { statement, sql })
    return wrapped
  }
  const database = {
    withSession: () => ({ ...database, getBookmark: () => null }),
    prepare: (sql: string) => wrap(real.prepare(sql), sql),
    batch: (statements: D1PreparedStatement[]) => {
      const inner = statements.map((statement) => originals.get(statement)!)
      return called(
        'batch',
        inner.map(({ sql }) => sql),
        () => real.batch(inner.map(({ statement }) => statement)),
      )
    },
  }
  return database as unknown as D1Database
}

export const serviceWith = (fault: Fault, options: { deadlineMs?: number } = {}): Fetch =>
  calling(createApp(options), { ...env, DB: faultyDatabase(fault) })

/** Applies to all calls except those that record a rejection. */
export const exceptNotes = ({ statements }: DatabaseCall): boolean =>
  !statements.some((sql) => sql.includes('insert into uploads') && sql.includes('on conflict'))

/** Applies to calls that write, with the same exception. */
export const writes = (call: DatabaseCall): boolean => call.writes && exceptNotes(call)

/** One error for each of the first calls for which `applies` is true. Then the database works. */
export function failing(
  faults: ((call: DatabaseCall) => Promise<unknown>)[],
  applies: (call: DatabaseCall) => boolean = () => true,
): Fault & { calls: number } {
  const fault = Object.assign(
    (call: DatabaseCall) => {
      if (!applies(call)) return call.run()
      const next = faults[fault.calls++]
      return next ? next(call) : call.run()
    },
    { calls: 0 },
  )
  return fault
}

export const lostBefore =
  (message = 'D1_ERROR: Network connection lost.') =>
  (): Promise<unknown> =>
    Promise.reject(new Error(message))

export const lostAfter =
  (message = 'D1_ERROR: Network connection lost.') =>
  async ({ run }: DatabaseCall): Promise<unknown> => {
    await run()
    throw new Error(message)
  }
