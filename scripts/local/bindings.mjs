/**
 * Bindings of the local Worker: a delay for its databases (a query takes a millisecond locally, and 10 to 50 on
 * Cloudflare), and rate limits in memory. Nothing of this is deployed.
 */
import { boundDatabases } from '#worker/storage/database'

/** Fraction of the distance by which a query is faster or slower. */
const JITTER = 0.2

/**
 * A D1 database with a function around all of its calls.
 *
 * @param {D1Database | D1DatabaseSession} database
 * @param {<T>(call: () => Promise<T>) => Promise<T>} delay makes the call later
 * @returns {D1Database}
 */
export function withDelay(database, delay) {
  const inner = new WeakMap()
  const around = (statement) => {
    const outer = { bind: (...values) => around(statement.bind(...values)) }
    for (const name of ['all', 'run', 'raw', 'first']) {
      outer[name] = (...args) => delay(() => statement[name](...args))
    }
    inner.set(outer, statement)
    return outer
  }
  return {
    prepare: (sql) => around(database.prepare(sql)),
    batch: (statements) => delay(() => database.batch(statements.map((outer) => inner.get(outer)))),
    exec: (sql) => delay(() => database.exec(sql)),
    withSession: (start) => withDelay(database.withSession(start), delay),
    getBookmark: () => database.getBookmark(),
  }
}

/**
 * Waits half of the time, makes the call, and waits the other half, without using the CPU.
 *
 * @param {number} ms milliseconds of a call, there and back, on average
 * @param {() => number} random from 0 to 1
 */
export const delayedBy = (ms, random = Math.random) => {
  const half = () => new Promise((resolve) => setTimeout(resolve, (ms / 2) * (1 + JITTER * (2 * random() - 1))))
  return async (call) => {
    await half()
    try {
      return await call()
    } finally {
      await half()
    }
  }
}

/** The bindings of a Worker, with a delay around each call to its databases. */
export const atDistance = (env, delay) => ({
  ...env,
  ...Object.fromEntries(boundDatabases(env).map((name) => [name, withDelay(env[name], delay)])),
})

/**
 * A rate limit in memory, as on Cloudflare. Miniflare's is a database on disk: each request waits for it, and a small
 * request spends a quarter of its CPU time there.
 *
 * @param {{ limit: number, period: number }} simple number of requests per key, and the period in seconds
 */
export function rateLimit({ limit, period }) {
  const counts = new Map()
  let current
  return {
    async limit({ key }) {
      const window = Math.floor(Date.now() / 1000 / period)
      if (window !== current) counts.clear()
      current = window
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return { success: count <= limit }
    },
  }
}
