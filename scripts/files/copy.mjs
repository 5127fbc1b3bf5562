/** Copies files between a bucket and the folder of a backup, one by one, and compares their SHA-256. */
import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { quotedName } from '../database/dump.mjs'
import { linesOf } from '../database/load.mjs'
import { filesNamedIn, pathIn, stillNamed } from './stored-files.mjs'

/**
 * @typedef {object} Copied
 * @property {number} files that were copied
 * @property {import('./stored-files.mjs').StoredFile[]} missing
 * @property {import('./stored-files.mjs').StoredFile[]} damaged their bytes are not those that were stored
 */

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/**
 * @param {AsyncIterable<import('./stored-files.mjs').StoredFile> | import('./stored-files.mjs').StoredFile[]} files
 * @param {(file: import('./stored-files.mjs').StoredFile) => Promise<Buffer | undefined>} read
 * @param {(file: import('./stored-files.mjs').StoredFile, bytes: Buffer) => Promise<void>} write
 * @returns {Promise<Copied>}
 */
async function copy(files, read, write) {
  const copied = { files: 0, missing: [], damaged: [] }
  for await (const file of files) {
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

/** From a bucket into a folder that only its owner can read. */
const copyOut = (files, bucket, folder) =>
  copy(
    files,
    ({ key }) => bucket.get(key),
    async (file, bytes) => {
      const target = pathIn(folder, file)
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
      await writeFile(target, bytes, { mode: 0o600 })
    },
  )

/**
 * Copies the files that one database names. A file that was deleted since its row was read leaves the backup: its row
 * is deleted again at the end of the SQL.
 *
 * @param {(sql: string) => Promise<unknown[][]>} readNow queries the database as it is now
 * @param {string} sql file with the rows of the database
 * @param {import('./bucket.mjs').Bucket} bucket
 * @param {string} folder
 * @returns {Promise<Copied>}
 */
export async function backUpFiles(readNow, sql, bucket, folder) {
  const copied = await copyOut(filesNamedIn(linesOf(sql)), bucket, folder)
  const missing = await stillNamed(readNow, copied.missing)
  for (const { table, condition } of copied.missing.filter((file) => !missing.includes(file))) {
    await appendFile(sql, `DELETE FROM ${quotedName(table)} WHERE ${condition};\n`)
  }
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
 */
export const faultsOf = ({ missing, damaged }) => [
  ...missing.map(({ table, key }) => `missing: ${table} ${key}`),
  ...damaged.map(({ table, key }) => `damaged: ${table} ${key}`),
]
