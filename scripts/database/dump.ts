/**
 * The rows of a database as SQL: one statement per line, each within D1's limits for a statement. Many rows are one
 * JSON text, which needs the same few operations of SQLite however many rows there are, and has no line end in it.
 *
 * @typedef {object} Table
 * @property {string} name
 * @property {string[]} columns the stored columns
 * @property {string[]} key primary key, which identifies its rows
 * @property {string} order in which its rows were added, or of its key if it has no rowids
 */
import { createHash } from 'node:crypto'
import { LIST, TABLES } from './migrate.mjs'

/** The longest statement, in bytes. D1 takes a little more; see "Limits" in Cloudflare's documentation of D1. */
const MAX_STATEMENT_BYTES = 90_000

/** Characters of a part of a text that is too long for one statement. As JSON, none takes more than six bytes. */
const PART = /.{1,10000}/gsu

export const quotedName = (name) => `"${name.replaceAll('"', '""')}"`
const namesOf = (columns) => columns.map(quotedName).join(', ')

/** The id of the deployment marks its bucket, so no backup has it: a restored service gets another one. */
const STAYS = 'deployment_id'

/** Describes each table. @param {import('./sqlite.mjs').Sqlite} database @returns {Table[]} */
export const describeTables = ({ read }) =>
  read(`SELECT name, wr FROM pragma_table_list WHERE name IN (${TABLES}) AND name <> '${LIST}'`).map(
    ([name, isKeyed]) => {
      const columns = read('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 AND name <> ?', name, STAYS).flat()
      const key = read('SELECT name FROM pragma_table_xinfo(?) WHERE pk > 0 ORDER BY pk', name).flat()
      if (key.length === 0)
        throw new Error(`The table ${name} has no primary key, so its rows cannot be distinguished.`)
      return { name, columns, key, order: isKeyed === 1 ? namesOf(key) : 'rowid' }
    },
  )

/** Each row of a table as a list of values. */
const rowsOf = ({ iterate }, { name, columns, order }) =>
  iterate(`SELECT ${namesOf(columns)} FROM ${quotedName(name)} ORDER BY ${order}`)

/** A row as JSON. Integers are `bigint`, which `JSON.stringify` refuses. */
const jsonOf = (values) =>
  `[${values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value))).join(',')}]`

const textLiteral = (text) => `'${text.replaceAll("'", "''")}'`

/** One value as an expression without a line end in it. */
const literal = (value) => `(${textLiteral(jsonOf([value]))} ->> 0)`

/** The statement that inserts rows. @param {Table} table @param {string[]} rows as JSON */
const insertion = ({ name, columns }, rows) =>
  `INSERT INTO ${quotedName(name)} (${namesOf(columns)}) SELECT ${columns.map((_, index) => `value ->> ${index}`)} ` +
  `FROM json_each(${textLiteral(`[${rows.join(',')}]`)});`

/** Statements for a row that is too long for one statement: they put long texts together from parts. */
function* longRow(table, values) {
  const { name, columns, key } = table
  const longest = MAX_STATEMENT_BYTES / 10 / columns.length
  const isLong = (value, index) => typeof value === 'string' && value.length > longest && !key.includes(columns[index])
  yield insertion(table, [jsonOf(values.map((value, index) => (isLong(value, index) ? '' : value)))])
  const isRow = key.map((column) => `${quotedName(column)} = ${literal(values[columns.indexOf(column)])}`)
  for (const [index, column] of columns.entries()) {
    if (!isLong(values[index], index)) continue
    const target = quotedName(column)
    for (const part of values[index].match(PART))
      yield `UPDATE ${quotedName(name)} SET ${target} = ${target} || ${literal(part)} WHERE ${isRow.join(' AND ')};`
  }
}

/**
 * The rows of a table as statements. Each statement has as many rows as fit.
 *
 * @param {import('./sqlite.mjs').Sqlite} database
 * @param {Table} table
 */
export function* dumpTable(database, table) {
  const emptyBytes = Buffer.byteLength(insertion(table, []))
  let rows = []
  let bytes = emptyBytes
  for (const values of rowsOf(database, table)) {
    const row = jsonOf(values)
    const rowBytes = Buffer.byteLength(textLiteral(row))
    if (rows.length > 0 && bytes + rowBytes > MAX_STATEMENT_BYTES) {
      yield insertion(table, rows)
      rows = []
      bytes = emptyBytes
    }
    if (bytes + rowBytes > MAX_STATEMENT_BYTES) yield* longRow(table, values)
    else {
      rows.push(row)
      bytes += rowBytes
    }
  }
  if (rows.length > 0) yield insertion(table, rows)
}

/**
 * The number of rows of some tables of a database, and the SHA-256 of their content.
 *
 * @param {import('./sqlite.mjs').Sqlite} database
 * @param {Table[]} tables
 * @returns {Map<string, { rows: number, digest: string }>} by table
 */
export const digestsOf = (database, tables) =>
  new Map(
    tables.map((table) => {
      const hash = createHash('sha256')
      let rows = 0
      for (const values of rowsOf(database, table)) {
        hash.update(jsonOf(values))
        rows++
      }
      return [table.name, { rows, digest: hash.digest('hex') }]
    }),
  )
