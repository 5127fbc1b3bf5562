/** Copies files between a bucket and the folder of a backup, one by one, and compares their SHA-256. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { filesOf, pathIn, stillNamed } from './stored-files.mjs'

/**
 * @typedef {object} Copied
 * @property {number} files that were copied
 * @property {import('./stored-files.mjs').StoredFile[]} missing
 * @property {import('./stored-files.mjs').StoredFile[]} damaged their bytes are not those that were stored
 */

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/**
 * @param {import('./stored-files.mjs').StoredFile[]} files
 * @param {(file: import('./stored-files.mjs').StoredFile) => Promise<Buffer | undefined>} read
 * @param {(file: import('./stored-files.mjs').StoredFile, bytes: Buffer) => Promise<void>} write
 * @returns {Promise<Copied>}
 */
async function copy(files, read, write) {
  const copied = { files: 0, missing: [], damaged: [] }
  for (const file of files) {
    const bytes = await read(file)
    if (bytes === undefined) copied.missing.push(file)
    else if (sha256(bytes) !== file.sha256) copied.damaged.push(file)
    else {
      await write(file, bytes)
      copied.files++
    }
  }
  return copied
}

/**
 * Copies the files that a database names into a folder that only its owner can read. The row of a file that was deleted
 * meanwhile is deleted from the copy of the database.
 *
 * @param {import('../database/sqlite.mjs').Sqlite} rows a copy of the database
 * @param {(sql: string) => any[][] | Promise<any[][]>} readNow queries the database as it is now
 * @param {import('./bucket.mjs').Bucket} bucket
 * @param {string} folder
 * @returns {Promise<Copied>}
 */
export async function backUpFiles(rows, readNow, bucket, folder) {
  const copied = await copy(
    filesOf(rows),
    ({ key }) => bucket.get(key),
    async (file, bytes) => {
      const target = pathIn(folder, file)
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
      await writeFile(target, bytes, { mode: 0o600 })
    },
  )
  const missing = copied.missing.length === 0 ? [] : await stillNamed(readNow, copied.missing)
  for (const { table, condition } of copied.missing.filter((file) => !missing.includes(file)))
    rows.run(`DELETE FROM ${table} WHERE ${condition}`)
  return { ...copied, missing }
}

/** Reads a file in the folder of a backup. */
export const readIn = (folder) => (file) =>
  readFile(pathIn(folder, file)).catch((error) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })

/** From a folder into a bucket. */
export const copyIn = (files, folder, bucket) =>
  copy(files, readIn(folder), ({ key, contentType }, bytes) => bucket.put(key, bytes, contentType))

/** Reads files and compares their SHA-256. */
export const verify = (files, read) => copy(files, read, async () => undefined)

/**
 * The faults of a copy as lines of a message.
 *
 * @param {Copied} copied
 * @param {string} [place] where they are
 */
export const faultsOf = ({ missing, damaged }, place) => {
  const where = place === undefined ? '' : ` in the ${place}`
  return [
    ...missing.map(({ table, key }) => `missing${where}: ${table} ${key}`),
    ...damaged.map(({ table, key }) => `damaged${where}: ${table} ${key}`),
  ]
}
