/**
 * Reads the statements of a backup: those of `dump.mjs` and those of `wrangler d1 export`.
 *
 * @typedef {object} Insert
 * @property {string} table
 * @property {string[] | undefined} columns `wrangler d1 export` names none: the values are in the order of the table
 * @property {string[][]} rows literals as in SQL
 */

const HEAD = /^INSERT INTO "?(\w+)"?\s*(?:\(([^)]*)\))?\s*VALUES\s*/

/** @returns the place of the quote that ends a text */
function endOfText(sql, start) {
  for (let at = start; ; at += 2) {
    at = sql.indexOf("'", at + (at === start ? 1 : 0))
    if (at === -1) throw new Error('A statement of the backup is cut off.')
    if (sql[at + 1] !== "'") return at
  }
}

/** @returns the place of the comma or parenthesis after a literal */
function endOfLiteral(sql, start) {
  let depth = 0
  for (let at = start; at < sql.length; at++) {
    const character = sql[at]
    if (character === "'") at = endOfText(sql, at)
    else if (character === '(') depth++
    else if (depth === 0 && (character === ',' || character === ')')) return at
    else if (character === ')') depth--
  }
  throw new Error('A statement of the backup is cut off.')
}

/** The literals of a list; `start` is after its parenthesis. */
function listFrom(sql, start) {
  const literals = []
  for (let at = start; ; ) {
    const end = endOfLiteral(sql, at)
    literals.push(sql.slice(at, end).trim())
    if (sql[end] === ')') return { literals, end: end + 1 }
    at = end + 1
  }
}

/** The table that a statement of a backup writes to; undefined for other lines. */
export const tableOf = (statement) => /^(?:INSERT INTO|UPDATE|DELETE FROM) "?(\w+)"?/.exec(statement)?.[1]

/**
 * The beginning of an insertion of values, and its length; undefined for other statements.
 *
 * @param {string} statement
 */
export function parseHead(statement) {
  const head = HEAD.exec(statement)
  if (!head) return undefined
  const [{ length }, table, columns] = head
  return { length, table, columns: columns?.split(',').map((name) => name.trim().replaceAll('"', '')) }
}

/**
 * @param {string} statement
 * @returns {Insert | undefined} undefined for anything but an insertion of values
 */
export function parseInsert(statement) {
  const head = parseHead(statement)
  if (!head) return undefined
  const { length, table, columns } = head
  const rows = []
  for (let at = length; statement[at] === '('; ) {
    const { literals, end } = listFrom(statement, at + 1)
    rows.push(literals)
    at = statement[end] === ',' ? end + 1 : end
  }
  return { table, columns, rows }
}

/** The text of a literal. Line ends are written as `replace(<text>, <token>, char(<code>))`. */
export function textOf(literal) {
  if (literal.startsWith("'")) return literal.slice(1, -1).replaceAll("''", "'")
  if (!literal.startsWith('replace(')) return literal
  const { literals } = listFrom(literal, 'replace('.length)
  const [text, token, character] = literals
  const code = Number(/^char\((\d+)\)$/.exec(character)?.[1])
  return textOf(text).replaceAll(textOf(token), String.fromCharCode(code))
}

/**
 * Most operations of an insertion. SQLite compiles a statement into 25,000 at most, and says that it is out of memory
 * if it needs more (SQLITE_LIMIT_VDBE_OP).
 */
export const MAX_OPERATIONS = 20_000
const OPERATIONS_OF_A_CALL = 8

/**
 * At least as many operations as a row takes: one for each value, more if functions make it, and two of its own.
 *
 * @param {string[]} literals
 */
export const operationsOf = (literals) =>
  literals.reduce((sum, literal) => sum + (literal.startsWith('replace(') ? OPERATIONS_OF_A_CALL : 1), 2)

/** So many rows take less than `MAX_OPERATIONS`, if they fit into one statement. */
const FEW_ROWS = 1000

/**
 * A statement of a backup, or several that do the same, if it has more rows than a database compiles: backups of
 * earlier releases have such statements.
 *
 * @param {string} statement
 */
export function* compilable(statement) {
  const hasMany = statement.split('),(', FEW_ROWS + 1).length > FEW_ROWS
  const insert = hasMany ? parseInsert(statement) : undefined
  if (insert === undefined) return yield statement
  const head = statement.slice(0, parseHead(statement)?.length)
  let waiting = []
  let operations = 0
  for (const literals of insert.rows) {
    const more = operationsOf(literals)
    if (operations + more > MAX_OPERATIONS) {
      yield `${head}${waiting.join(',')};`
      waiting = []
      operations = 0
    }
    waiting.push(`(${literals.join(',')})`)
    operations += more
  }
  yield `${head}${waiting.join(',')};`
}
