/** The files that rows of the databases name: their bytes are in the bucket, and beside the SQL of a backup. */
import path from 'node:path'

/**
 * @typedef {object} StoredFile
 * @property {string} key of its object in the bucket
 * @property {string} sha256 of its bytes, hexadecimal
 * @property {string} contentType
 * @property {string} table
 * @property {string} condition finds its row in the table
 */

/** The tables whose rows name an object. Their `key` makes its key, in a `folder` if there is one. */
export const FILE_TABLES = [
  { name: 'documents', folder: [], key: ['workspace_id', 'document_id'], only: 'true' },
  { name: 'uploads', folder: ['_uploads'], key: ['upload_id'], only: "outcome = 'held'" },
]

/** What the parts of a key look like. Nothing else may become a path. */
const PART = /^[A-Za-z0-9][\w.-]*$/

/**
 * The files that the rows of a database name.
 *
 * @param {import('../database/sqlite.mjs').Sqlite} database
 * @returns {StoredFile[]}
 */
export const filesOf = ({ read }) =>
  FILE_TABLES.flatMap(({ name: table, folder, key: columns, only }) =>
    read(`SELECT sha256, content_type, ${columns} FROM ${table} WHERE ${only} ORDER BY ${columns}`).map(
      ([sha256, contentType, ...parts]) => {
        if (!parts.every((part) => PART.test(part)))
          throw new Error(
            `The database names a file that the service cannot have stored: ${parts.join('/')}.`,
          )
        const isRow = columns.map((column, index) => `${column} = '${parts[index]}'`)
        const condition = [...isRow, only].join(' AND ')
        return { key: [...folder, ...parts].join('/'), sha256, contentType, table, condition }
      },
    ),
  )

/** The folder with the files of a backup: `catalog.files` for `catalog.sql`. */
export function folderOf(file) {
  const { dir, name } = path.parse(file)
  return path.join(dir, `${name}.files`)
}

/** Where a file is in that folder. */
export const pathIn = (folder, { key }) => path.join(folder, ...key.split('/'))

/** Rows that one query asks for: D1 takes up to 100 columns. */
const ROWS_PER_QUERY = 90

/**
 * Those files whose rows a database has.
 *
 * @param {(sql: string) => any[][] | Promise<any[][]>} read
 * @param {StoredFile[]} files
 */
export async function stillNamed(read, files) {
  const named = []
  for (let start = 0; start < files.length; start += ROWS_PER_QUERY) {
    const some = files.slice(start, start + ROWS_PER_QUERY)
    const columns = some.map(
      ({ table, condition }, index) => `EXISTS (SELECT 1 FROM ${table} WHERE ${condition}) AS row_${index}`,
    )
    const [present] = await read(`SELECT ${columns.join(', ')}`)
    named.push(...some.filter((_, index) => present[index] === 1))
  }
  return named
}
