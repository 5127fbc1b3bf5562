/**
 * The rows of a database as SQL: one statement per line, each within D1's limit for a statement, read in pages.
 *
 * @typedef {(sql: string, ...parameters: unknown[]) => Promise<any[][]>} Read runs a query and returns rows of
 *   values
 * @typedef {object} Table
 * @property {string} name
 * @property {string[]} columns the stored columns
 * @property {string[]} key primary key, which orders and identifies its rows
 */

import { searchIndex } from './search-index.mjs'
import { MAX_OPERATIONS, operationsOf } from './statements.mjs'

const encoder = new TextEncoder()
const bytesOf = (text) => encoder.encode(text).length

/** The longest statement, in bytes. D1 takes a little more; see "Limits" in Cloudflare's documentation of D1. */
export const MAX_STATEMENT_BYTES = 90_000
/** Characters of a text that is written in parts; none takes more than four bytes. */
const PART_CHARACTERS = 20_000
/** Rows and bytes that are read at a time. A row has some hundred bytes, and at most two million. */
const PAGE_ROWS = 1000
const PAGE_BYTES = 4_000_000

/** The tables of the service, without virtual tables, their helper tables and the tables of D1 itself. */
export const TABLES = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
  AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 4) <> '_cf_' AND name <> 'd1_migrations' ORDER BY name`

/**
 * The same tables in one query, each with its columns as a JSON list: name, place in the primary key, 0 if it is
 * stored.
 */
const TABLES_WITH_COLUMNS = `SELECT t.name,
    (SELECT json_group_array(json_array(c.name, c.pk, c.hidden)) FROM pragma_table_xinfo(t.name) AS c) AS columns
  FROM (${TABLES}) AS t`

export const quotedName = (name) => `"${name.replaceAll('"', '""')}"`
const names = (columns) => columns.map(quotedName).join(', ')

/**
 * Describes each table.
 *
 * @param {Read} read
 * @returns {Promise<Table[]>}
 */
export async function describeTables(read) {
  return (await read(TABLES_WITH_COLUMNS)).map(([name, description]) => {
    const info = JSON.parse(description)
    const columns = info.filter(([, , hidden]) => hidden === 0).map(([column]) => column)
    const key = info
      .filter(([, pk]) => pk > 0)
      .sort(([, a], [, b]) => a - b)
      .map(([column]) => column)
    if (key.length === 0)
      throw new Error(`The table ${name} has no primary key, so its rows cannot be told apart.`)
    return { name, columns, key }
  })
}

/** A placeholder for a line end that does not occur in `text`. */
function unused(text) {
  for (let number = 0; ; number++) {
    const token = `\\n${number || ''}`
    if (!text.includes(token)) return token
  }
}

/** A literal without a line end in it. */
function oneLine(literal) {
  if (!literal.includes('\n')) return literal
  const token = unused(literal)
  return `replace(${literal.replaceAll('\n', token)}, '${token}', char(10))`
}

const isText = (literal) => literal.startsWith("'")
const textLiteral = (text) => oneLine(`'${text.replaceAll("'", "''")}'`)

/** Cuts a text into parts, none of them inside a pair of surrogates. */
function parts(text) {
  const cut = []
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + PART_CHARACTERS, text.length)
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end--
    cut.push(text.slice(start, end))
    start = end
  }
  return cut
}

/**
 * Statements for a row that is too long for one statement: they put long texts together from parts.
 *
 * @param {Table} table
 * @param {string[]} literals in the order of its columns
 */
export function* longRow({ name, columns, key }, literals) {
  const rest = []
  const first = literals.map((literal, position) => {
    if (!isText(literal) || literal.length <= PART_CHARACTERS) return oneLine(literal)
    const [head, ...tail] = parts(literal.slice(1, -1).replaceAll("''", "'"))
    rest.push(...tail.map((part) => [columns[position], part]))
    return textLiteral(head)
  })
  yield `INSERT INTO ${quotedName(name)} (${names(columns)}) VALUES (${first.join(',')});`
  const found = key.map((column) => `${quotedName(column)} = ${oneLine(literals[columns.indexOf(column)])}`)
  for (const [column, part] of rest) {
    const target = quotedName(column)
    yield `UPDATE ${quotedName(name)} SET ${target} = ${target} || ${textLiteral(part)} WHERE ${found.join(' AND ')};`
  }
}

/** How many of the rows fit into a page, at least one. */
function rowsInPage(sizes) {
  let bytes = 0
  const excess = sizes.findIndex(([size], position) => {
    bytes += size
    return position > 0 && bytes > PAGE_BYTES
  })
  return excess === -1 ? sizes.length : excess
}

/** Rows of a table as lists of literals, in the order of its key. */
async function* rowsOf(read, { name, columns, key }) {
  const from = (after) =>
    `FROM ${quotedName(name)} ${after ? `WHERE (${names(key)}) > (${key.map(() => '?').join(', ')})` : ''} ORDER BY ${names(key)}`
  const size = columns.map((column) => `coalesce(octet_length(${quotedName(column)}), 0)`).join(' + ')
  const values = [...key.map(quotedName), ...columns.map((column) => `quote(${quotedName(column)})`)].join(
    ', ',
  )
  for (let last = []; ; ) {
    const rest = from(last.length > 0)
    const sizes = await read(`SELECT ${size} ${rest} LIMIT ${PAGE_ROWS}`, ...last)
    if (sizes.length === 0) return
    const page = await read(`SELECT ${values} ${rest} LIMIT ${rowsInPage(sizes)}`, ...last)
    for (const row of page) yield row.slice(key.length)
    last = page.at(-1).slice(0, key.length)
  }
}

/**
 * The rows of a table as statements. Each statement has as many rows as fit.
 *
 * @param {Read} read
 * @param {Table} table
 */
async function* dumpTable(read, table) {
  const head = `INSERT INTO ${quotedName(table.name)} (${names(table.columns)}) VALUES `
  const headBytes = bytesOf(head)
  let waiting = []
  let bytes = headBytes
  let operations = 0
  const statement = () => `${head}${waiting.join(',')};`
  for await (const literals of rowsOf(read, table)) {
    const lines = literals.map(oneLine)
    const row = `(${lines.join(',')})`
    const rowBytes = bytesOf(row) + 1
    const rowOperations = operationsOf(lines)
    const isFull = bytes + rowBytes > MAX_STATEMENT_BYTES || operations + rowOperations > MAX_OPERATIONS
    if (waiting.length > 0 && isFull) {
      yield statement()
      waiting = []
      bytes = headBytes
      operations = 0
    }
    if (headBytes + rowBytes > MAX_STATEMENT_BYTES) yield* longRow(table, literals)
    else {
      waiting.push(row)
      bytes += rowBytes
      operations += rowOperations
    }
  }
  if (waiting.length > 0) yield statement()
}

/**
 * The statements that insert the rows of a database again, each with a line end. The last ones fill the full-text
 * index.
 *
 * @param {Read} read
 * @param {Table[]} tables
 */
export async function* dump(read, tables) {
  yield 'PRAGMA defer_foreign_keys=TRUE;\n'
  for (const table of tables) {
    for await (const statement of dumpTable(read, table)) yield `${statement}\n`
  }
  if (tables.some(({ name }) => name === 'records')) {
    const catalogs = async (sql) => (await read(sql)).map(([catalog_id]) => ({ catalog_id }))
    for await (const statement of searchIndex(catalogs)) yield `${statement}\n`
  }
}
