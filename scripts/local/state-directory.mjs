/**
 * The directory of a local state, and its lock. If two services used one directory, some of their requests would return
 * 500, because each locks the database against the other.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openSqlite } from '../database/sqlite.ts'

/** SQLite's code for a database that another connection has locked. */
const BUSY = 5

/** The open locks. Without a reference, the garbage collector would release them. */
const locks = new Set()

/**
 * Locks a state directory for this process with an open transaction in a database there, which ends with the process in
 * any case. A file names the holder. Only its owner can read the directory, because it contains catalogs, encrypted
 * secrets and the log.
 *
 * @param {string} directory is created if missing
 * @param {string} purpose the holder of the lock, such as "the service on port 8787"
 * @returns {() => void} releases the lock
 * @throws {Error} naming the holder, if another process has the lock
 */
export function lockState(directory, purpose) {
  mkdirSync(directory, { recursive: true })
  chmodSync(directory, 0o700)
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
  locks.add(database)
  return () => {
    locks.delete(database)
    database.close()
  }
}
