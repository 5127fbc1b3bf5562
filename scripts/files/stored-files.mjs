/** The files that rows of the databases name: their bytes are in the bucket, and beside the SQL of a backup. */
import path from 'node:path'
import { describeTables, quotedName } from '../database/dump.mjs'
import { exportedStatements } from '../database/export-lines.mjs'
import { linesOf } from '../database/load.mjs'
import { parseInsert, textOf } from '../database/statements.mjs'

/**
 * @typedef {object} StoredFile
 * @property {string} key of its object in the bucket
 * @property {string} sha256 of its bytes, hexadecimal
 * @property {string} contentType
 * @property {string} table
 * @property {string} condition finds its row in the table
 */

/**
 * The tables whose rows name an object. The columns in `key` make its key, in a `folder` if there is one; they are
 * the key of the row too. With `only`, the row names an object only if the column has this value.
 */
export const FILE_TABLES = [
  { name: 'documents', key: ['workspace_id', 'document_id'], sha256: 'sha256', contentType: 'content_type' },
  {
    name: 'uploads',
    folder: '_uploads',
    key: ['upload_id'],
    only: { column: 'outcome', value: 'held' },
    sha256: 'sha256',
    contentType: 'content_type',
  },
]

/** The folder with the files of a backup: `catalog.files` for `catalog.sql`. */
export function folderOf(file) {
  const { dir, name } = path.parse(file)
  return path.join(dir, `${name}.files`)
}

/** Where a file is in that folder. */
export const pathIn = (folder, { key }) => path.join(folder, ...key.split('/'))

/** What the parts of a key look like. Nothing else may become a path. */
const PART = /^[A-Za-z0-9][\w.-]*$/

/** @returns {StoredFile | undefined} undefined if the row names no file */
function storedFile(table, columns, literals) {
  const literal = (column) => literals[columns.indexOf(column)]
  const { only } = table
  if (only && textOf(literal(only.column)) !== only.value) return undefined
  const parts = table.key.map((column) => textOf(literal(column)))
  if (!parts.every((part) => PART.test(part))) {
    throw new Error(`The backup names a file that the service cannot have stored: ${parts.join('/')}.`)
  }
  return {
    key: [...(table.folder ? [table.folder] : []), ...parts].join('/'),
    sha256: textOf(literal(table.sha256)),
    contentType: textOf(literal(table.contentType)),
    table: table.name,
    condition: [...table.key, ...(only ? [only.column] : [])]
      .map((column) => `${quotedName(column)} = ${literal(column)}`)
      .join(' AND '),
  }
}

/** Rows that one query asks for: D1 takes up to 100 columns. */
const ROWS_PER_QUERY = 90

/**
 * Those files whose rows a database has.
 *
 * @param {(sql: string) => Promise<unknown[][]>} read
 * @param {StoredFile[]} files
 */
export async function stillNamed(read, files) {
  const named = []
  for (let start = 0; start < files.length; start += ROWS_PER_QUERY) {
    const some = files.slice(start, start + ROWS_PER_QUERY)
    const columns = some.map(
      ({ table, condition }, index) =>
        `EXISTS (SELECT 1 FROM ${quotedName(table)} WHERE ${condition}) AS row_${index}`,
    )
    const [found] = await read(`SELECT ${columns.join(', ')}`)
    named.push(...some.filter((_, index) => found[index] === 1))
  }
  return named
}

/**
 * The files that the rows of a backup name.
 *
 * @param {AsyncIterable<string>} statements of one database, which name their columns
 */
export async function* filesNamedIn(statements) {
  for await (const statement of statements) {
    const table = FILE_TABLES.find(({ name }) => statement.startsWith(`INSERT INTO ${quotedName(name)}`))
    if (!table) continue
    const { columns, rows } = parseInsert(statement)
    for (const literals of rows) {
      const file = storedFile(table, columns, literals)
      if (file) yield file
    }
  }
}

/**
 * The files of a backup whose rows are in a database. A backup of an earlier release may name no columns: the database
 * knows them.
 *
 * @param {string} sql file of the backup
 * @param {import('../database/dump.mjs').Read} read
 * @returns {Promise<StoredFile[]>}
 */
export async function filesOf(sql, read) {
  const tables = (await describeTables(read)).filter(({ name }) =>
    FILE_TABLES.some((table) => table.name === name),
  )
  const files = []
  for await (const file of filesNamedIn(exportedStatements(linesOf(sql), tables))) files.push(file)
  return stillNamed(read, files)
}
