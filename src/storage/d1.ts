import { ApiError } from '#errors'
import type { Meter } from './meter'

/**
 * D1 faults that pass by themselves and leave it open whether a write was carried out
 * (Cloudflare, "Debug D1", list of retryable errors).
 */
const TRANSIENT = [
  'Network connection lost',
  'storage caused object to be reset',
  'reset because its code was updated',
  'Cannot resolve D1 DB due to transient issue on remote node',
]

/** Faults of a database that has too much to do: trying again at once would make it worse. */
const OVERLOADED = [
  'D1 DB is overloaded',
  'exceeded its CPU time limit',
  'exceeded its memory limit',
  'timed out',
]

const ATTEMPTS = 4
const FIRST_BACKOFF_MS = 50
const LONGEST_BACKOFF_MS = 2000

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  return error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message
}

export const isTransient = (error: unknown): boolean =>
  TRANSIENT.some((text) => messageOf(error).includes(text))

const isOverload = (error: unknown): boolean => OVERLOADED.some((text) => messageOf(error).includes(text))

const unavailable = (error: unknown): ApiError =>
  new ApiError('unavailable', 'The database is not available at the moment; trying again is safe.', {
    reason: 'database unavailable after retries',
    cause: error,
  })

/** Waits before attempt `attempt` (1 is the first retry): exponential, with full jitter. */
const backoff = (attempt: number): Promise<void> => {
  const ceiling = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 4 ** attempt)
  return new Promise((resolve) => setTimeout(resolve, Math.random() * ceiling))
}

/**
 * Runs something that may be repeated without harm, again while D1 answers with a transient fault.
 *
 * @throws ApiError `unavailable` (503) when the fault does not pass or the database is overloaded; any other error
 *   as it came
 */
export async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (isOverload(error)) throw unavailable(error)
      if (!isTransient(error)) throw error
      if (attempt === ATTEMPTS) throw unavailable(error)
      await backoff(attempt)
    }
  }
}

const isReadOnly = (sql: string): boolean => /^\s*(select|with|explain)\b/i.test(sql)

/**
 * A D1 database that counts what each statement costs and retries reads. It is what Drizzle and everything else in
 * the service is given in place of the binding.
 *
 * Single statements that only read, and batches of them, are retried; a write runs once, and its transient fault
 * reaches the caller, who knows whether repeating it is safe. A result may not have two columns of one name.
 */
export function meteredDatabase(database: D1Database, meter: Meter): D1Database {
  const originals = new WeakMap<object, { statement: D1PreparedStatement; readOnly: boolean }>()

  const counted = <R extends D1Result>(result: R): R => {
    meter.add(result.meta)
    return result
  }

  const wrap = (statement: D1PreparedStatement, readOnly: boolean): D1PreparedStatement => {
    const once = <T>(run: () => Promise<T>) => (readOnly ? retrying(run) : run())
    const all = async <T>() => counted(await once(() => statement.all<T>()))
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), readOnly),
      all,
      run: all,
      first: async (column?: string) => {
        const row = (await all<Record<string, unknown>>()).results[0] ?? null
        return column === undefined || row === null ? row : (row[column] ?? null)
      },
      // Through all(), because raw() alone brings no figures with it.
      raw: async () => (await all<Record<string, unknown>>()).results.map((row) => Object.values(row)),
    } as unknown as D1PreparedStatement
    originals.set(wrapped, { statement, readOnly })
    return wrapped
  }

  return {
    prepare: (sql: string) => wrap(database.prepare(sql), isReadOnly(sql)),
    batch: async <T>(statements: D1PreparedStatement[]) => {
      const inner = statements.map((statement) => originals.get(statement)!)
      const run = () => database.batch<T>(inner.map(({ statement }) => statement))
      const results = await (inner.every(({ readOnly }) => readOnly) ? retrying(run) : run())
      return results.map(counted)
    },
    exec: (sql: string) => database.exec(sql),
  } as unknown as D1Database
}
