/**
 * The directory of a local state, and its lock. Two services on one directory answer some requests with 500, because each
 * locks the database against the other.
 */
import { chmod, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { openSqlite } from '../database/sqlite.mjs'

/** SQLite's code for a database that another connection has locked. */
const BUSY = 5

/** Waits for others that make the table. Later nobody waits for the lock. */
const MAKE_TABLE = `PRAGMA busy_timeout = 5000;
CREATE TABLE IF NOT EXISTS holder (id INTEGER PRIMARY KEY, purpose TEXT, pid INTEGER);
PRAGMA busy_timeout = 0;`

/** Begins a transaction that may write, which only one connection can have. @returns {boolean} whether it has it */
function begin(database) {
  try {
    database.run('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (error.errcode === BUSY) return false
    throw error
  }
}

/**
 * Locks a state directory for this process: by an open transaction in a database there, which ends with the process,
 * however that ends. Others can read who has it.
 *
 * @param {string} directory an existing directory
 * @param {string} purpose the holder of the lock, such as "the service on port 8787"
 * @returns {Promise<() => void>} gives the lock back; may be called more than once
 * @throws {Error} naming the holder, when another process has the lock
 */
export async function lockState(directory, purpose) {
  const database = openSqlite(path.join(directory, 'lock.sqlite'))
  let isOpen = true
  const release = () => {
    if (isOpen) database.close()
    isOpen = false
  }
  database.run(MAKE_TABLE)
  if (begin(database)) {
    database.read('INSERT OR REPLACE INTO holder VALUES (1, ?, ?)', purpose, process.pid)
    database.run('COMMIT')
    if (begin(database)) return release
  }
  const [[holder, pid] = ['another process', 'unknown']] = database.read('SELECT purpose, pid FROM holder')
  release()
  throw new Error(
    `${directory} is in use by ${holder} (process ${pid}). Stop it first, or name another directory with --persist-to.`,
  )
}

/**
 * Makes the directory of the local state if there is none. Only its owner can read it, because it holds catalogs,
 * sealed secrets and the log.
 *
 * @param {string} directory
 */
export async function ensureStateDirectory(directory) {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // `mkdir` does not change an existing directory.
  await chmod(directory, 0o700)
}
