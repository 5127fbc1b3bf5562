/**
 * A D1 database in a separate process: it runs the statements of the D1 binding on SQLite, one query at a time. Its
 * argument is the path of the database file. It sends its port to its parent in a message, and answers each message of
 * the parent with its usage.
 */
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { inTransaction, openDatabase } from './floor.mjs'
import { OneAtATime } from './one-at-a-time.mjs'

const database = openDatabase(process.argv[2])
const turns = new OneAtATime()

/** Statements that stay prepared, as in the runtime of Workers. */
const MOST_PREPARED = 500
const prepared = new Map()

function prepare(sql) {
  let statement = prepared.get(sql)
  if (statement === undefined) {
    statement = database.prepare(sql)
    if (prepared.size >= MOST_PREPARED) prepared.delete(prepared.keys().next().value)
    prepared.set(sql, statement)
  }
  return statement
}

function run({ sql, params }) {
  const statement = prepare(sql)
  const columns = statement.columns().map(({ name }) => name)
  const values = params ?? []
  if (columns.length === 0) return { columns, rows: [], changes: statement.run(...values).changes }
  statement.setReturnArrays(true)
  return { columns, rows: statement.all(...values), changes: 0 }
}

const result = ({ columns, rows, changes }) => ({
  success: true,
  results: { columns, rows },
  meta: { changes, duration: 0, rows_read: rows.length, rows_written: changes },
})

/** Runs all statements in one transaction, like `batch` of the binding. */
const runAll = (statements) => inTransaction(database, () => statements.map((statement) => result(run(statement))))

async function answer(request) {
  try {
    /** @type {any} */
    const query = await json(request)
    return await turns.run(() => (Array.isArray(query) ? runAll(query) : result(run(query))))
  } catch (error) {
    return { success: false, error: error.message }
  }
}

const server = createServer(async (request, response) => {
  const body = JSON.stringify(await answer(request))
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  process.send({ port })
})
process.on('message', ({ turnMs }) => {
  if (turnMs !== undefined) turns.takeAtLeast(turnMs)
  process.send({ usage: turns.usage })
})
process.once('disconnect', () => process.exit())
