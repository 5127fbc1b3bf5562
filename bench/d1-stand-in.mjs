/**
 * A D1 database on a separate thread. It executes the statements of the D1 binding over HTTP with SQLite. Statements
 * run without a pause, so it handles one query at a time, as D1 does.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { inTransaction, openDatabase } from './floor.mjs'

/** Number of statements that stay prepared, as in the Workers runtime. */
const MOST_PREPARED = 500

/**
 * Starts a database.
 *
 * @param {string} file path of the database file, which must not exist
 * @returns {Promise<{ port: number, stop: () => Promise<unknown> }>}
 */
export async function startDatabase(file) {
  const thread = new Worker(new URL(import.meta.url), { workerData: { databaseFile: file } })
  const [port] = await once(thread, 'message')
  return { port, stop: () => thread.terminate() }
}

const result = (columns, rows, changes, duration) => ({
  success: true,
  results: { columns, rows },
  meta: { changes, duration, rows_read: rows.length, rows_written: changes },
})

/** Handles the requests of the binding, and reports its port to the starting thread. */
function serve(database) {
  const prepared = new Map()
  const prepare = (sql) => {
    let statement = prepared.get(sql)
    if (statement === undefined) {
      statement = database.prepare(sql)
      if (prepared.size >= MOST_PREPARED) prepared.delete(prepared.keys().next().value)
      prepared.set(sql, statement)
    }
    return statement
  }
  const run = ({ sql, params = [] }) => {
    const statement = prepare(sql)
    const startedAt = performance.now()
    const took = () => performance.now() - startedAt
    const columns = statement.columns().map(({ name }) => name)
    if (columns.length === 0) {
      const { changes } = statement.run(...params)
      return result(columns, [], changes, took())
    }
    statement.setReturnArrays(true)
    const rows = statement.all(...params)
    return result(columns, rows, 0, took())
  }
  const answerTo = async (request) => {
    try {
      /** @type {any} */
      const query = await json(request)
      return Array.isArray(query) ? inTransaction(database, () => query.map(run)) : run(query)
    } catch (error) {
      // D1's wording, with SQLite's code.
      return { success: false, error: `${error.message}: SQLITE_ERROR` }
    }
  }
  const server = createServer(async (request, response) => {
    const body = JSON.stringify(await answerTo(request))
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
  })
  server.listen(0, '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    parentPort.postMessage(port)
  })
}

if (workerData?.databaseFile !== undefined) serve(openDatabase(workerData.databaseFile))
