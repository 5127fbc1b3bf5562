/**
 * The rows of a database as SQL: one statement per line, each within D1's limits for a statement. One JSON text
 * contains many rows: SQLite needs the same few operations for any number of rows, and the text has no line break.
 */
import { createHash } from 'node:crypto'
import type { SQLOutputValue } from 'node:sqlite'
import { LIST, TABLES } from './migrate.ts'
import type { Sqlite } from './sqlite.ts'
import type { Digest } from './units.ts'

export interface Table {
  name: string
  /** The stored columns. */
  columns: string[]
  /** Primary key, which identifies the rows. */
  key: string[]
  /** The order in which rows were added, or the order of the key if the table has no rowids. */
  order: string
}

/** The longest statement, in bytes. D1 accepts slightly more; see "Limits" in Cloudflare's documentation of D1. */
const MAX_STATEMENT_BYTES = 90_000

/** Characters per part of a text that is too long for one statement. In JSON, a character uses at most six bytes. */
const PART = /.{1,10000}/gsu

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`
const namesOf = (columns: readonly string[]): string => columns.map(quotedName).join(', ')

/** The deployment's ID marks its bucket. No backup contains it: a restored service gets a new one. */
const STAYS = 'deployment_id'

/** Describes each table. */
export const describeTables = ({ read }: Sqlite): Table[] =>
  read(`SELECT name, wr FROM pragma_table_list WHERE name IN (${TABLES}) AND name <> '${LIST}'`).map(
    ([value, isKeyed]) => {
      const name = String(value)
      const namesWhere = (condition: string, ...parameters: string[]) =>
        read(`SELECT name FROM pragma_table_xinfo(?) WHERE ${condition}`, name, ...parameters)
          .flat()
          .map(String)
      const columns = namesWhere('hidden = 0 AND name <> ?', STAYS)
      const key = namesWhere('pk > 0 ORDER BY pk')
      if (key.length === 0)
        throw new Error(`The table ${name} has no primary key, so its rows cannot be distinguished.`)
      return { name, columns, key, order: isKeyed === 1 ? namesOf(key) : 'rowid' }
    },
  )

/** Each row of a table as a list of values. */
const rowsOf = ({ iterate }: Sqlite, { name, columns, order }: Table) =>
  iterate(`SELECT ${namesOf(columns)} FROM ${quotedName(name)} ORDER BY ${order}`)

/** A row as JSON. Integers are `bigint`, which `JSON.stringify` rejects. */
const jsonOf = (values: readonly SQLOutputValue[]): string =>
  `[${values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value))).join(',')}]`

const textLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** One value as an expression without a line break. */
const literal = (value: SQLOutputValue): string => `(${textLiteral(jsonOf([value]))} ->> 0)`

/** The statement that inserts rows. @param rows as JSON */
const insertion = ({ name, columns }: Table, rows: readonly string[]): string =>
  `INSERT INTO ${quotedName(name)} (${namesOf(columns)}) SELECT ${columns.map((_, index) => `value ->> ${index}`)} ` +
  `FROM json_each(${textLiteral(`[${rows.join(',')}]`)});`

/** Statements for a row that is too long for one statement. They assemble long texts from parts. */
function* longRow(table: Table, values: readonly SQLOutputValue[]): Generator<string> {
  const { name, columns, key } = table
  const longest = MAX_STATEMENT_BYTES / 10 / columns.length
  const valueIn = (column: string): SQLOutputValue => values[columns.indexOf(column)] ?? null
  const longText = (column: string): string | undefined => {
    const value = valueIn(column)
    return typeof value === 'string' && value.length > longest && !key.includes(column) ? value : undefined
  }
  yield insertion(table, [jsonOf(columns.map((column) => (longText(column) === undefined ? valueIn(column) : '')))])
  const isRow = key.map((column) => `${quotedName(column)} = ${literal(valueIn(column))}`)
  for (const column of columns) {
    const target = quotedName(column)
    for (const part of longText(column)?.match(PART) ?? [])
      yield `UPDATE ${quotedName(name)} SET ${target} = ${target} || ${literal(part)} WHERE ${isRow.join(' AND ')};`
  }
}

/** The rows of a table as statements, with as many rows in each as fit. */
export function* dumpTable(database: Sqlite, table: Table): Generator<string> {
  const emptyBytes = Buffer.byteLength(insertion(table, []))
  let rows: string[] = []
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

/** The number of rows of some tables of a database, and the SHA-256 of their content, by table. */
export const digestsOf = (database: Sqlite, tables: readonly Table[]): Map<string, Digest> =>
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
