/**
 * The directory of a local state, and its lock. Two services on one directory answer some requests with 500, because
 * each locks the database against the other.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { openSqlite } from '../database/sqlite.mjs'

/** SQLite's code for a database that another connection has locked. */
const BUSY = 5

/**
 * Locks a state directory for this process: by an open transaction in a database there, which ends with the process,
 * however that ends. A file says who has it.
 *
 * @param {string} directory an existing directory
 * @param {string} purpose the holder of the lock, such as "the service on port 8787"
 * @returns {() => void} gives the lock back
 * @throws {Error} naming the holder, when another process has the lock
 */
export function lockState(directory, purpose) {
  const holder = path.join(directory, 'lock.holder')
  const database = openSqlite(path.join(directory, 'lock.sqlite'))
  try {
    database.run('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (error.errcode !== BUSY) throw error
    // The holder may not have written its name yet.
    const name = existsSync(holder) ? readFileSync(holder, 'utf8') : 'another process'
    throw new Error(`${directory} is in use by ${name}. Stop it first, or name another directory with --persist-to.`)
  }
  writeFileSync(holder, `${purpose} (process ${process.pid})`)
  return () => database.close()
}

/**
 * Makes the directory of the local state if there is none. Only its owner can read it, because it holds catalogs,
 * sealed secrets and the log.
 */
export async function ensureStateDirectory(directory) {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // `mkdir` does not change an existing directory.
  await chmod(directory, 0o700)
}
