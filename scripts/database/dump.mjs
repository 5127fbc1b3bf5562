/**
 * The rows of a database as SQL: one statement per line, each within D1's limits for a statement.
 *
 * @typedef {object} Table
 * @property {string} name
 * @property {string[]} columns the stored columns
 * @property {string[]} key primary key, which orders and identifies its rows
 */
import { LIST, TABLES } from './migrate.mjs'

/** The longest statement, in bytes. D1 takes a little more; see "Limits" in Cloudflare's documentation of D1. */
export const MAX_STATEMENT_BYTES = 90_000
/** Characters of a text that is written in parts; none takes more than four bytes. */
const PART_CHARACTERS = 20_000

/**
 * Most operations of a statement. SQLite compiles it into 25,000 at most, and says that it is out of memory if it needs
 * more (SQLITE_LIMIT_VDBE_OP). Each value is one, or more if functions make it, and each row has two of its own.
 */
const MAX_OPERATIONS = 20_000
const OPERATIONS_OF_A_CALL = 8

/** The tables, each with its columns as a JSON list: name, place in the primary key, 0 if it is stored. */
const TABLES_WITH_COLUMNS = `SELECT t.name,
    (SELECT json_group_array(json_array(c.name, c.pk, c.hidden)) FROM pragma_table_xinfo(t.name) AS c) AS columns
  FROM (${TABLES}) AS t WHERE t.name <> '${LIST}'`

export const quotedName = (name) => `"${name.replaceAll('"', '""')}"`
const namesOf = (columns) => columns.map(quotedName).join(', ')

/**
 * Describes each table.
 *
 * @param {import('./sqlite.mjs').Sqlite} database
 * @returns {Table[]}
 */
export const describeTables = ({ read }) =>
  read(TABLES_WITH_COLUMNS).map(([name, description]) => {
    const info = JSON.parse(description)
    const columns = info.filter(([, , hidden]) => hidden === 0).map(([column]) => column)
    const key = info
      .filter(([, place]) => place > 0)
      .sort(([, one], [, other]) => one - other)
      .map(([column]) => column)
    if (key.length === 0) throw new Error(`The table ${name} has no primary key, so its rows cannot be told apart.`)
    return { name, columns, key }
  })

/** A literal without a line end in it: a text that it does not have stands for one. */
function oneLine(literal) {
  if (!literal.includes('\n')) return literal
  let token = '\\n'
  for (let number = 1; literal.includes(token); number++) token = `\\n${number}`
  return `replace(${literal.replaceAll('\n', token)}, '${token}', char(10))`
}

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

/** Statements for a row that is too long for one statement: they put long texts together from parts. */
function* longRow({ name, columns, key }, literals) {
  const rest = []
  const first = literals.map((literal, index) => {
    if (!literal.startsWith("'") || literal.length <= PART_CHARACTERS) return oneLine(literal)
    const [head, ...tail] = parts(literal.slice(1, -1).replaceAll("''", "'"))
    rest.push(...tail.map((part) => [columns[index], part]))
    return textLiteral(head)
  })
  yield `INSERT INTO ${quotedName(name)} (${namesOf(columns)}) VALUES (${first.join(',')});`
  const isRow = key.map((column) => `${quotedName(column)} = ${oneLine(literals[columns.indexOf(column)])}`)
  for (const [column, part] of rest) {
    const target = quotedName(column)
    yield `UPDATE ${quotedName(name)} SET ${target} = ${target} || ${textLiteral(part)} WHERE ${isRow.join(' AND ')};`
  }
}

/**
 * The rows of a table as statements. Each statement has as many rows as fit.
 *
 * @param {import('./sqlite.mjs').Sqlite} database
 * @param {Table} table
 */
export function* dumpTable({ iterate }, table) {
  const { name, columns, key } = table
  const head = `INSERT INTO ${quotedName(name)} (${namesOf(columns)}) VALUES `
  const quoted = columns.map((column) => `quote(${quotedName(column)})`).join(', ')
  let rows = []
  let bytes = 0
  let operations = 0
  for (const literals of iterate(`SELECT ${quoted} FROM ${quotedName(name)} ORDER BY ${namesOf(key)}`)) {
    const values = literals.map(oneLine)
    const row = `(${values.join(',')})`
    const rowBytes = Buffer.byteLength(row) + 1
    const rowOperations = values.reduce(
      (sum, value) => sum + (value.startsWith('replace(') ? OPERATIONS_OF_A_CALL : 1),
      2,
    )
    const isFull = bytes + rowBytes > MAX_STATEMENT_BYTES || operations + rowOperations > MAX_OPERATIONS
    if (rows.length > 0 && isFull) {
      yield `${head}${rows.join(',')};`
      rows = []
    }
    if (rows.length === 0) [bytes, operations] = [head.length, 0]
    if (head.length + rowBytes > MAX_STATEMENT_BYTES) yield* longRow(table, literals)
    else {
      rows.push(row)
      bytes += rowBytes
      operations += rowOperations
    }
  }
  if (rows.length > 0) yield `${head}${rows.join(',')};`
}
