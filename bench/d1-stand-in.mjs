/**
 * D1 in a process of its own, for the measurement of memory: it takes what the D1 binding sends and runs it on SQLite, so
 * that nothing but the service lives under the limit of the heap. Run with the path of the database file; says on which
 * port it listens in a message to its parent.
 */
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { openDatabase } from './floor.mjs'

const database = openDatabase(process.argv[2])

function run({ sql, params }) {
  const statement = database.prepare(sql)
  const values = params ?? []
  if (!statement.reader) {
    const { changes } = statement.run(...values)
    return { columns: [], rows: [], changes }
  }
  const columns = statement.columns().map(({ name }) => name)
  const rows = statement.raw().all(...values)
  return { columns, rows, changes: 0 }
}

const result = ({ columns, rows, changes }) => ({
  success: true,
  results: { columns, rows },
  meta: { changes, duration: 0, rows_read: rows.length, rows_written: changes },
})

/** All statements in one transaction, as the binding's `batch` has them. */
const runAll = database.transaction((statements) => statements.map((statement) => result(run(statement))))

async function answer(request) {
  try {
    const query = await json(request)
    return Array.isArray(query) ? runAll(query) : result(run(query))
  } catch (error) {
    return { success: false, error: error.message }
  }
}

const server = createServer(async (request, response) => {
  const body = JSON.stringify(await answer(request))
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.once('disconnect', () => process.exit())
