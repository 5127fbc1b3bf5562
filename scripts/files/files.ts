/**
 * The files that rows of the databases name: their bytes are in the bucket, and beside the SQL of a backup. They are
 * copied one by one, and their SHA-256 is compared.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Keys of objects in the bucket, with the SHA-256 of the bytes, and what finds the row that names the object. */
const FILES = `
  SELECT workspace_id || '/' || document_id AS key, sha256, content_type, 'documents' AS "table",
    printf('workspace_id = %Q AND document_id = %Q', workspace_id, document_id) AS condition
  FROM documents
  UNION ALL
  SELECT '_uploads/' || upload_id, sha256, content_type, 'uploads',
    printf('upload_id = %Q AND outcome = %Q', upload_id, outcome)
  FROM uploads WHERE outcome = 'held'
  ORDER BY key`

/** What a key looks like. Nothing else may become a path. */
const KEY = /^(?:_uploads|[A-Za-z0-9][\w.-]*)\/[A-Za-z0-9][\w.-]*$/

/** The files that the rows of a database name. @param {import('../database/sqlite.mjs').Sqlite} database */
export const filesOf = ({ read }) =>
  read(FILES).map(([key, sha256, contentType, table, condition]) => {
    if (!KEY.test(key)) throw new Error(`The database names a file that the service cannot have stored: ${key}.`)
    return { key, sha256, contentType, table, condition }
  })

/** @typedef {ReturnType<typeof filesOf>[number]} StoredFile */

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
 * The files that rows of a database still name.
 *
 * @param {(sql: string) => any[][] | Promise<any[][]>} read
 * @param {StoredFile[]} files
 */
export async function filesInUse(read, files) {
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

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/**
 * @param {StoredFile[]} files
 * @param {(file: StoredFile) => Promise<Buffer | undefined>} read
 * @param {(file: StoredFile, bytes: Buffer) => Promise<void>} write
 */
async function copy(files, read, write) {
  /** How many were copied; those that are missing; those whose bytes are not those that were stored. */
  const outcome = { files: 0, missing: [], damaged: [] }
  for (const file of files) {
    const bytes = await read(file)
    if (bytes === undefined) outcome.missing.push(file)
    else if (sha256(bytes) !== file.sha256) outcome.damaged.push(file)
    else {
      await write(file, bytes)
      outcome.files++
    }
  }
  return outcome
}

/** @typedef {Awaited<ReturnType<typeof copy>>} CopyOutcome */

/**
 * Copies the files that a database names into a folder that only its owner can read. The row of a file that was deleted
 * meanwhile is deleted from the copy of the database.
 *
 * @param {import('../database/sqlite.mjs').Sqlite} rows a copy of the database
 * @param {(sql: string) => any[][] | Promise<any[][]>} readNow queries the database as it is now
 * @param {import('./bucket.mjs').ReadableBucket} bucket
 */
export async function backUpFiles(rows, readNow, bucket, folder) {
  const outcome = await copy(
    filesOf(rows),
    ({ key }) => bucket.get(key),
    async (file, bytes) => {
      const target = pathIn(folder, file)
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
      await writeFile(target, bytes, { mode: 0o600, flush: true })
    },
  )
  const missing = outcome.missing.length === 0 ? [] : await filesInUse(readNow, outcome.missing)
  for (const { table, condition } of outcome.missing.filter((file) => !missing.includes(file)))
    rows.run(`DELETE FROM ${table} WHERE ${condition}`)
  return { ...outcome, missing }
}

/** The bytes of a file; undefined when there is no such file. @param {string} file */
export const readIfThere = (file) =>
  readFile(file).catch((error) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })

/** Reads a file in the folder of a backup. */
export const readIn = (folder) => (file) => readIfThere(pathIn(folder, file))

/** From a folder into a bucket. */
export const copyIn = (files, folder, bucket) =>
  copy(files, readIn(folder), ({ key, contentType }, bytes) => bucket.put(key, bytes, contentType))

/** Reads files and compares their SHA-256. */
export const verify = (files, read) => copy(files, read, async () => undefined)

/** The faults of a copy as lines of a message. @param {CopyOutcome} outcome @param {string} [place] where they are */
export const faultsOf = ({ missing, damaged }, place) => {
  const where = place === undefined ? '' : ` in the ${place}`
  return Object.entries({ missing, damaged }).flatMap(([fault, files]) =>
    files.map(({ table, key }) => `${fault}${where}: ${table} ${key}`),
  )
}
